"""A relation carries a verb only where the sentence says it of the two."""

import pytest

from graph.extraction.rules.extractor import Rules
from graph.values.type_styles import TOGETHER, relation_label


@pytest.mark.parametrize(
    ("sentence", "label"),
    [
        ("Halden Foods acquired Quellbridge Bakery.", "acquired"),
        ("Halden Foods was later acquired by the Quellbridge Group in May.", "was acquired by"),
        ("Since 2019, Halden Foods supplies Quellbridge Bakery.", "supplies"),
        ("Halden Foods shall notify Quellbridge Bakery in writing.", "shall notify"),
        ("Halden Foods did not acquire Quellbridge Bakery.", TOGETHER),
        ("Unlike Halden Foods, Quellbridge Bakery acquired nothing.", TOGETHER),
        ("The owner of Halden Foods acquired Quellbridge Bakery.", TOGETHER),
        ("If Halden Foods acquired Quellbridge Bakery, all was lost.", TOGETHER),
        ("Halden Foods acquired Quellbridge Bakery's ovens.", TOGETHER),
        ("Halden Foods and the service sites of Quellbridge Bakery are closed.", TOGETHER),
    ],
)
def test_a_verb_is_named_only_where_it_is_said(sentence: str, label: str) -> None:
    relations = Rules().extract("Story", [sentence])[0].relations
    assert {relation_label(list(r.keywords)) for r in relations if "Halden" in r.source} == {label}
