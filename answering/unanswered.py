"""What is known about a question that no passage answers: how completely it was searched, and what came
nearest."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from answering.extractive.question import without_total
from answering.extractive.words import identifying
from answering.nearest import Near, nearest
from answering.whole.asking import Wanted, wanted, without_task
from datasources.models import Document, DocumentQuerySet
from english.vocabulary import Vocabulary, bare
from ingestion.models import Chunk
from providers.protocols import Embedder
from retrieval.beginnings import beginnings
from retrieval.foreign import foreign_language
from retrieval.query import Scope
from retrieval.vocabulary import vocabulary_of
from text.language import is_english
from text.word_lists import FUNCTION_WORDS
from text.words import COMPOUND

UNLIKE = 0.25  # cosine; the same matter in other words is nearer
LOOKED_UP = 50  # words of a question
READ_FOR_LANGUAGE = 3000  # characters of each document

# A place or an occasion may be told by another name: what happened "in Texas" happened in Dallas.
_CIRCUMSTANCE = re.compile(
    r"\b(?:in|at|near|from|to|on|during|before|after|since|around|within|inside|outside)\s+(?:the\s+)?"
    r"(?P<name>[A-Z][\w’'-]*(?:\s+[A-Z][\w’'-]*)*)"
)
_NAME_OF_SEVERAL_WORDS = re.compile(r"[A-Z][\w-]*(?:\s+(?:of\s+|and\s+|the\s+)*[A-Z][\w-]*)+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """How far a question was searched.

    complete: every document in the scope was searched to the end, for every word of the question in the
    spellings that SVQ knows and for its meaning, and none has the name that it asks about, not even misspelt,
    or none has any word of it or anything near it. words: what was looked up. words_absent: those of them
    that were not found, in no form. names_absent: those for which the search is complete, if it is. unread:
    documents that could not be searched, or not to the end. searched: whether the answer was searched for
    before it was said that there is none. foreign: the question's language, where no document is in it.
    """

    complete: bool
    words: tuple[str, ...]
    words_absent: tuple[str, ...]
    names_absent: tuple[str, ...]
    unread: int
    searched: bool
    foreign: str = ""


def search_of(scope: Scope, question: str, likeness: float, *, searched: bool = True) -> Search:
    """Look up each word of the question in all chunks of the scope.

    likeness: of the question and the passage nearest to it in meaning.
    """
    documents = _documents(scope)
    asked = _looked_up(question)
    words, known = asked[:LOOKED_UP], vocabulary_of(scope)
    in_titles = Vocabulary(documents.values_list("title", flat=True))
    absent = in_titles.absent(known.absent(words))
    names = [name for name in _asked_about(question, known) if name in absent and not _misspelt(name, known)]
    nothing_stands = (
        wanted(question) is None  # of any document a summary can be made
        and bool(words)
        and likeness < UNLIKE
        and absent == words
        and not any(known.resembling(absent).values())
    )
    left_out = Chunk.objects.filter(datasource=scope.datasource_id, left_out=True).values("document")
    read = documents.read_to_the_end().exclude(pk__in=left_out).count()
    there = documents.count()
    is_whole = (
        searched
        and read == there > 0
        and there >= len(scope.document_ids or ())
        and len(words) == len(asked)
        and _same_language(scope, question)
    )
    return Search(
        complete=is_whole and bool(names or nothing_stands),
        words=tuple(words),
        words_absent=tuple(absent),
        names_absent=tuple(names) if is_whole else (),
        unread=there - read,
        searched=searched,
        foreign=foreign_language(scope, question),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Unanswered:
    """What a turn keeps when nothing answers its question."""

    search: Search
    near: Sequence[Near] = ()


def look(scope: Scope, question: str, embedder: Embedder, *, searched: bool) -> Unanswered:
    """Searches: not for threads that write. Raises ProviderError."""
    near = nearest(scope, question, embedder)
    likeness = max((one.passage.score for one in near), default=0.0)
    return Unanswered(search=search_of(scope, question, likeness, searched=searched), near=near)


def _documents(scope: Scope) -> DocumentQuerySet:
    documents: DocumentQuerySet = Document.objects.current().filter(datasource=scope.datasource_id)
    return documents if scope.document_ids is None else documents.filter(pk__in=scope.document_ids)


def _same_language(scope: Scope, question: str) -> bool:
    """Whether question and documents are English: names and words of other languages are spelt otherwise."""
    return is_english(question) and all(map(is_english, beginnings(scope, READ_FOR_LANGUAGE)))


def _looked_up(question: str) -> list[str]:
    """Its words with a meaning, each once; of a question for a summary or a comparison the names alone, as
    its other words say what to make.
    """
    about = without_task(without_total(question))
    names_alone = wanted(question) in {Wanted.SUMMARY, Wanted.COMPARISON}
    words = identifying(about) if names_alone else map(bare, COMPOUND.findall(about))
    return list(dict.fromkeys(filter(_has_meaning, words)))


def _asked_about(question: str, known: Vocabulary) -> list[str]:
    """The names that documents must have if they answer the question, however they word the rest.

    Figures and years are written in many ways, a place may be told by a part of it, and a name of several
    words by its initials.
    """
    circumstances = {word for match in _CIRCUMSTANCE.finditer(question) for word in match["name"].split()}
    for match in _NAME_OF_SEVERAL_WORDS.finditer(question):
        if known.has("".join(letter for letter in match[0] if letter.isupper())):
            circumstances.update(match[0].split())
    circumstances = set(map(bare, circumstances))
    return [name for name in identifying(question) if name not in circumstances]


def _misspelt(name: str, known: Vocabulary) -> bool:
    """Whether a name much like it stands in the documents: "per" is not Peru, nor "being" Boeing."""
    others = known.resembling([name])[name]
    return any(not other.islower() and not known.is_common(other) for other in others)


def _has_meaning(word: str) -> bool:
    return len(word) > 1 and word.lower() not in FUNCTION_WORDS
