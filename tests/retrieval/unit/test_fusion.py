"""How far the graph is trusted beside meaning and words."""

from retrieval.engine.fusion import AGREEING, GRAPH_IN_LONG, sure_of_graph

SCORES = {pk: 1 / (1 + pk) for pk in range(100)}


def test_in_passages_that_are_documents_an_agreeing_graph_decides() -> None:
    assert sure_of_graph([0, 3, 7, 50, 60], SCORES, homes=1, titled=1.0, searched=5000) == 1.0
    assert sure_of_graph([50, 60, 70, 80, 90], SCORES, homes=1, titled=1.0, searched=5000) == 0.0


def test_in_long_documents_it_only_adds_to_what_the_others_say() -> None:
    assert sure_of_graph([0, 1, 2, 3, 4], SCORES, homes=1, titled=0.0, searched=5000) == GRAPH_IN_LONG


def test_to_be_among_the_best_of_few_is_no_agreement() -> None:
    graph = list(range(AGREEING - 5, AGREEING))
    assert sure_of_graph(graph, SCORES, homes=1, titled=0.0, searched=5000) > 0
    assert sure_of_graph(graph, SCORES, homes=1, titled=0.0, searched=60) == 0
