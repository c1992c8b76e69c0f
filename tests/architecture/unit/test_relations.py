"""No app reaches a higher one through a reverse relation: `document.citations`, `"turns__citations"`."""

import ast
from collections.abc import Iterator
from pathlib import Path

from django.apps import apps

from tests.architecture.source import ROOT, floor_of, floors, module_name, modules, package_of


def reverse_relations() -> dict[str, set[int]]:
    """The name of every reverse relation between apps, and the floors of the models that it leads to."""
    names: dict[str, set[int]] = {}
    for model in apps.get_models():
        for relation in model._meta.related_objects:
            floor = floors().get(relation.related_model._meta.app_config.name)
            name = relation.get_accessor_name()
            if floor is not None and name:
                for written in {name, relation.field.related_query_name()}:
                    names.setdefault(written, set()).add(floor)
    return names


def fields() -> set[str]:
    """Names that are a field of some model too: they may mean that."""
    return {
        field.name
        for model in apps.get_models()
        if model._meta.app_config.name in floors()
        for field in model._meta.get_fields()
        if field.concrete
    }


def lookups(path: Path) -> Iterator[tuple[int, str]]:
    """Strings and keywords with `__`, and attributes that are read, each with its line."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "__" in node.value:
            if node.value.replace("__", "a").lstrip("-").isidentifier():
                for part in node.value.lstrip("-").split("__"):
                    yield node.lineno, part
        elif isinstance(node, ast.keyword) and node.arg and "__" in node.arg:
            for part in node.arg.split("__"):
                yield node.value.lineno, part
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            yield node.lineno, node.attr


def upward(path: Path, relations: dict[str, set[int]]) -> list[str]:
    """Reverse relations to a higher floor that the file names, as `file:line name`."""
    floor = floor_of(module_name(path))
    text = path.read_text()
    if not any(name in text for name, above in relations.items() if min(above) > floor):
        return []  # most files: their syntax is not looked at
    return [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for line, name in lookups(path)
        if name in relations and min(relations[name]) > floor
    ]


def test_no_relation_leads_upwards() -> None:
    relations = {name: levels for name, levels in reverse_relations().items() if name not in fields()}
    assert {"turns", "chunks", "entities"} <= relations.keys()  # the check knows what to look for
    with_models = {config.name for config in apps.get_app_configs()}  # the others know no rows at all
    paths = [path for module, path in modules().items() if package_of(module) in with_models]
    assert [found for path in paths for found in upward(path, relations)] == []


def test_every_way_to_write_a_relation_is_found(tmp_path: Path) -> None:
    path = tmp_path / "queries.py"
    path.write_text(
        'rows.annotate(n=Count("turns__citations"), m=row.entities.count()).filter(chunks__text="x")'
    )
    assert {name for _, name in lookups(path)} >= {"turns", "citations", "entities", "chunks"}
