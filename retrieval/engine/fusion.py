"""Combines the scores of the legs, each weighted by how reliable it is for this question."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from retrieval.legs.document import Meant

RIVAL = 20  # places below a leg's best passage, where it has passages that were found by chance
LEAST_SHARE = 0.1  # of meaning or words: neither is ever left out
RANK_CONSTANT = 60  # of reciprocal rank fusion, as in its first description
AGREEING = 20  # best passages by meaning and words, with which the other legs should agree
MEANT = 0.4  # the most that a passage gains by its document
SURE_OF_DOCUMENT = 3.0  # agreement times this: in full from a third on
# From what distance on passages count as apart, and from what they surely are, as a share of the best one's
# score: the twenty best, and the best ones of three documents.
PASSAGES_APART, RIVALS_APART, RIVALS = (0.2, 0.35), (0.05, 0.15), 3
TIED = 0.1  # what documents are called by then counts: as much as it takes to part equals
GRAPH_TOP = 5  # best passages by the graph, which should be among the AGREEING
HOMES = 2  # passages at which the question's names may be at home before the graph is less sure
# Agreement from which the graph counts, and how much more it takes to count in full. Where every passage is a
# document of its own, titles are the homes of names, and less agreement is enough.
GRAPH_FROM, GRAPH_EASIER, GRAPH_RAMP = 0.4, 0.2, 0.2
# What the graph counts at the most where documents are long: a name is mentioned all over one, so the graph
# says little of which passage is meant.
GRAPH_IN_LONG = 0.1
# The best passages, whose texts are compared with the phrases of a question, and what having them all gains.
READ, PHRASES = 40, 0.15
AGREEING_SHARE = 0.05  # of the passages searched: to be among the best of few is no agreement

Scores = dict[int, float]


def weighted(cosines: Mapping[int, float], words: Mapping[int, float], alpha: float) -> Scores:
    """Meaning times alpha and words times 1 - alpha, of passages that either has looked at."""
    return {
        pk: alpha * max(cosines.get(pk, 0.0), 0.0) + (1 - alpha) * words.get(pk, 0.0)
        for pk in {**cosines, **words}
    }


def share_of_meaning(cosines: Iterable[float], words: Iterable[float]) -> float:
    """What meaning counts beside words: each as much as its best passage stands out, given all scores."""
    meaning, wording = standing_out(cosines), standing_out(words)
    if not meaning + wording:
        return 0.5
    return min(1 - LEAST_SHARE, max(LEAST_SHARE, meaning / (meaning + wording)))


def standing_out(scores: Iterable[float]) -> float:
    """How far the best passage lies above the one RIVAL places below it, or the middle one of few; 0 to 1."""
    descending = sorted(scores, reverse=True)
    if not descending or descending[0] <= 0:
        return 0.0
    rival = descending[min(RIVAL, len(descending) // 2)]
    return 1 - max(rival, 0.0) / descending[0]


def reciprocal_rank(legs: Sequence[Mapping[int, float]]) -> Scores:
    """The sum of 1 / (60 + rank) over the legs; 1 for a passage that is first in all of them."""
    scores: Scores = {}
    for leg in legs:
        for rank, pk in enumerate(best(leg), start=1):
            scores[pk] = scores.get(pk, 0.0) + (RANK_CONSTANT + 1) / (RANK_CONSTANT + rank) / len(legs)
    return scores


def sure_of_documents(meant: Meant, scores: Mapping[int, float], documents: Mapping[int, int]) -> float:
    """0 to 1: how far to trust what documents are called by, given the scores of the other legs and the
    document of each passage.
    """
    if not meant.scores:
        return 0.0
    scores = {pk: score for pk, score in scores.items() if pk in documents}
    top = [documents[pk] for pk in best(scores)[:AGREEING]]
    agreed = min(1.0, SURE_OF_DOCUMENT * meant.agreement(top))
    return agreed * meant.coverage**2 * undecided(scores, documents)


def undecided(scores: Mapping[int, float], documents: Mapping[int, int]) -> float:
    """TIED to 1: how far the passages leave open which of them are meant.

    1 where the best passages lie close to each other, or the best ones of several documents do.
    """
    order = best(scores)[:AGREEING]
    of_documents: dict[int, float] = {}
    for pk in order:
        of_documents.setdefault(documents[pk], scores[pk])
    passages = [scores[pk] for pk in order][1:]  # one passage that stands out may be about a part
    rivals = list(of_documents.values())[:RIVALS]
    return max(TIED, _closeness(passages, *PASSAGES_APART), _closeness(rivals, *RIVALS_APART))


def _closeness(descending: Sequence[float], near: float, far: float) -> float:
    """1 where the last is at most the share `near` below the first, 0 where it is `far` below or alone."""
    if len(descending) < 2 or descending[0] <= 0:
        return 0.0
    apart = 1 - descending[-1] / descending[0]
    return min(1.0, max(0.0, (far - apart) / (far - near)))


def raised(scores: Mapping[int, float], documents: Mapping[int, int], meant: Meant, sure: float) -> Scores:
    """The scores with what each passage gains by its document; still 0 to 1."""
    gain = MEANT * sure
    return {
        pk: (score + gain * meant.scores.get(documents[pk], 0.0)) / (1 + gain) for pk, score in scores.items()
    }


def with_phrases(scores: Mapping[int, float], shares: Mapping[int, float]) -> Scores:
    """The scores with what each passage gains by the phrases of the question that it has; still 0 to 1."""
    return {pk: score + PHRASES * shares.get(pk, 0.0) * (1 - score) for pk, score in scores.items()}


def sure_of_graph(
    graph: Sequence[int],
    scores: Mapping[int, float],
    homes: int,
    titled: float,
    searched: int,
    led: Collection[int] = (),
) -> float:
    """0 to 1: how far to trust the graph, given its passages, best first, and the scores of the other legs.

    homes: passages at which names of the question are at home. titled: documents a passage, up to 1.
    searched: how many passages there are. led: those that a link has led to. Where passages are documents of
    their own, the other legs need not know these: that is what the graph is for.
    """
    if not graph:
        return 0.0
    agreeing = set(best(scores)[: max(GRAPH_TOP, min(AGREEING, round(AGREEING_SHARE * searched)))])
    top = graph[:GRAPH_TOP]
    known = sum(pk in agreeing for pk in top)
    news = sum(pk in led and pk not in agreeing for pk in top)
    agreement = known / max(len(top) - titled * news, 1.0) * min(1.0, HOMES / max(homes, 1))
    start = GRAPH_FROM - GRAPH_EASIER * titled
    most = GRAPH_IN_LONG + (1 - GRAPH_IN_LONG) * titled
    return most * min(1.0, max(0.0, (agreement - start) / GRAPH_RAMP))


def with_graph(scores: Mapping[int, float], graph: Mapping[int, float], sure: float) -> Scores:
    """The other legs' scores where the graph is unsure, its own where it is sure, a mixture in between."""
    top = max(scores.values(), default=1.0)
    return {
        pk: (1 - sure) * scores.get(pk, 0.0) + sure * top * graph.get(pk, 0.0) for pk in {**scores, **graph}
    }


def best(scores: Mapping[int, float]) -> list[int]:
    """Passages by score, the highest first; equal ones by number, so that an order is always the same."""
    return sorted(sorted(scores), key=scores.__getitem__, reverse=True)  # equal ones keep their order


def ranks(scores: Mapping[int, float]) -> dict[int, int]:
    """The rank of each passage, from 1; passages of equal score share one."""
    order = {score: rank for rank, score in enumerate(sorted(set(scores.values()), reverse=True), start=1)}
    return {pk: order[score] for pk, score in scores.items()}
