"""Variants as they are written, and what they make of a search."""

import pytest
from django.core.exceptions import ValidationError

from evaluation.runs.tools import query_of
from evaluation.runs.variants import Variant
from retrieval.engine.reranking import near_the_best
from tests.chat.agent import passage


def test_passages_far_from_the_best_are_left_out() -> None:
    variant = Variant.parse("search,near=0.5")
    assert variant.label == "Search alone, from 0.5 of the best"
    found = [passage(n, "words", "Title", score=score) for n, score in enumerate((0.8, 0.5, 0.4, 0.3))]
    assert [each.score for each in near_the_best(found, query_of(variant, "What?", 10))] == [0.8, 0.5, 0.4]
    assert near_the_best(found, query_of(Variant.parse("search"), "What?", 10)) == found
    assert near_the_best([], query_of(variant, "What?", 10)) == []


def test_whoever_asks_for_a_chunking_is_told_how_to_compare_it() -> None:
    with pytest.raises(ValidationError, match="split the documents anew"):
        Variant.parse("chunking=sentences")
    with pytest.raises(ValidationError, match="not part of a variant"):
        Variant.parse("near=2")
