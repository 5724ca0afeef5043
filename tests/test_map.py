"""Tests that the map of the service and the contributing guide name existing code, and every module."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
GAMEHOST = ROOT / "service" / "gamehost"
MAP, GUIDE = ROOT / "service" / "README.md", ROOT / ".github" / "CONTRIBUTING.md"
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "clients" / "README.md",
    ROOT / "service" / "OPERATIONS.md",
    MAP,
    GUIDE,
    ROOT / ".github" / "SECURITY.md",
]
TITLES = sorted(path.parent.parent.name for path in GAMEHOST.glob("titles/*/rules/__init__.py"))
# `play/writer.py`, `clients/web/src/titles/`; placeholders are filled in with every title.
PATH = re.compile(r"`([\w.<>*-]*/[\w./<>*-]+|[\w<>]+\.(?:py|md|toml|lua|proto))`")
# `play/writer.py`: `GameWriter.change`, `Plan`
NAMED = re.compile(r"`([\w/]+\.py)`: ((?:`[A-Za-z_.]+`(?:, | and |; )?)+)")
# | `play/use_cases/` | purpose | `lobby.py`, … |
PACKAGE = re.compile(r"^\| `([\w./<>]+)/` \|[^|]*\|([^|]*)\|$", re.MULTILINE)


def label(path: Path) -> str:
    return str(path.relative_to(ROOT))


def prose(document: Path) -> str:
    """Returns the text of a document without code blocks."""
    return re.sub(r"^```.*?^```", "", document.read_text(), flags=re.MULTILINE | re.DOTALL)


def chapter(name: str) -> str:
    return prose(MAP).partition(f"\n## {name}\n")[2].partition("\n## ")[0]


def filled(path: str) -> Iterator[str]:
    """Yields the path with each title in place of `<title>`."""
    yield from (path.replace("<title>", title) for title in TITLES) if "<title>" in path else (path,)


def found(path: str, document: Path) -> bool:
    folders = (ROOT, document.parent, GAMEHOST, GAMEHOST / "stores" / "redis")
    return any(any(folder.glob(path.rstrip("/"))) for folder in folders)


@pytest.mark.parametrize("document", [MAP, GUIDE], ids=label)
def test_every_path_exists(document: Path) -> None:
    text = prose(document).replace(chapter("Packages"), "") if document == MAP else prose(document)
    # Absolute paths are those of HTTP.
    paths = {path for path in PATH.findall(text) if not path.startswith("/")}

    missing = {path for named in paths for path in filled(named) if not found(path, document)}

    assert set() == missing
    assert len(paths) > 40


@pytest.mark.parametrize("document", DOCUMENTS, ids=label)
def test_every_link_leads_somewhere(document: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]+))?\)", prose(document)):
        page = document.parent / target if target else document
        assert page.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)", page.read_text(), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-") for text in headings}


def test_every_function_of_the_walks_exists() -> None:
    named = [(path, name) for path, names in NAMED.findall(prose(MAP)) for name in names.split("`")[1::2]]

    missing = [f"{path}: {name}" for path, name in named if not defines(GAMEHOST / path, name)]

    assert [] == missing
    assert len(named) > 40


def defines(path: Path, name: str) -> bool:
    """Whether a module has a class, function or method of that name, such as `Table` or `Table.view`."""
    body: list[ast.stmt] = ast.parse(path.read_text()).body if path.exists() else []
    for part in name.split("."):
        kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        match = [node for node in body if isinstance(node, kinds) and node.name == part]
        if not match:
            return False
        body = match[0].body
    return True


def test_every_module_is_on_the_map_and_nothing_else() -> None:
    listed = {
        (package.removeprefix("."), name)
        for package, modules in PACKAGE.findall(chapter("Packages"))
        if "<title>" not in package
        for name in re.findall(r"`(\w+\.(?:py|lua))`", modules)
    }

    paths = [path.relative_to(GAMEHOST) for kind in ("py", "lua") for path in GAMEHOST.rglob(f"*.{kind}")]
    there = {
        (str(path.parent).removeprefix("."), path.name)
        for path in paths
        if path.name != "__init__.py" and path.parts[0] != "titles"
    }
    assert (set(), set()) == (there - listed, listed - there), (
        "missing on the map; on the map, but not in the code"
    )


def test_every_module_with_a_cache_is_listed_with_its_bound() -> None:
    caching = re.compile(r"\bLruCache\[|^ *@(?:lru_)?cache\b|^REMEMBERED\b|^def memoized", re.MULTILINE)
    # The caches of a title are bounded by its pieces, and adding a title changes nothing outside its folders.
    modules = [path for path in GAMEHOST.rglob("*.py") if GAMEHOST / "titles" not in path.parents]
    paths = [path for path in modules if caching.search(path.read_text())]

    listed = set(PATH.findall(chapter("Caches")))

    assert set() == {str(path.relative_to(GAMEHOST)) for path in paths} - listed
    assert len(paths) > 10


def test_every_metric_of_a_cache_is_measured() -> None:
    metrics = (GAMEHOST / "api" / "pipeline" / "metrics.py").read_text()
    sources = "".join(path.read_text() for path in GAMEHOST.rglob("*.py"))

    named = set(re.findall(r"`(shedu_\w+)", chapter("Caches")))
    rows = re.findall(r'cache="(\w+)"\}`((?:, `\w+`)*)', chapter("Caches"))
    caches = {name for first, others in rows for name in (first, *re.findall(r"\w+", others))}

    assert set() == {name for name in named if f'"{name.removesuffix("_total")}"' not in metrics}
    assert caches == set(re.findall(r'cache_size_setter\("(\w+)"\)', sources))


def test_every_dependency_has_a_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    needs = [*project["dependencies"], *(need for extra in extras.values() for need in extra)]

    wanted = {re.split(r"[^\w-]", need)[0] for need in needs} | set(extras)

    named = {name.partition("[")[0] for name in re.findall(r"`([\w\[\]-]+)`", chapter("Dependencies"))}
    assert set() == wanted - named


def test_every_import_contract_is_explained() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]

    explained = re.findall(r"^\| (.+?) \|", chapter("Layers"), re.MULTILINE)

    assert {contract["name"] for contract in contracts} == set(explained) - {"contract", "---"}


def test_every_command_of_the_guide_names_a_script() -> None:
    blocks = "".join(re.findall(r"^```sh\n(.*?)^```", GUIDE.read_text(), re.MULTILINE | re.DOTALL))

    scripts = re.findall(r"^python3 (\S+)(?: (tests/\S+))?", blocks, re.MULTILINE)

    assert scripts
    for names in scripts:
        for name in filter(None, names):
            assert (ROOT / name).exists(), name
