"""What Postgres can keep of everything that a model or a document can say."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from text.normal_forms.storable import storable

ANY = st.characters(codec=None)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(ANY),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(ANY, max_size=5), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("plain ünï", "plain ünï"),
        ("a\0b", "a\ufffdb"),
        ("\ud83d\ude00", "\U0001f600"),
        ("lone \ud83d", "lone \ufffd"),
        ({"a\0": ["\0", 1, None]}, {"a\ufffd": ["\ufffd", 1, None]}),
        (("x", "y"), ["x", "y"]),
    ],
)
def test_only_what_postgres_cannot_keep_is_replaced(value: object, kept: object) -> None:
    assert storable(value) == kept


@given(VALUES)
def test_every_value_can_be_sent_to_postgres(value: object) -> None:
    text = json.dumps(storable(value), ensure_ascii=False)
    assert "\\u0000" not in text
    text.encode()
