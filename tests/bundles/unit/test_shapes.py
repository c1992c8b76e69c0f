"""What stands inside the JSON columns of a bundle: what SVQ writes comes in, and nothing of another form."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.db.models import JSONField

from exchange.bundles.columns import Check, Wrong, check_of
from exchange.bundles.contents import CARRIED, table_of
from tests.bundles.filled import FILLED, FROZEN, SOURCE

JSON_COLUMNS = [
    (table.label, column.name)
    for table in CARRIED
    for column in table.fields
    if isinstance(column, JSONField)
]
# Whatever a program or a model has put there.
FREE = {("datasources.Document", "metadata"), ("chat.Turn", "steps", 0, "arguments")}
OPINION = FILLED["chat.Citation", "judge"]
PART = FILLED["compliance.Finding", "parts"][0]


def check(label: str, name: str) -> Check:
    table = table_of(label)
    return check_of(table, next(column for column in table.fields if column.name == name))


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Each place within the value, with what stands there."""
    yield path, value
    inside: Any = ()
    if isinstance(value, dict):
        inside = value.items()
    elif isinstance(value, list):
        inside = enumerate(value)
    for key, inner in inside:
        yield from places(inner, (*path, key))


def wrong_for(value: Any) -> list[Any]:
    """Of other types than what stands there."""
    if isinstance(value, dict):
        return [5, "x", True, [1]]
    if isinstance(value, list):
        return [5, "x", True, {"a": 1}]
    either = [{"a": [1]}, [{"a": 1}]]
    if isinstance(value, bool):
        return [*either, "x", 5]
    if isinstance(value, str):
        return [*either, 5, True]
    return [*either, "x", True] if value is not None else either


def with_another(value: Any, path: tuple[Any, ...], other: Any) -> Any:
    if not path:
        return other
    whole = copy.deepcopy(value)
    at = whole
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = other
    return whole


def is_free(path: tuple[Any, ...]) -> bool:
    return any(path[: len(free)] == free and path != free for free in FREE)


def is_refused(checked: Check, value: Any) -> bool:
    try:
        checked(value)
    except Wrong:
        return True
    return False


@pytest.mark.parametrize(("label", "name"), JSON_COLUMNS)
def test_what_is_written_comes_in_and_a_wrong_type_at_any_place_does_not(label: str, name: str) -> None:
    checked = check(label, name)
    filled = json.loads(json.dumps(FILLED[label, name]))  # with lists, as it is stored
    assert json.loads(checked(filled)) == filled
    let_in = [
        (path, other)
        for path, value in places(filled)
        if not is_free((label, name, *path))
        for other in wrong_for(value)
        if not is_refused(checked, with_another(filled, path, other))
    ]
    assert let_in == []


@pytest.mark.parametrize(("label", "name"), JSON_COLUMNS)
def test_what_a_column_begins_with_comes_in(label: str, name: str) -> None:
    column = next(column for column in table_of(label).fields if column.name == name)
    if (label, name) != ("evaluation.Run", "frozen"):  # each run is begun with its settings
        check(label, name)(column.get_default())


FORGED = [
    ("evaluation.Run", "frozen", {}),
    ("evaluation.Run", "frozen", FROZEN | {"stages": {"colour": True}}),
    ("evaluation.Run", "frozen", FROZEN | {"stages": {"personal_data": "sold"}}),
    ("evaluation.Run", "frozen", FROZEN | {"prices": {"sent": "much", "written": "1"}}),
    ("evaluation.Run", "frozen", FROZEN | {"prices": {"sent": "NaN", "written": "1"}}),
    ("evaluation.Run", "frozen", FROZEN | {"prices": {"sent": "1", "written": "1", "more": "1"}}),
    ("evaluation.Run", "frozen", FROZEN | {"chunking": {"kind": "torn", "size": 5, "overlap": 0}}),
    ("evaluation.Result", "scores", {"relevance": 1e300}),
    ("evaluation.Result", "judged", {"statements": []}),
    ("evaluation.Result", "trace", [{"id": "a", "label": "b", "icon": "c", "more": 1}]),
    ("evaluation.Result", "citations", [FILLED["evaluation.Result", "citations"][0] | {"on_page": "nearly"}]),
    ("chat.Turn", "trace", [{"id": "a", "label": "b", "icon": "c"}]),
    ("chat.Turn", "trace", [FILLED["chat.Turn", "trace"][0] | {"more": 1}]),
    ("chat.Turn", "trace", [FILLED["chat.Turn", "trace"][0] | {"state": "lost"}]),
    ("chat.Turn", "usage", {"prompt_tokens": 1, "colour": 2}),
    ("chat.Turn", "usage", {"prompt_tokens": -1}),
    ("chat.Turn", "notices", [{"code": "a"}]),
    ("chat.Turn", "differ", {"kind": "number"}),
    ("chat.Turn", "differ", {"kind": "number", "sides": [{"citation": 1, "value": [1], "of": 2}]}),
    ("chat.Turn", "follow_ups", [{"document": 1}]),
    ("chat.Conversation", "document_ids", {"a": 1}),
    ("chat.Conversation", "document_ids", [{"a": 1}]),
    ("chat.Citation", "pages", [10**30]),
    ("chat.Citation", "boxes", {"first": [[1, 2, 3, 4]]}),
    ("chat.Citation", "boxes", {"1": [[1, 2, 3]]}),
    ("chat.Citation", "judge", {k: v for k, v in OPINION.items() if k != "supported"}),
    ("datasources.Introduction", "questions", [{"question": "When?", "documents": [{"a": 1}]}]),
    ("datasources.Document", "file_properties", {"sent": "yesterday"}),
    ("datasources.Document", "file_properties", {"sent": "9999-12-31T23:59:59-12:00"}),
    ("datasources.Datasource", "scan_languages", ["../../etc"]),
    ("ingestion.Page", "layout", {"rows": [[0, 1]]}),
    ("ingestion.Annotation", "made", "yesterday"),
    ("compliance.Finding", "parts", [PART | {"verdict": "splendid"}]),
    ("compliance.Evidence", "on_page", "nearly"),
    ("compliance.Evidence", "support", "rather"),
    ("memos.Memo", "sources", [SOURCE | {"document": "1"}]),
]


@pytest.mark.parametrize(("label", "name", "value"), FORGED)
def test_what_no_page_could_show_is_refused(label: str, name: str, value: Any) -> None:
    with pytest.raises(Wrong):
        check(label, name)(value)


def test_a_refusal_says_where() -> None:
    with pytest.raises(Wrong, match=r"another form than SVQ writes \(stages.colour\)"):
        check("evaluation.Run", "frozen")(FROZEN | {"stages": {"colour": True}})


@pytest.mark.parametrize("made", ["", "2024-02-01", "2024-02-01T10:00:00", "2024-02-01T10:00:00+02:00"])
def test_comments_are_of_a_day_or_a_time(made: str) -> None:
    assert check("ingestion.Annotation", "made")(made) == made
