"""What can be said of a question that no passage answers: how far it was searched, and what came nearest."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from chat.answering.extractive.words import identifying
from datasources.models import Document, DocumentQuerySet, DocumentStatus
from providers.protocols import Embedder
from retrieval.evidence import Evidence
from retrieval.legs import dense, fuzzy
from retrieval.query import Scope
from text.word_lists import FUNCTION_WORDS
from text.words import COMPOUND

NEAREST = 3  # passages shown when nothing answers the question
UNLIKE = 0.25  # cosine; the same matter in other words is nearer
WORDS = 12  # of a question that are looked up

_IN_YEAR = re.compile(r"\b(?:in|for|of|fiscal(?: year)?) ((?:1[89]|20)\d\d)\b")
_LONG_NUMBER = re.compile(r"\b(?!(?:1[89]|20)\d\d\b)\d[\d.,]*\d\d\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """How far a question was searched.

    complete: every document in the scope was read to the end, and none names what the question is about, or
    has any word of it or anything near it in meaning. words_absent: its words that stand in no
    document, slips of spelling forgiven. unread: documents that could not be searched, or not to the end.
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
    absent = [
        word
        for word in map(_bare, asked[:WORDS])
        if len(word) > 1 and word.casefold() not in titles and not fuzzy.search(scope, word, 1)
    ]
    read = _documents(scope).filter(status=DocumentStatus.READY, pages_without_text=0)
    unread = _documents(scope).count() - read.count()
    decisive = set(absent) & set(_identifying(question))
    is_foreign = likeness < UNLIKE and bool(asked) and len(absent) == len(asked[:WORDS])
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
    """Names and long numbers: documents that answer the question have them, however they word the rest."""
    return [*identifying(question), *_IN_YEAR.findall(question), *_LONG_NUMBER.findall(question)]


def _is_function_word(word: str) -> bool:
    return word.lower() in FUNCTION_WORDS


def _bare(word: str) -> str:
    return word.removesuffix("'s").removesuffix("’s")
