"""Finding chunks by their words, small misspellings allowed; and which words they have at all."""

import threading
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property

from django.db.models import BigIntegerField, Count, F, Func, Sum, Value

from retrieval.evidence import Evidence, evidence_of
from retrieval.query import LIMIT, MAX_LIMIT, Scope
from text import fuzzy_match
from text.normal_form import lower_in_place
from text.vocabulary import Vocabulary

TEXTS_KEPT = 20  # scopes whose texts stay in memory
# Sums of plain ids are equal for different sets of chunks, 2 and 5 or 3 and 4; those of their hashes are not.
_HASH = Func(F("pk"), Value(0), function="hashint8extended", output_field=BigIntegerField())


def search(scope: Scope, words: str, limit: int = LIMIT) -> list[Evidence]:
    """The chunks that have the words, slips of spelling forgiven; score says how near, 1 for the same words.

    Of chunks that are equally near, one of each document comes before a second of any.
    """
    kept = _cache.texts(scope)
    matches = fuzzy_match.search(
        words, kept.texts, limit=min(limit, MAX_LIMIT), folded=kept.lowered, groups=kept.documents
    )
    ids = [kept.ids[match.index] for match in matches]
    chunks = scope.chunks().select_related("document").in_bulk(ids)
    return [
        evidence_of(chunks[pk], match.score / 100, (match.start, match.end))
        for pk, match in zip(ids, matches, strict=True)
        if pk in chunks
    ]


def vocabulary(scope: Scope) -> Vocabulary:
    """All words of the chunks of a scope: one look for any number of words."""
    return _cache.texts(scope).vocabulary


def beginnings(scope: Scope, characters: int) -> list[str]:
    """About so many characters of each document of a scope, from its first chunks on."""
    kept = _cache.texts(scope)
    texts: dict[int, str] = {}
    for document, text in zip(kept.documents, kept.texts, strict=True):
        if len(begun := texts.get(document, "")) < characters:
            texts[document] = f"{begun}\n{text[:characters]}"
    return list(texts.values())


@dataclass(frozen=True, slots=True)
class _Stamp:
    """Changes whenever a chunk comes, goes, or is left out: a chunk's text never changes."""

    count: int
    hashes: int | None


@dataclass(frozen=True, kw_only=True)
class _Texts:
    """The chunks of a scope, in one order."""

    ids: list[int]
    documents: list[int]
    texts: list[str]
    lowered: list[str]  # as they are compared

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary(self.texts)


class _Cache:
    """The texts of recently searched scopes: reading them takes longer than searching them."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Scope, tuple[_Stamp, _Texts]] = OrderedDict()
        self._lock = threading.Lock()

    def texts(self, scope: Scope) -> _Texts:
        """As they are now."""
        stamp = _Stamp(**scope.chunks().aggregate(count=Count("pk"), hashes=Sum(_HASH)))
        with self._lock:
            kept = self._kept.get(scope)
            if kept and kept[0] == stamp:
                self._kept.move_to_end(scope)
                return kept[1]
        rows = list(scope.chunks().order_by("pk").values_list("pk", "document_id", "text"))
        fresh = _Texts(
            ids=[pk for pk, _, _ in rows],
            documents=[document for _, document, _ in rows],
            texts=[text for _, _, text in rows],
            lowered=[lower_in_place(text) for _, _, text in rows],
        )
        with self._lock:
            self._kept[scope] = (stamp, fresh)
            while len(self._kept) > TEXTS_KEPT:
                self._kept.popitem(last=False)
        return fresh


_cache = _Cache()
