"""All chunks of a datasource with their words, so that a search for words is complete and misses nothing."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Min

from datasources.models import Datasource, Document
from english.companies import CALLS_ITSELF, FORM_OR_COMPANY
from english.lexicon import carriers
from graph.models import EntityMention
from ingestion.models import Chunk
from text.search.search_terms import terms
from text.word_lists import FUNCTION_WORDS
from text.words import tokens

CHUNKS = 5000  # of a datasource that are read, the same number of each document
OFTEN = 5  # times that a company speaks in its report, and is named there
_SPEAKS = re.compile(rf"\b(?:{CALLS_ITSELF}|[Ww]e|[Oo]ur)\b")
_COMPANY = re.compile(rf"\b{CALLS_ITSELF}\b")
_LEGAL_FORM = re.compile(rf"(?:^|,? ){FORM_OR_COMPANY}\.?$")
_NAME = re.compile(r"\w[\w&.’' -]{1,50}")
_SILENT = frozenset(term for word in FUNCTION_WORDS for term in terms(word))


def content(text: str) -> set[str]:
    """The terms of a text that say what it is about: "what" and "is" stand in any passage, or in none."""
    return set(terms(text)) - _SILENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A document; `owner`: the company that it is of, where that is told."""

    document: Document
    owner: str
    chunks: Sequence[Chunk]


def _owner(document: Document, chunks: Sequence[Chunk]) -> str:
    """The company that speaks in it, as "we" or "the Company": of those on its first page the most named.
    Authors say "we" too: somewhere it has a legal form in its name, or is called a company.
    """
    if sum(len(_SPEAKS.findall(chunk.text)) for chunk in chunks) < OFTEN:
        return ""
    mentions = EntityMention.objects.filter(
        document=document, types__contains=["ORGANIZATION"], named__entity__hidden=False
    )
    rows = mentions.values_list("named__entity__name").annotate(
        count=Count("pk"), page=Min("chunk__first_page")
    )
    for name, count, page in rows.order_by("-count", "named__entity__name"):
        short = _LEGAL_FORM.sub("", name)
        if page == 1 and count >= OFTEN and _NAME.fullmatch(short):
            in_full = re.compile(rf"\b{re.escape(short)}(?:\.com)?,? {FORM_OR_COMPANY}\b", re.IGNORECASE)
            if any(_COMPANY.search(chunk.text) or in_full.search(chunk.text) for chunk in chunks):
                return str(short)
    return ""


class Corpus:
    """Every chunk is also found by what its document is about: its owner's name."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = sources
        self.owners = sorted({source.owner for source in sources if source.owner})
        self._by_document = {source.document.pk: source for source in sources}
        self.chunks = {chunk.pk: chunk for source in sources for chunk in source.chunks}
        self._postings: Mapping[str, set[int]] = defaultdict(set)
        self._written: set[str] = set()
        for source in sources:
            about = set(terms(source.owner))
            for chunk in source.chunks:
                for term in about.union(terms(chunk.text)):
                    self._postings[term].add(chunk.pk)
                self._written.update(tokens(chunk.text))

    @classmethod
    def of(cls, datasource: Datasource) -> "Corpus":
        """What can be searched now; of large documents a part, evenly."""
        documents = list(datasource.documents.ready().order_by("pk"))
        each = max(1, CHUNKS // max(1, len(documents)))
        sources = []
        for document in documents:
            chunks = list(Chunk.objects.filter(document=document).searchable().order_by("index"))
            sources.append(
                Source(
                    document=document,
                    owner=_owner(document, chunks),
                    chunks=chunks[:: -(-len(chunks) // each)] if chunks else [],
                )
            )
        return cls(sources)

    def source_of(self, chunk: Chunk) -> Source:
        return self._by_document[chunk.document_id]

    def holding(self, words: Iterable[str]) -> list[Chunk]:
        """The chunks that have all of the terms; all chunks when there is none."""
        found: set[int] | None = None
        for term in set(words):
            posting = self._postings.get(term, set())
            found = set(posting) if found is None else found & posting
            if not found:
                return []
        return [self.chunks[pk] for pk in sorted(self.chunks if found is None else found)]

    def has(self, word: str) -> bool:
        """Whether any chunk has the word, in any form, or a word that says the same."""
        forms = set(terms(word)).union(*(terms(other) for other in carriers(word.lower())))
        return any(form in self._postings for form in forms)
