"""Variants as they are written, and what they make of a search."""

import pytest
from django.core.exceptions import ValidationError

from datasources.models import Chunking, Datasource
from desks.evaluation.runs.tools import query_of
from desks.evaluation.runs.variants import Variant
from ingestion.chunks.cutting import Cutting
from retrieval.engine.reranking import near_the_best
from tests.answering.agent import passage


def test_passages_far_from_the_best_are_left_out() -> None:
    variant = Variant.parse("search,near=0.5")
    assert variant.label == "Search alone, from 0.5 of the best"
    found = [passage(n, "words", "Title", score=score) for n, score in enumerate((0.8, 0.5, 0.4, 0.3))]
    assert [each.score for each in near_the_best(found, query_of(variant, "What?", 10))] == [0.8, 0.5, 0.4]
    assert near_the_best(found, query_of(Variant.parse("search"), "What?", 10)) == found
    assert near_the_best([], query_of(variant, "What?", 10)) == []


def test_a_variant_may_cut_documents_otherwise() -> None:
    variant = Variant.parse("search,chunking=paragraph:1500")
    assert variant.label == "Search alone, passages by paragraph of 1,500"
    own = Datasource(chunking="recursive", chunk_size=1000, chunk_overlap=100)
    assert variant.cutting(own) == Cutting(kind=Chunking.PARAGRAPH, size=1500, overlap=150)
    assert Variant.parse("chunking=paragraph").cutting(own).size == 1000
    for wrong in ("chunking=sentences", "chunking=recursive:ten", "chunking=recursive:500:50:5"):
        with pytest.raises(ValidationError, match="not part of a variant"):
            Variant.parse(wrong)
    with pytest.raises(ValidationError, match="Passages have 200 to 8,000"):
        Variant.parse("chunking=recursive:20")
    with pytest.raises(ValidationError, match="at most half"):
        Variant.parse("chunking=recursive:300:200")


def test_what_is_no_part_of_a_variant_is_refused() -> None:
    with pytest.raises(ValidationError, match="not part of a variant"):
        Variant.parse("near=2")
