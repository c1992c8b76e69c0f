"""No two modules and no two folders import one another, not even through others or inside a function."""

from collections.abc import Callable, Iterable
from graphlib import CycleError, TopologicalSorter

from tests.architecture.source import floor_of, imported, modules


def cycle(parts: dict[str, set[str]]) -> list[str]:
    """The first circle of imports; empty where there is none."""
    try:
        TopologicalSorter(parts).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def grouped(name_of: Callable[[str], str], names: Iterable[str]) -> dict[str, set[str]]:
    parts: dict[str, set[str]] = {}
    for module in names:
        others = {name_of(other) for other in imported(module)}
        parts.setdefault(name_of(module), set()).update(others - {name_of(module)})
    return parts


def folder(module: str) -> str:
    return str(modules()[module].parent)


def test_no_module_imports_itself_through_others() -> None:
    assert cycle(grouped(str, modules())) == []


def test_no_folder_imports_itself_through_others() -> None:
    assert cycle(grouped(folder, modules())) == []


def test_no_app_imports_from_a_higher_floor() -> None:
    """As import-linter checks, but also inside functions that it may be told to ignore."""
    upward = [
        f"{module} imports {other}"
        for module in modules()
        for other in imported(module)
        if floor_of(other) > floor_of(module)
    ]
    assert upward == []


def test_a_circle_is_found() -> None:
    assert cycle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})
    assert not cycle({"a": {"b", "c"}, "b": {"c"}})
