"""The package stands by itself: it needs httpx and nothing of SVQ."""

import ast
import inspect
import sys
import tomllib
from pathlib import Path

from svq_client import AsyncClient, Client
from tests.architecture.source import modules

FOLDER = Path(__file__).resolve().parents[3] / "clients" / "python"


def test_it_imports_httpx_and_nothing_of_svq() -> None:
    imported: set[str] = set()
    for path in (FOLDER / "svq_client").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                imported.update(alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                imported.add((node.module or "").partition(".")[0])
    assert imported - sys.stdlib_module_names == {"httpx", "svq_client"}
    project = tomllib.loads((FOLDER / "pyproject.toml").read_text())["project"]
    assert [one.partition(">")[0] for one in project["dependencies"]] == ["httpx"]


def test_nothing_of_svq_imports_it() -> None:
    assert [name for name, path in modules().items() if "svq_client" in path.read_text()] == []


def test_both_clients_take_the_same() -> None:
    def methods(kind: type) -> dict[str, str]:
        public = {name: one for name, one in vars(kind).items() if not name.startswith("_")}
        return {name: str(list(inspect.signature(one).parameters.values())) for name, one in public.items()}

    assert methods(Client) == methods(AsyncClient)
