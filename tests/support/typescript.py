"""The TypeScript client as others get it: compiled, in a folder of packages."""

from __future__ import annotations

import json
from pathlib import Path

from support.node import ROOT, install, npm

TYPESCRIPT = ROOT / "clients" / "typescript"


def compiled_client(folder: Path) -> Path:
    """Compiles the client into `folder`/node_modules; the module to import."""
    install(TYPESCRIPT)
    package = folder / "node_modules" / "@shedu" / "client"
    npm(TYPESCRIPT, "exec", "--", "tsc", "--outDir", str(package / "dist"))
    (package / "package.json").write_text((TYPESCRIPT / "package.json").read_text())
    for name in ("@bufbuild", "@connectrpc", "typescript", "@typescript"):
        (folder / "node_modules" / name).symlink_to(TYPESCRIPT / "node_modules" / name)
    (folder / "package.json").write_text(json.dumps({"type": "module"}))
    return package / "dist" / "index.js"
