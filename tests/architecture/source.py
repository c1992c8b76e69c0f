"""The application's own modules, and which of the apps stands above which."""

import tomllib
from functools import cache
from pathlib import Path

from grimp import ImportGraph, build_graph

ROOT = Path(__file__).resolve().parent.parent.parent


@cache
def floors() -> dict[str, int]:
    """Each package and its floor, from the import-linter contract: a higher number stands higher."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(one["layers"] for one in contracts if one["type"] == "layers" and "containers" not in one)
    return {app.strip(): floor for floor, apps in enumerate(reversed(layers)) for app in apps.split("|")}


@cache
def modules() -> dict[str, Path]:
    """The name of every module of the apps, and its file; migrations are left out."""
    folders = [ROOT.joinpath(*package.split(".")) for package in floors()]
    files = [path for folder in folders for path in folder.rglob("*.py") if "migrations" not in path.parts]
    return {module_name(path): path for path in files}


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def package_of(module: str) -> str:
    """The one of `floors` that it lies in."""
    return next(package for package in floors() if f"{module}.".startswith(f"{package}."))


def floor_of(module: str) -> int:
    return floors()[package_of(module)]


@cache
def imports() -> ImportGraph:
    """Of all apps, also inside functions: as import-linter has it, which is quicker than syntax trees."""
    return build_graph(*sorted({package.partition(".")[0] for package in floors()}), cache_dir=None)


@cache
def imported(module: str) -> frozenset[str]:
    """The apps' modules that this one imports, also inside its functions."""
    return frozenset(imports().find_modules_directly_imported_by(module)) & modules().keys() - {module}
