"""Why a passage is among the results of a search, in words that are true."""

import pytest
from django.utils.translation import override

from datasources.models import Datasource
from reader.search.finding import Passage
from reader.search.reasons import reasons
from retrieval.engine import Leg, LegScore
from tests.answering.agent import passage
from text.search.query_words import QueryWords


@pytest.mark.parametrize(
    ("rank", "said"),
    [
        (1, "the nearest of 46,000, similarity 0.41 of 1"),
        (2, "2nd nearest of 46,000, similarity 0.41 of 1"),
        (401, "not among the 100 nearest, similarity 0.41 of 1"),
    ],
)
def test_a_rank_is_told_only_where_all_nearer_passages_were_compared(rank: int, said: str) -> None:
    """The hundred nearest are; of others only those that words found."""
    evidence = passage(1, "Rent is due.", legs={Leg.DENSE: LegScore(score=0.41, rank=rank)})
    shown = Passage(
        evidence=evidence, datasource=Datasource(), holding=QueryWords("rent").held_by(evidence.text)
    )
    assert [reason.said for reason in reasons(shown, [Leg.DENSE], 46_000)] == [said]


def test_only_english_has_its_ordinals() -> None:
    evidence = passage(1, "Rent is due.", legs={Leg.DENSE: LegScore(score=0.41, rank=3)})
    shown = Passage(
        evidence=evidence, datasource=Datasource(), holding=QueryWords("rent").held_by(evidence.text)
    )
    with override("es"):
        said = reasons(shown, [Leg.DENSE], 46_000)[0].said
    assert "3rd" not in said
    assert "46.000" in said
