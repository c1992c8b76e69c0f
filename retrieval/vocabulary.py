"""All words of a scope's chunks, for looking up any number of words."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from english.lexicon import irregular_forms
from english.vocabulary import NAMES_OF_SIGNS, Vocabulary, bare, initials, one_spelling
from ingestion.indexes.search_index import SHORTEST_WORD, hashed, passage_counts
from retrieval.query import Scope
from retrieval.sql import batches, query
from text.languages import KNOWN
from text.search.search_terms import terms

SIGNS = Vocabulary(NAMES_OF_SIGNS.values())  # “dollars” may stand in a text as $
READ_AT_ONCE = 500  # chunks
READ_FOR_SPELLINGS = 500  # chunks that have words spelt like a question's
READ_AT_MOST = 10_000  # chunks whose words are all held in memory
LISTED_AT_ONCE = 5000  # words
LENGTHENED = 4  # letters by which a spelling may be longer or shorter: two slips, and ß for ss


def vocabulary_of(scope: Scope) -> Vocabulary:
    """From the index of words for a whole datasource; for chosen documents, from their texts."""
    return IndexedVocabulary(scope) if scope.document_ids is None else _read(scope)


class IndexedVocabulary(Vocabulary):
    """What the index knows of a word: whether it is there in any form, and which words are spelt like it.

    It has no numbers in other spellings, no compounds, and of short words the stems alone.
    If such a word is not found, all texts are read, unless they are very many.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._spelt_alike: Vocabulary = Vocabulary(())

    def has(self, word: str) -> bool:
        if self._is_indexed(word):
            return True
        if word.isupper() and word.isalpha():
            return False  # initials have no other forms
        if _is_listed(word):
            return _ListedWords(self._scope).has(word)
        return self._texts is None or self._texts.has(word)

    def resembling(self, words: Sequence[str]) -> dict[str, set[str]]:
        """As the documents write them."""
        listed = [word for word in words if _is_listed(word)]
        if len(listed) < len(words) and self._texts is not None:
            self._spelt_alike = self._texts
        else:
            near = _ListedWords(self._scope).resembling(listed)
            self._spelt_alike = Vocabulary(self._texts_with(near) if near else ())
        return self._spelt_alike.resembling(words)

    def is_common(self, spelling: str) -> bool:
        """Of a spelling that resembles a word that was asked for before."""
        return self._spelt_alike.is_common(spelling)

    def _is_indexed(self, word: str) -> bool:
        """Whether a chunk has the word's stem, by any language's rules."""
        spellings = [terms(bare(word), code) for code in ("", *KNOWN)]
        hashes = self._hashes(some[0] for some in spellings if len(some) == 1)
        return bool(hashes and query("term_counts", datasource=self._scope.datasource_id, terms=hashes))

    def _texts_with(self, words: Iterable[str]) -> Iterable[str]:
        hashes = self._hashes(term for word in words for code in ("", *KNOWN) for term in terms(word, code))
        rows = query(
            "texts_with_terms",
            datasource=self._scope.datasource_id,
            terms=hashes,
            limit=READ_FOR_SPELLINGS,
        )
        return (text for (text,) in rows)

    def _hashes(self, found: Iterable[str]) -> list[int]:
        return sorted({hashed(self._scope.datasource_id, term) for term in found})

    @cached_property
    def _texts(self) -> Vocabulary | None:
        """None of a datasource so large that its words would fill the memory: then a word counts as there."""
        passages = passage_counts([self._scope.datasource_id]).total()
        return _read(self._scope) if passages <= READ_AT_MOST else None


class _ListedWords:
    """The words of the index, looked through in batches: a large datasource has hundreds of thousands."""

    def __init__(self, scope: Scope) -> None:
        self._datasource = scope.datasource_id

    def has(self, word: str) -> bool:
        """Whether it is there in any form."""
        begun = sorted(initials([word]))
        return any(some.has(word) for some in self._batches(begun, others=sorted(irregular_forms())))

    def resembling(self, words: Sequence[str]) -> set[str]:
        """The spellings that any of the words may be a slip of, or the beginning of."""
        if not words:
            return set()
        lengths = [len(one_spelling(bare(word))) for word in words]
        begun = sorted(initials(words))
        spelt = self._batches(begun, shortest=min(lengths) - LENGTHENED, longest=max(lengths) + LENGTHENED)
        return {other for some in spelt for near in some.resembling(words).values() for other in near}

    def _batches(
        self, begun: Sequence[str], others: Sequence[str] = (), shortest: int = 0, longest: int = 0
    ) -> Iterator[Vocabulary]:
        """Of the words that begin so, the others, and those of some lengths."""
        for some in batches(
            "listed_words",
            LISTED_AT_ONCE,
            datasource=self._datasource,
            initials=list(begun),
            others=list(others),
            shortest=shortest,
            longest=longest,
        ):
            yield Vocabulary(word for (word,) in some)


def _read(scope: Scope) -> Vocabulary:
    """All words of the texts of a scope, read through once and not kept."""
    texts = scope.chunks().order_by().values_list("text", flat=True)
    return Vocabulary(texts.iterator(chunk_size=READ_AT_ONCE))


def _is_listed(word: str) -> bool:
    """Whether the index would list it."""
    return word.isalpha() and len(bare(word)) >= SHORTEST_WORD and not SIGNS.has(word)
