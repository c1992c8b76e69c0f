"""The metrics on cases whose values are known, and what holds for all cases."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desks.evaluation.metrics import intervals
from desks.evaluation.metrics.citing import Cited, citation_scores, pieces_quoted
from desks.evaluation.metrics.evidence import Gold, Span, holds
from desks.evaluation.metrics.intervals import compare, interval
from desks.evaluation.metrics.ranking import page_hits, ranking_measures, recall
from desks.evaluation.metrics.trace_scores import (
    adherence,
    completeness,
    context_relevance,
    context_utilisation,
)


def span(start: int, end: int, document: int = 1) -> Span:
    return Span(document=document, start=start, end=end)


def gold(start: int, end: int, piece: int = 0, document: int = 1) -> Gold:
    return Gold(piece=piece, span=span(start, end, document))


FIVE = [span(n * 100, n * 100 + 100) for n in range(5)]


# --- by hand ---------------------------------------------------------------------------------------------
def test_a_passage_holds_a_quote_by_half_of_the_shorter_one() -> None:
    assert holds(span(0, 100), span(20, 40))
    assert holds(span(0, 100), span(90, 110))
    assert not holds(span(0, 100), span(95, 110))
    assert holds(span(0, 100), span(40, 5000)), "a page is longer than a chunk"
    assert not holds(span(0, 100), span(20, 40, document=2))
    assert not holds(span(0, 100), span(20, 20))


def test_two_of_five_passages_are_needed_and_one_of_them_was_used() -> None:
    needed = [gold(110, 130), gold(310, 330, piece=1)]
    assert context_relevance(FIVE, needed) == 0.4
    assert context_utilisation(FIVE, [span(110, 130)]) == 0.2
    assert completeness(needed, {0}) == 0.5
    assert adherence([True, True, False, True]) == 0.75


def test_a_piece_that_stands_in_two_places_is_needed_once() -> None:
    twice = [gold(110, 130), gold(310, 330)]
    assert context_relevance(FIVE, twice) == 0.4
    assert completeness(twice, {0}) == 1.0
    assert recall(FIVE[:2], twice) == 1.0


def test_scores_that_are_not_defined_are_not_made_up() -> None:
    assert context_relevance(FIVE, []) is None
    assert completeness([], set()) is None
    assert context_utilisation([], []) is None
    assert ranking_measures([(1, FIVE[0])], [], []) == {}


def test_ranking_with_the_only_gold_passage_in_second_place() -> None:
    ranked = list(enumerate(FIVE))
    told = ranking_measures(ranked, [1], [gold(110, 130)])
    assert told["mrr"] == 0.5
    assert told["precision_at_5"] == pytest.approx(0.2)
    assert told["hit_at_5"] == told["recall_at_5"] == 1.0
    assert told["ndcg_at_10"] == pytest.approx(0.6309, abs=1e-4)


def test_ranking_that_found_nothing_is_zero_everywhere() -> None:
    for ranked in ([], [(7, span(900, 950))]):
        told = ranking_measures(ranked, [1], [gold(110, 130)])
        assert set(told.values()) == {0.0}


def test_pages_are_counted_within_their_documents() -> None:
    assert page_hits({1: {3, 4}}, {1: {4}, 2: {4}}) == 0.5
    assert page_hits({1: {3}}, {}) is None


def test_citations_are_told_by_quote_claim_and_page() -> None:
    cited = [
        Cited(on_page=True, carries_claim=True, span=span(110, 130), pages=frozenset({(1, 2)})),
        Cited(on_page=True, carries_claim=False, span=span(400, 420), pages=frozenset({(1, 5)})),
        Cited(on_page=False),
    ]
    needed = [gold(110, 130), gold(310, 330, piece=1)]
    told = citation_scores(cited, needed, [(0, (1, 2)), (1, (1, 4))])
    assert told["quote_found"] == pytest.approx(2 / 3)
    assert told["carries_claim"] == 0.5
    assert told["gold_page_cited"] == 0.5
    assert pieces_quoted(cited, needed) == {0}


def test_quotes_alone_are_not_said_to_carry_claims() -> None:
    told = citation_scores([Cited(on_page=True)], [], [])
    assert told == {"quote_found": 1.0}


# --- intervals -------------------------------------------------------------------------------------------
def test_an_interval_holds_its_mean_and_narrows_with_more_questions() -> None:
    few, many = interval([0.0, 1.0] * 10), interval([0.0, 1.0] * 200)
    assert few
    assert many
    assert few.low < 0.5 < few.high
    assert many.high - many.low < few.high - few.low


def test_five_right_answers_are_no_certainty() -> None:
    told = interval([1.0] * 5)
    assert told
    assert (told.mean, told.high) == (1.0, 1.0)
    assert told.low == pytest.approx(0.478, abs=0.001)  # exact bound of 5 of 5
    assert interval([]) is None


def test_one_question_is_no_certainty_whatever_its_score() -> None:
    for value in (0.0, 0.5, 0.9, 1.0):
        told = interval([value])
        assert told
        assert told.low <= value <= told.high
        assert told.high - told.low > 0.9


def test_a_difference_that_chance_makes_is_not_called_one() -> None:
    dice = random.Random(1)
    before = [dice.random() for _ in range(40)]
    after = [dice.random() for _ in range(40)]
    told = compare(before, after)
    assert not told.is_sure
    assert told.words == "no difference that 40 questions could show"


def test_a_difference_that_chance_does_not_make_is_told_with_its_bounds() -> None:
    told = compare([0.5] * 40, [0.5 + 0.1 * (n % 3) for n in range(40)])
    assert told.is_sure
    assert told.words.startswith("better by 0.10, between ")
    assert (told.better, told.same, told.worse) == (26, 14, 0)
    assert told.measured.startswith(told.words + " (p ")
    few = compare([0.5] * 1000, [0.5] * 985 + [0.7] * 15)
    assert few.measured.startswith("better by less than 0.005 (p < 0.001")
    assert compare([1.0] * 20, [0.2] * 20).words.startswith("worse by 0.80")


def test_what_is_called_the_same_makes_no_difference_sure() -> None:
    """Two of 53 got worse, by very little; all others by less than counts."""
    told = compare([0.5] * 53, [0.4985] * 51 + [0.48] * 2)
    assert (told.better, told.same, told.worse) == (0, 51, 2)
    assert not told.is_sure
    assert told.words == "no difference that 53 questions could show"


def test_many_questions_are_compared_at_once_and_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(1)
    before = [dice.random() for _ in range(600)]
    after = [min(1.0, value + 0.05 * dice.random() - 0.024) for value in before]
    quick = compare(before, after)
    monkeypatch.setattr(intervals, "MANY", 10_000)
    resampled = compare(before, after)
    assert quick.p == pytest.approx(resampled.p, abs=0.03)
    assert (quick.low, quick.high) == pytest.approx((resampled.low, resampled.high), abs=0.001)


def test_one_question_shows_no_difference() -> None:
    told = compare([0.2], [0.9])
    assert (told.n, told.better, told.difference) == (1, 1, pytest.approx(0.7))
    assert told.words == "no difference that 1 question could show"


def test_runs_without_a_common_question_are_not_compared() -> None:
    assert compare([], []).words == "no question in common"
    with pytest.raises(ValueError, match="in common"):
        compare([1.0], [])


# --- whatever the case -----------------------------------------------------------------------------------
starts = st.integers(0, 40).map(lambda n: n * 50)
golds = st.lists(
    st.builds(lambda s, p: gold(s + 10, s + 40, p), starts, st.integers(0, 3)), min_size=1, max_size=6
)
passages = st.lists(starts.map(lambda s: span(s, s + 100)), max_size=12)


@given(golds)
def test_a_perfect_answer_has_one_everywhere(needed: list[Gold]) -> None:
    exact = [each.span for each in needed]
    assert context_relevance(exact, needed) == 1.0
    assert context_utilisation(exact, exact) == 1.0
    assert completeness(needed, {each.piece for each in needed}) == 1.0
    assert adherence([True] * len(needed)) == 1.0
    assert recall(exact, needed) == 1.0


@given(golds, passages)
def test_an_empty_answer_has_and_uses_nothing(needed: list[Gold], retrieved: list[Span]) -> None:
    assert completeness(needed, set()) == 0.0
    assert context_utilisation(retrieved, []) in (0.0, None)
    assert adherence([]) == 1.0


@given(golds, passages, st.randoms(use_true_random=False))
def test_the_order_of_passages_does_not_matter(
    needed: list[Gold], retrieved: list[Span], dice: random.Random
) -> None:
    shuffled, other = list(retrieved), list(needed)
    dice.shuffle(shuffled)
    dice.shuffle(other)
    used = [each.span for each in needed]
    assert context_relevance(retrieved, needed) == context_relevance(shuffled, other)
    assert context_utilisation(retrieved, used) == context_utilisation(shuffled, used[::-1])
    assert recall(retrieved, needed) == recall(shuffled, other)


@given(golds, passages)
def test_every_score_is_a_share(needed: list[Gold], retrieved: list[Span]) -> None:
    ranked = list(enumerate(retrieved))
    told = ranking_measures(ranked, [pk for pk, _ in ranked][:2], needed)
    values = [context_relevance(retrieved, needed), *told.values()]
    assert all(value is None or 0.0 <= value <= 1.0 for value in values)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=30), st.randoms(use_true_random=False))
def test_an_interval_does_not_depend_on_the_order(values: list[float], dice: random.Random) -> None:
    shuffled = list(values)
    dice.shuffle(shuffled)
    assert interval(values) == interval(shuffled)
