"""How far each leg is trusted: meaning, words, the graph, and what documents are called by."""

from collections.abc import Set

import pytest

from retrieval.engine.fusion import (
    AGREEING,
    GRAPH_IN_LONG,
    TIED,
    best,
    share_of_meaning,
    sure_of_documents,
    sure_of_graph,
    undecided,
    weighted,
)
from retrieval.legs.document import NOBODY, Meant

SCORES = {pk: 1 / (1 + pk) for pk in range(100)}


def test_in_passages_that_are_documents_an_agreeing_graph_decides() -> None:
    assert sure_of_graph([0, 3, 7, 50, 60], SCORES, homes=1, titled=1.0, searched=5000) == 1.0
    assert sure_of_graph([50, 60, 70, 80, 90], SCORES, homes=1, titled=1.0, searched=5000) == 0.0


def test_what_only_a_link_leads_to_does_not_speak_against_the_graph() -> None:
    def sure(graph: list[int], titled: float, led: Set[int]) -> float:
        return sure_of_graph(graph, SCORES, homes=1, titled=titled, searched=5000, led=led)

    graph, led = [0, 50, 60, 70, 80], {50, 60, 70, 80}
    assert sure(graph, 1.0, set()) == 0.0
    assert sure(graph, 1.0, led) == 1.0
    assert sure(graph, 0.0, led) == 0.0, "in long documents a link leads anywhere"
    assert sure(graph[1:], 1.0, led) == 0.0, "where nothing agrees, nothing says that the links are right"


def test_in_long_documents_it_only_adds_to_what_the_others_say() -> None:
    assert sure_of_graph([0, 1, 2, 3, 4], SCORES, homes=1, titled=0.0, searched=5000) == GRAPH_IN_LONG


def test_to_be_among_the_best_of_few_is_no_agreement() -> None:
    graph = list(range(AGREEING - 5, AGREEING))
    assert sure_of_graph(graph, SCORES, homes=1, titled=0.0, searched=5000) > 0
    assert sure_of_graph(graph, SCORES, homes=1, titled=0.0, searched=60) == 0


# --- documents ---------------------------------------------------------------------------------------------
def test_names_of_documents_decide_between_passages_that_are_alike() -> None:
    pages = {pk: 0.44 - 0.002 * pk for pk in range(40)}
    assert undecided(pages, {pk: pk % 20 for pk in pages}) == 1.0


def test_names_of_documents_decide_between_the_same_clause_of_several() -> None:
    clauses = {0: 0.60, 1: 0.59, 2: 0.58, 3: 0.58} | dict.fromkeys(range(4, 40), 0.25)
    assert undecided(clauses, {pk: pk % 4 for pk in clauses}) == 1.0


def test_two_passages_that_stand_out_in_two_documents_are_not_outvoted_by_one() -> None:
    """As of a question about two things, each in a document of its own."""
    parts = {0: 0.60, 1: 0.55} | dict.fromkeys(range(2, 40), 0.3)
    documents = {pk: min(pk, 2) for pk in parts}
    assert undecided(parts, documents) == TIED


@pytest.mark.parametrize("scores", [{}, {1: 0.4}, {1: 0.0, 2: 0.0}])
def test_few_passages_leave_nothing_open(scores: dict[int, float]) -> None:
    assert undecided(scores, dict.fromkeys(scores, 7)) == TIED


def test_half_of_the_names_of_a_question_count_a_quarter() -> None:
    """A document called by half of what the question names may be of another thing with half of its name."""
    scores = {pk: 0.44 - 0.002 * pk for pk in range(40)}  # alike: names decide as far as they are sure
    documents = dict.fromkeys(scores, 7)

    def sure(coverage: float) -> float:
        return sure_of_documents(Meant(scores={7: 1.0}, coverage=coverage, mean=0.1), scores, documents)

    assert (sure(1.0), sure(0.5), sure(0.0)) == (1.0, 0.25, 0.0)
    assert sure_of_documents(NOBODY, scores, documents) == 0.0


# --- meaning and words -------------------------------------------------------------------------------------
ALIKE = [0.60 - 0.002 * place for place in range(40)]
ONE_STANDS_OUT = [0.60, *[0.20] * 39]


def test_the_leg_whose_best_passage_stands_out_decides() -> None:
    """As of a question with the one code that a passage has, and of one whose words stand on every page."""
    cosines, words = [0.60, 0.55], [0.50, 0.60]  # of two passages, the first nearer in meaning
    by_words = share_of_meaning(ALIKE, ONE_STANDS_OUT)
    by_meaning = share_of_meaning(ONE_STANDS_OUT, ALIKE)
    scores = [
        weighted(dict(enumerate(cosines)), dict(enumerate(words)), share) for share in (by_words, by_meaning)
    ]
    assert [best(each)[0] for each in scores] == [1, 0]


def test_legs_that_say_as_much_count_alike() -> None:
    assert share_of_meaning(ALIKE, ALIKE) == share_of_meaning([], []) == share_of_meaning([0.4], [0.2]) == 0.5


def test_no_leg_is_ever_left_out() -> None:
    """Passages that have none of the words, or all the same ones, are still told apart by their meaning."""
    assert 0 < share_of_meaning(ALIKE, [0.7]) < 1
    assert 0 < share_of_meaning([0.7] * 40, [0.6, *[0.0] * 39]) < 0.5
    assert 0.5 < share_of_meaning(ONE_STANDS_OUT, [0.0] * 40) < 1
