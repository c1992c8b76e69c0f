"""What can be said of a question that no passage answers: how far it was searched, and what came nearest."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from chat.answering.extractive.words import identifying
from datasources.models import Document, DocumentQuerySet
from ingestion.models import Chunk
from providers.protocols import Embedder
from retrieval.evidence import Evidence
from retrieval.legs import dense, fuzzy
from retrieval.query import Scope
from text.stems import stem
from text.word_lists import FUNCTION_WORDS
from text.words import COMPOUND

NEAREST = 3  # passages shown when nothing answers the question
UNLIKE = 0.25  # cosine; the same matter in other words is nearer
WORDS = 12  # of a question that are looked up
LIKE = 10  # passages with a word or one spelt much like it

_LONG_NUMBER = re.compile(r"\b(?!(?:1[89]|20)\d\d\b)\d[\d.,]*\d\d\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """How far a question was searched.

    complete: every document in the scope was searched to the end, and none names what the question is about,
    not even misspelt, or has any word of it or anything near it in meaning. words_absent: its words that were
    not found, in no form. unread: documents that could not be searched, or not to the end.
    """

    complete: bool
    words_absent: tuple[str, ...]
    unread: int


def search_of(scope: Scope, question: str, likeness: float) -> Search:
    """Looks each word of the question up in all chunks of the scope.

    likeness: of the question and the passage nearest to it in meaning.
    """
    asked = [word for word in dict.fromkeys(COMPOUND.findall(question)) if not _is_function_word(word)]
    titles = " ".join(_documents(scope).values_list("title", flat=True)).casefold()
    looked_up = [
        word for word in map(_bare, asked[:WORDS]) if len(word) > 1 and word.casefold() not in titles
    ]
    hits = {word: fuzzy.search(scope, word, LIKE) for word in looked_up}
    absent = [word for word in looked_up if not any(_is_same_word(word, hit) for hit in hits[word])]
    left_out = Chunk.objects.filter(datasource=scope.datasource_id, left_out=True).values("document")
    searched = _documents(scope).read_to_the_end().exclude(pk__in=left_out)
    unread = _documents(scope).count() - searched.count()
    named = set(_identifying(question))
    decisive = {word for word in absent if word in named and not any(map(_may_be_name, hits[word]))}
    nothing_stands = bool(asked) and len(absent) == len(asked[:WORDS]) and not any(hits.values())
    is_foreign = nothing_stands and likeness < UNLIKE
    return Search(
        complete=not unread and bool(decisive or is_foreign),
        words_absent=tuple(absent),
        unread=unread,
    )


def nearest(scope: Scope, question: str, seen: Mapping[str, Evidence], embedder: Embedder) -> list[Evidence]:
    """Of the passages that all searches have given, those nearest to the question in meaning.

    Each search has scores of its own; this is one measure for all. Raises ProviderError.
    """
    if not seen:
        return []
    ids = [passage.chunk_id for passage in seen.values()]
    return dense.search(scope, embedder.embed([question])[0], NEAREST, among=ids)


def _documents(scope: Scope) -> DocumentQuerySet:
    documents: DocumentQuerySet = Document.objects.current().filter(datasource=scope.datasource_id)
    return documents if scope.document_ids is None else documents.filter(pk__in=scope.document_ids)


def _identifying(question: str) -> list[str]:
    """Names and long numbers: documents that answer the question have them, however they word the rest. Years
    do not count, as they are written in many ways.
    """
    return [*identifying(question), *_LONG_NUMBER.findall(question)]


def _is_same_word(word: str, hit: Evidence) -> bool:
    """Whether the hit is the word in any of its forms, and no other word that resembles it."""
    start, end = hit.matched or (0, 0)
    there = COMPOUND.findall(hit.text[start:end])
    return hit.score == 1 or stem(word) in map(stem, map(_bare, there))


def _may_be_name(hit: Evidence) -> bool:
    """Whether it may be a name that the question misspelt: "per" is not Peru, nor "being" Boeing."""
    start, end = hit.matched or (0, 0)
    return not hit.text[start:end].islower()


def _is_function_word(word: str) -> bool:
    return word.lower() in FUNCTION_WORDS


def _bare(word: str) -> str:
    return word.removesuffix("'s").removesuffix("’s")
