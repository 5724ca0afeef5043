"""Compiles the TypeScript client into a folder of packages."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from support.node import ROOT, built, npm

TYPESCRIPT = ROOT / "clients" / "typescript"


def compiled_client(folder: Path) -> Path:
    """Puts the compiled client into `folder`/node_modules; returns the module to import."""
    package = folder / "node_modules" / "@shedu" / "client"
    sources = [TYPESCRIPT / name for name in ("src", "package.json", "tsconfig.json")]
    shutil.copytree(built(TYPESCRIPT, "client", sources, _compile), package / "dist")
    (package / "package.json").write_text((TYPESCRIPT / "package.json").read_text())
    for name in ("@bufbuild", "@connectrpc", "typescript", "@typescript"):
        (folder / "node_modules" / name).symlink_to(TYPESCRIPT / "node_modules" / name)
    (folder / "package.json").write_text(json.dumps({"type": "module"}))
    return package / "dist" / "index.js"


def _compile(target: Path) -> None:
    npm(TYPESCRIPT, "exec", "--", "tsc", "--outDir", str(target))
