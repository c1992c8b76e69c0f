"""A relation carries a verb only where the sentence says it of the two."""

import pytest

from graph.extraction.rules.extractor import Rules
from graph.web.relation_words import sure_verb


@pytest.mark.parametrize(
    ("sentence", "label"),
    [
        ("Halden Foods acquired Quellbridge Bakery.", "acquired"),
        ("Halden Foods was later acquired by the Quellbridge Group in May.", "was acquired by"),
        ("Since 2019, Halden Foods supplies Quellbridge Bakery.", "supplies"),
        ("Halden Foods shall notify Quellbridge Bakery in writing.", "shall notify"),
        ("Halden Foods did not acquire Quellbridge Bakery.", ""),
        ("Unlike Halden Foods, Quellbridge Bakery acquired nothing.", ""),
        ("The owner of Halden Foods acquired Quellbridge Bakery.", ""),
        ("If Halden Foods acquired Quellbridge Bakery, all was lost.", ""),
        ("Halden Foods acquired Quellbridge Bakery's ovens.", ""),
        ("Halden Foods and the service sites of Quellbridge Bakery are closed.", ""),
    ],
)
def test_a_verb_is_named_only_where_it_is_said(sentence: str, label: str) -> None:
    relations = Rules().extract("Story", [sentence])[0].relations
    assert {sure_verb(r.keywords, ()) for r in relations if "Halden" in r.source} == {label}


@pytest.mark.parametrize(
    ("keywords", "verb"),
    [
        (["BASED_ON"], "based on"),
        (["Stated Interest Rates", "was approved in"], "was approved in"),
        (["Three Months Ended Jul 1, 2023"], ""),
        (["CPU"], ""),
        (["drive technology and product leadership"], ""),
        (["partnership"], ""),
        ([], ""),
    ],
)
def test_the_heading_of_a_column_or_a_noun_is_no_verb(keywords: list[str], verb: str) -> None:
    assert sure_verb(keywords, {"BASED_ON"}) == verb
