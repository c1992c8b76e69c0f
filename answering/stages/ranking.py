"""Ranks all passages that the searches of a turn have found, and keeps the best."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext_noop

from answering.extractive.words import Terms, stems
from answering.stages.stage import Stage
from answering.state.work import CallResult, Work
from answering.values.events import StageStarted
from jobs.threads import SEARCHES
from providers.protocols import Reranker
from providers.roles import RERANK_TIMEOUT
from retrieval.engine.fusion import best, reciprocal_rank
from retrieval.evidence import Evidence

LOOKED_AT = 60  # passages that a reranking server is asked about
OF_QUESTION = 2  # how many searches the order by the whole question counts for


class Ranking(Stage):
    """Each search has its own ranking; the words of the question, or a reranking server, add another.
    Reciprocal rank fusion combines them, so that the best of every search stays, also of one for a part.
    """

    name = "ranking"
    label = gettext_noop("Rerank")
    icon = "filter"
    doing = gettext_noop("Choosing the best passages")
    switch = "rerank"
    time_limit = RERANK_TIMEOUT + 5  # so that no thread goes on asking the server
    without = gettext_noop("The passages stay in the order in which the searches found them.")

    def is_due(self, work: Work) -> bool:
        return bool(work.rounds.unread) and not work.passages.read_whole and not work.means.model.plans_here

    async def run(self, work: Work) -> None:
        union = everything_found(work)
        order, how = await SEARCHES.run(_ordered, work.means.reranker, work.question, _orders(work), union)
        asked_for = read_whole(work)
        kept = [
            *asked_for,
            *[chunk for chunk in order if chunk not in asked_for][: work.asked.settings.passages],
        ]
        work.passages = replace(work.passages, texts={chunk: union[chunk].text for chunk in kept})
        if len(kept) < len(union) or how:
            text = f"The best {len(kept)} of all searches{how}"
            step = self.step(
                f"{self.name}-{work.rounds.number}", text, found=f"{len(kept)} of {len(union)}", state=""
            )
            await work.means.emit(StageStarted(stage=self.name, step=step))

    def give_up(self, work: Work) -> None:
        union, asked_for = everything_found(work), read_whole(work)
        found = [each for each in union.values() if each.chunk_id not in asked_for]
        kept = [*(union[chunk] for chunk in asked_for), *found[-work.asked.settings.passages :]]
        work.passages = replace(work.passages, texts={each.chunk_id: each.text for each in kept})


def everything_found(work: Work) -> dict[int, Evidence]:
    """By chunk, each once, as it was found first."""
    union: dict[int, Evidence] = {}
    for told in work.rounds.said:
        if isinstance(told, CallResult):
            for passage in told.result.evidence:
                union.setdefault(passage.chunk_id, passage)
    return union


def read_whole(work: Work) -> dict[int, Evidence]:
    """By chunk, in the order of the document, what a call has asked for by its place."""
    results = [told.result for told in work.rounds.said if isinstance(told, CallResult) and told.result.whole]
    return {passage.chunk_id: passage for result in results for passage in result.evidence}


def _orders(work: Work) -> list[list[int]]:
    """The passages of each call, as its search has them."""
    results = [told.result for told in work.rounds.said if isinstance(told, CallResult)]
    return [[passage.chunk_id for passage in result.evidence] for result in results if result.evidence]


def _ordered(
    reranker: Callable[[], Reranker | None],
    question: str,
    orders: Sequence[Sequence[int]],
    union: Mapping[int, Evidence],
) -> tuple[list[int], str]:
    """The chunks, best first, and the server that ranked them. Blocks while a server is asked."""
    told, how = _by_server(reranker(), question, union)
    scores = [{chunk: 1 / place for place, chunk in enumerate(order, start=1)} for order in orders]
    return best(reciprocal_rank([*scores, *[told or _by_words(question, union)] * OF_QUESTION])), how


def _by_server(
    server: Reranker | None, question: str, union: Mapping[int, Evidence]
) -> tuple[dict[int, float], str]:
    """Raises ProviderError."""
    if server is None or not union:
        return {}, ""
    passages = list(union.values())[-LOOKED_AT:]
    scores = server.score(question, [f"{each.document_title}\n{each.text}" for each in passages])
    return {each.chunk_id: score for each, score in zip(passages, scores, strict=True)}, f", by {server.name}"


def _by_words(question: str, union: Mapping[int, Evidence]) -> dict[int, float]:
    """How much of the question's words each has, rare words counting more."""
    words = {chunk: set(stems(f"{each.document_title} {each.text}")) for chunk, each in union.items()}
    terms = Terms(question, list(words.values()))
    return {chunk: share for chunk, own in words.items() if (share := terms.covered(own))}
