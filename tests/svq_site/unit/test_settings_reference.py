"""The settings reference lists every environment variable that SVQ reads, and none that it does not."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
REFERENCE = ROOT / "docs" / "reference" / "settings.md"
OF_SVQ = re.compile(r"SVQ_[A-Z0-9_]+|DATABASE_URL")
NO_PART_OF_THE_PRODUCT = {"tests", "tools", "benchmarks", "samples", "var"}


def files_of_the_product() -> Iterator[Path]:
    """Other tests make and delete folders in `var` meanwhile, so it is not looked into at all."""
    yield from ROOT.glob("*.py")
    for folder in ROOT.iterdir():
        if folder.is_dir() and folder.name not in NO_PART_OF_THE_PRODUCT and not folder.name.startswith("."):
            yield from folder.rglob("*.py")


def variables_in_code() -> set[str]:
    """Every string in the code that is such a name, however it is then read."""
    found = set()
    for path in files_of_the_product():
        text = path.read_text()
        if not OF_SVQ.search(text):
            continue
        for node in ast.walk(ast.parse(text)):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and OF_SVQ.fullmatch(node.value)
            ):
                found.add(node.value)
    return found


def variables_in_reference() -> list[str]:
    """The first cell of each row."""
    return re.findall(r"^\| `([A-Z0-9_]+)` \|", REFERENCE.read_text(), re.MULTILINE)


def test_each_variable_is_documented_once():
    documented = variables_in_reference()
    assert sorted(documented) == sorted(variables_in_code())
