"""The application's own modules, and which of the apps stands above which."""

import ast
import tomllib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


@cache
def floors() -> dict[str, int]:
    """Each app and its floor, from the import-linter contract: a higher number stands higher."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(one["layers"] for one in contracts if one["type"] == "layers" and "containers" not in one)
    return {app.strip(): floor for floor, apps in enumerate(reversed(layers)) for app in apps.split("|")}


@cache
def modules() -> dict[str, Path]:
    """The name of every module of the apps, and its file; migrations are left out."""
    files = [
        path for app in floors() for path in (ROOT / app).rglob("*.py") if "migrations" not in path.parts
    ]
    return {module_name(path): path for path in files}


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def nodes(path: Path) -> list[ast.AST]:
    """Of its syntax tree, in the order of `ast.walk`, which takes longer than reading the file."""
    return list(ast.walk(ast.parse(path.read_text(), str(path))))


@cache
def imported(module: str) -> frozenset[str]:
    """The apps' modules that this one imports, also inside its functions."""
    names: set[str] = set()
    for node in nodes(modules()[module]):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.update(
                inner if (inner := f"{node.module}.{alias.name}") in modules() else node.module
                for alias in node.names
            )
    return frozenset(name for name in names if name in modules()) - {module}
