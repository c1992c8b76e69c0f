"""What may stand in a column of a bundle."""

import json
from typing import Any

import pytest

from exchange.bundles.columns import SPECIAL, WholeRow, Wrong
from tests.bundles.filled import SOURCE


@pytest.mark.parametrize("table", ["memos.Memo", "chat.Note"])
@pytest.mark.parametrize(
    "sources", ["x", [5], [{"n": 1}], [SOURCE | {"document": [1]}], [SOURCE | {"document": "1"}], {"n": 1}]
)
def test_sources_that_no_page_could_show_are_refused(table: str, sources: Any) -> None:
    check = SPECIAL[table, "sources"]
    assert check(json.dumps([SOURCE]))
    with pytest.raises(Wrong, match="another form than SVQ writes"):
        check(json.dumps(sources))


@pytest.mark.parametrize(("name", "value"), [("passages", 30_000), ("tokens", 2**31 - 1), ("money", 1e299)])
def test_limits_of_settings_hold_for_bundles_too(name: str, value: float) -> None:
    with pytest.raises(Wrong, match="is not between"):
        SPECIAL["chat.AnswerSettings", name](value)


@pytest.mark.parametrize("after", [3, 4])
def test_a_turn_follows_one_before_it(after: int) -> None:
    WholeRow("chat.Turn").check({"number": 3, "after": 2})
    with pytest.raises(Wrong, match="not before it"):
        WholeRow("chat.Turn").check({"number": 3, "after": after})


def test_turns_are_counted_from_1() -> None:
    check = SPECIAL["chat.Turn", "number"]
    assert check(1) == 1
    with pytest.raises(Wrong, match="below 1"):
        check(0)
