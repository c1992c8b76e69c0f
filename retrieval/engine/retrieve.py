"""One search, from the question to its evidence: filters, legs, fusion, and the choice of passages."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from ingestion.indexes import vector_spaces
from ingestion.models import VectorSpace
from jobs.beside import beside
from providers.protocols import Embedder, Vectors
from retrieval.engine import fusion
from retrieval.engine.candidates import DEPTH, DEPTH_OF_K, Candidates
from retrieval.engine.expansion import expanded
from retrieval.engine.filters import filtered
from retrieval.engine.fusion import Scores, best
from retrieval.engine.one_result import one_result
from retrieval.engine.parts import gains, parts_of, put_together
from retrieval.engine.passages import without_repetitions
from retrieval.engine.reranking import LOOKED_AT, chosen
from retrieval.engine.result import Result
from retrieval.engine.stopwatch import Stopwatch
from retrieval.evidence import Evidence, Fact, LegScore
from retrieval.foreign import foreign_language
from retrieval.legs import document, fuzzy, graph_expansion
from retrieval.legs.phrases import Held, Phrases
from retrieval.legs.question import Question
from retrieval.query import MAX_LIMIT, Fusion, Leg, Query, Rerank, Scope
from retrieval.scope_size import counted
from retrieval.stored_passages import stored_passages

NEED_A_VECTOR = frozenset({Leg.DENSE, Leg.GRAPH})  # the legs that need that of the query
LITERAL = 0.5  # what the very words count beside meaning and words
INSIDE = 8  # documents that a question means, in which its best passages are sought
ENOUGH = 0.7  # share of the best document's score that another has which is sought in as well
SPARE = 10  # passages read beyond those asked for: some repeat others
SURE_ENOUGH = 0.05  # below it the documents that a question may mean are not looked into


def retrieve(query: Query, scope: Scope, embedder: Embedder) -> Result:
    """The passages of the scope that answer the query, at most k. Raises ProviderError of the embedder."""
    if query.expand:
        return expanding(query, [scope], lambda asked: retrieve(asked, scope, embedder))
    if query.rewrites:
        return _of_all_wordings(query, scope, embedder)
    if parts := parts_of(query):
        results = [retrieve(part, scope, embedder) for part in parts]
        return put_together(query, results, gains([[result] for result in results]), [scope])
    search = Search(query, scope, embedder)
    search.read()
    search.look()
    search.weigh()
    return search.result()


def expanding(query: Query, scopes: Sequence[Scope], search: Callable[[Query], Result]) -> Result:
    """What a search of these scopes gives for a query that the language model is to expand first."""
    watch = Stopwatch()
    with watch.stage("expand"):
        query, failed = expanded(query, scopes)
    result = search(query)
    return replace(
        result,
        milliseconds={**watch.milliseconds, **result.milliseconds},
        wordings=query.rewrites,
        expand_failed=failed,
    )


def _of_all_wordings(query: Query, scope: Scope, embedder: Embedder) -> Result:
    """The question and its rewrites, each searched separately; reciprocal rank fusion joins the results.

    The question counts as much as all its rewrites together: they may be about something else.
    """
    rewrites = [text for text in dict.fromkeys(query.rewrites) if text != query.text]
    asked = replace(
        query, k=max(query.k, LOOKED_AT), rewrites=(), rerank=Rerank.NONE, min_score=0.0, joined=False
    )
    results = [retrieve(replace(asked, text=text), scope, embedder) for text in (query.text, *rewrites)]
    ranked = [{each.chunk_id: each.score for each in result.evidence} for result in results]
    scores = fusion.reciprocal_rank([*ranked[:1] * max(1, len(rewrites)), *ranked[1:]])
    passages = {each.chunk_id: each for result in reversed(results) for each in result.evidence}
    ordered = [replace(passages[pk], score=round(scores[pk], 4)) for pk in best(scores)]
    question = results[0]
    joined = one_result(query, ordered, results, [scope], foreign=question.foreign, unknown=question.unknown)
    return replace(joined, weights=question.weights, candidates=max(result.candidates for result in results))


class Search:
    """One search: `read` the question, `look`, `weigh` what was found, then put the `result` together.

    `found` has what each leg says, by chunk; `passages` those that were read; `phrases_held` which phrases of
    the question they have, and `phrases_compared` those of all that are compared.
    """

    def __init__(self, query: Query, scope: Scope, embedder: Embedder) -> None:
        self.query = query
        self.embedder = embedder
        self.watch = Stopwatch()
        self.weights: dict[Leg, float] = {}
        self.found: dict[Leg, Scores] = {}
        self.facts: Mapping[int, Fact] = {}
        self.rerank_failed = ""
        self.meant_documents: frozenset[int] = frozenset()
        self.vectors: Callable[[], Vectors] | None = None
        self.spaces: Sequence[VectorSpace] = ()
        self.scores: Scores = {}
        self.phrases: Phrases | None = None
        self.phrases_held: Held = {}
        self.phrases_compared: Sequence[Held] = ()
        self.passages: dict[int, Evidence] = {}
        with self.watch.stage("filter"):
            self.scope = replace(counted(filtered(scope, query.filters)), embedded_by=embedder.name)

    def read(self) -> None:
        """Which words of the question occur; beside it, it is embedded, where that asks no server."""
        query = self.query
        if query.legs & NEED_A_VECTOR or query.min_similarity:
            embed = partial(self.embedder.embed_questions, [query.text])
            self.vectors = beside(embed) if self.embedder.runs_here else embed
        with self.watch.stage("words"):
            if self.vectors:
                self.spaces = vector_spaces.whole(self.scope.datasource_id)
            question = Question.of(self.scope, query.text)
        self.candidates = Candidates(self.scope, question, max(DEPTH, DEPTH_OF_K * query.k))

    def understand(self) -> None:
        """What the question means, where a leg needs it. Raises ProviderError."""
        if self.vectors is None or self.candidates.vector is not None:
            return
        with self.watch.stage("embed"):
            (vector,) = self.vectors()
            space = vector_spaces.comparable_of(self.spaces, self.scope.embedded_by, len(vector))
            self.candidates.vector, self.candidates.space = vector, space

    def look(self) -> None:
        """Find passages by words and meaning, and by the very words where they are sought.

        Raises ProviderError.
        """
        legs, candidates = self.query.legs, self.candidates
        if legs & {Leg.BM25, Leg.DOCUMENT}:
            with self.watch.stage("bm25"):
                candidates.add_best_by_words()
        if Leg.FUZZY in legs:
            with self.watch.stage("fuzzy"):
                hits = fuzzy.search(self.scope, self.query.text, MAX_LIMIT)
            self.found[Leg.FUZZY] = {hit.chunk_id: hit.score for hit in hits}
        self.understand()
        if Leg.DENSE in legs:
            with self.watch.stage("dense"):
                candidates.add_nearest()
        with self.watch.stage("compare"):
            candidates.compare_all(self.found.get(Leg.FUZZY, ()))

    def weigh(self) -> None:
        """Score the passages by meaning, words and documents, and read the best ones for phrases."""
        scores = self._compared()
        if Leg.DOCUMENT in self.query.legs:
            scores = self._with_documents(scores)
        self.scores = scores
        if Leg.BM25 in self.query.legs and len(self.query.legs) > 1:
            with self.watch.stage("phrases"):
                self._find_phrases(best(scores)[: fusion.READ])

    def _find_phrases(self, passages: Sequence[int]) -> None:
        question = self.candidates.question
        phrases = Phrases(question.text, question.languages)
        if phrases:
            self.phrases = phrases
            self.passages = stored_passages(self.scope, passages)
            self.phrases_held = {pk: phrases.held(each.text) for pk, each in self.passages.items()}

    def result(self) -> Result:
        """The best of what was found. Raises ProviderError."""
        query, scores = self.query, self.scores
        if self.phrases and self.phrases_held:
            shares = self.phrases.shares(self.phrases_held, self.phrases_compared)
            scores = fusion.with_phrases(scores, shares)
        if Leg.GRAPH in query.legs:
            scores = self._with_graph(scores)
        if query.fusion == Fusion.RECIPROCAL_RANK:
            scores = fusion.reciprocal_rank(list(self.found.values()))
        with self.watch.stage("passages"):
            evidence = self._evidence(scores)
        question = self.candidates.question
        return Result(
            evidence=tuple(evidence),
            milliseconds=self.watch.milliseconds,
            candidates=len(scores),
            weights=self.weights,
            foreign=foreign_language(self.scope, question.text, question.languages),
            unknown=question.unknown,
            reranked=query.rerank != Rerank.NONE and not self.rerank_failed,
            rerank_failed=self.rerank_failed,
        )

    def _compared(self) -> Scores:
        cosines, words = self.candidates.cosines, self.candidates.words
        self.alpha = alpha = round(self._share_of_meaning(cosines, words), 3)
        if Leg.DENSE in self.query.legs:
            self.found[Leg.DENSE] = cosines
            self.weights[Leg.DENSE] = alpha
        if Leg.BM25 in self.query.legs:
            self.found[Leg.BM25] = {pk: score for pk, score in words.items() if score > 0}
            self.weights[Leg.BM25] = round(1 - alpha, 3)
        scores = fusion.weighted(cosines, words, alpha)
        if Leg.FUZZY in self.query.legs:
            literal = self.found[Leg.FUZZY]
            self.weights[Leg.FUZZY] = LITERAL if literal else 0.0
            scores = {
                pk: (scores.get(pk, 0.0) + LITERAL * literal.get(pk, 0.0)) / (1 + LITERAL)
                for pk in {**scores, **literal}
            }
        return scores

    def _share_of_meaning(self, cosines: Scores, words: Scores) -> float:
        """If both legs are asked, the query's alpha, else what their scores suggest."""
        both = self.query.legs & {Leg.DENSE, Leg.BM25}
        if len(both) == 1:
            return float(Leg.DENSE in both)
        if self.query.alpha is not None:
            return self.query.alpha
        return fusion.share_of_meaning(self._among(cosines), self._among(words))

    def _among(self, scores: Scores) -> list[float]:
        """Of the documents that the question means, if it means any."""
        by_chunk, meant = self.candidates.by_chunk, self.meant_documents
        return [score for pk, score in scores.items() if not meant or by_chunk[pk].document_id in meant]

    def _with_documents(self, scores: Scores) -> Scores:
        with self.watch.stage("document"):
            meant = document.meant(self.scope, self.candidates.question)
            documents = {pk: c.document_id for pk, c in self.candidates.by_chunk.items()}
            sure = fusion.sure_of_documents(meant, scores, documents)
            self.weights[Leg.DOCUMENT] = round(fusion.MEANT * sure, 3)
            if sure < SURE_ENOUGH:
                return scores
            nearest = best(meant.scores)
            full = meant.scores[nearest[0]]
            inside = [pk for pk in nearest if meant.scores[pk] >= ENOUGH * full][:INSIDE]
            if self.candidates.vector is not None:
                self.meant_documents = frozenset(inside)
                self.candidates.add_best_inside(inside, self.alpha)
                scores = self._compared()
                documents = {pk: c.document_id for pk, c in self.candidates.by_chunk.items()}
            self.found[Leg.DOCUMENT] = {
                pk: meant.scores[document_id]
                for pk, document_id in documents.items()
                if document_id in meant.scores
            }
            return fusion.raised(scores, documents, meant, sure)

    def _with_graph(self, scores: Scores) -> Scores:
        candidates = self.candidates
        assert candidates.vector is not None
        with self.watch.stage("graph"):
            walked = graph_expansion.expand(self.scope, self.query.text, candidates.vector, MAX_LIMIT)
        self.found[Leg.GRAPH], self.facts = walked.scores, walked.facts
        question = candidates.question
        titled = min(1.0, question.documents / max(question.passages, 1))
        alone = not scores
        sure = (
            1.0
            if alone
            else fusion.sure_of_graph(
                list(walked.scores), scores, walked.homes, titled, question.words.total, walked.facts
            )
        )
        self.weights[Leg.GRAPH] = round(sure, 3)
        return fusion.with_graph(scores, walked.scores, sure)

    def _evidence(self, scores: Scores) -> list[Evidence]:
        """The best passages, with what each leg says of them."""
        query = self.query
        ranks = {leg: fusion.ranks(told) for leg, told in self.found.items()}
        order = best(scores)
        if query.min_similarity:
            order = [pk for pk in order if self._is_similar(pk)]
        if query.others:
            order = self._with_other_documents(order)
        taken = order[: (max(query.k, LOOKED_AT) if query.rerank != Rerank.NONE else query.k) + SPARE]
        missing = [pk for pk in taken if pk not in self.passages]
        passages = self.passages | stored_passages(self.scope, missing)
        evidence = [
            replace(
                passages[pk],
                score=round(float(min(1.0, max(0.0, scores[pk]))), 4),
                legs={
                    leg: LegScore(score=round(min(1.0, max(0.0, told[pk])), 4), rank=ranks[leg][pk])
                    for leg, told in self.found.items()
                    if pk in told
                },
                facts=(self.facts[pk],) if pk in self.facts else (),
            )
            for pk in taken
            if pk in passages
        ]
        with self.watch.stage("rerank"):
            evidence, self.rerank_failed = chosen(query, without_repetitions(evidence), [self.scope])
        return evidence

    def _with_other_documents(self, order: Sequence[int]) -> list[int]:
        """In the last of the places that are asked for, the best passages of documents that have none before
        them: a long document takes all of them from a short one that says the same once.
        """
        by_chunk, first = self.candidates.by_chunk, order[: self.query.k - self.query.others]
        known = {by_chunk[pk].document_id for pk in first if pk in by_chunk}
        others: dict[int, int] = {}
        for pk in order[len(first) :]:
            if pk in by_chunk and by_chunk[pk].document_id not in known:
                others.setdefault(by_chunk[pk].document_id, pk)
        taken = [*first, *list(others.values())[: self.query.others]]
        rest = set(order) - set(taken)
        return [*taken, *(pk for pk in order if pk in rest)]

    def _is_similar(self, pk: int) -> bool:
        candidate = self.candidates.by_chunk.get(pk)
        return bool(candidate and (candidate.cosine or 0.0) >= self.query.min_similarity)
