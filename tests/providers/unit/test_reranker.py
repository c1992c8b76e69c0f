"""Rerankers of other servers: whichever form they speak, each text gets a score from 0 to 1, in its place."""

import pytest

from providers.openai.reranker import AT_ONCE, ServerReranker
from providers.protocols import ProviderError
from tests.rerank_server import RerankServer

TEXTS = ["cheese", "who keeps the lighthouse", "the lighthouse"]


def reranker(server: RerankServer) -> ServerReranker:
    return ServerReranker(server.base_url, "key", "bge", 5.0)


@pytest.mark.parametrize("form", ["cohere", "jina", "tei"])
@pytest.mark.parametrize("raw", [False, True])
def test_scores_stand_in_the_order_of_the_texts(form: str, raw: bool) -> None:
    with RerankServer(form, raw=raw) as server:
        scores = reranker(server).score("who keeps the lighthouse", TEXTS)
    assert scores[1] > scores[2] > scores[0]
    assert all(0 <= score <= 1 for score in scores)
    assert server.requests[0]["path"] == "/v1/rerank"


def test_more_texts_than_a_server_takes_are_asked_in_several_requests() -> None:
    with RerankServer("tei") as server:
        model = reranker(server)
        scores = model.score("a b", [f"a {n}" for n in range(AT_ONCE)] + ["a b"])
        assert len(scores) == AT_ONCE + 1
        assert scores[-1] == 1.0
        before = len(server.requests)
        model.score("a", ["a"])
    assert len(server.requests) == before + 1  # the form that it understands is remembered


@pytest.mark.parametrize("raw", [False, True])
def test_a_passage_has_one_score_whatever_it_stands_beside(raw: bool) -> None:
    question = "who keeps the lighthouse"
    few, many = ["keeps the"], ["keeps the", "who keeps the lighthouse", "cheese"]
    scores = []
    for first, second in ((few, many), (many, few)):
        with RerankServer(raw=raw) as server:
            model = reranker(server)
            scores += [model.score(question, texts)[0] for texts in (first, second)]
    assert len({round(score, 6) for score in scores}) == 1


def test_a_server_that_fails_says_so() -> None:
    with RerankServer(status=500) as server, pytest.raises(ProviderError, match="500"):
        reranker(server).score("a", TEXTS)


def test_a_server_that_leaves_a_text_out_is_not_believed() -> None:
    with RerankServer() as server:
        server.answer = lambda body: (200, {"results": [{"index": 0, "relevance_score": 1}]})  # type: ignore[method-assign]
        with pytest.raises(ProviderError, match="does not score each of 3"):
            reranker(server).score("a", TEXTS)
