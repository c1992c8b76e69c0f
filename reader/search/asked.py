"""The request of the search page, from its address: the words, and conditions on the documents."""

from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Self

from django.http import QueryDict
from django.utils.dateparse import parse_date
from django.utils.http import urlencode
from django.utils.translation import gettext_noop

from datasources.models.tags import LONGEST as LONGEST_TAG
from datasources.numbers import limited, numbers_in
from retrieval.query import Filters

LONGEST = 400  # characters of a query
MOST_CHOSEN = 200  # of each filter
LONGEST_ENDING = 20
LONGEST_NAME = 200
MARKUP = "markup"  # in place of the exact words
FILTERS = {  # by what the page calls them, which translates it: the fields that they set
    gettext_noop("datasource"): ("datasources",),
    gettext_noop("document"): ("documents",),
    gettext_noop("type"): ("types",),
    gettext_noop("tag"): ("tags",),
    gettext_noop("day added"): ("since", "until"),
    gettext_noop("written by"): ("written_by",),
    gettext_noop("sent to"): ("sent_to",),
    gettext_noop("day written"): ("written_since", "written_until"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """`words` as typed, white space folded. `exact`: list every passage with these exact words. `markup`:
    comments and tracked changes instead.

    The rest are filters; one that is not set lets everything pass. documents, datasources: their numbers.
    types: endings of file names. tags: a document has one of them. since, until: days on which documents were
    added, both included. written_by, sent_to: a part of a name or address, and written_since, written_until:
    days, of what the files say of themselves, see `retrieval.query.Filters`.
    """

    words: str = ""
    exact: bool = False
    markup: bool = False
    documents: frozenset[int] = frozenset()
    datasources: frozenset[int] = frozenset()
    types: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    since: date | None = None
    until: date | None = None
    written_by: str = ""
    sent_to: str = ""
    written_since: date | None = None
    written_until: date | None = None
    page: int = 1
    everywhere: bool = False  # in all datasources of a person
    strict: bool = False  # mark no word that is spelt differently

    @classmethod
    def from_query(cls, query: QueryDict) -> Self:
        typed = query.get("q", "").replace("\0", "")[:LONGEST]
        types = [each.lower()[:LONGEST_ENDING].replace("\0", "") for each in query.getlist("type")]
        # One that is too long stays too long: it finds nothing, where leaving it out would find everything.
        tags = [each.replace("\0", "")[: LONGEST_TAG + 1] for each in query.getlist("tag")]
        return cls(
            words=" ".join(typed.split()) + (" " if typed.strip() and typed[-1].isspace() else ""),
            exact=query.get("exact") == "1",
            markup=query.get("exact") == MARKUP,
            documents=frozenset(numbers_in(query.getlist("document")[:MOST_CHOSEN])),
            datasources=frozenset(numbers_in(query.getlist("datasource")[:MOST_CHOSEN])),
            types=frozenset(filter(None, types[:MOST_CHOSEN])),
            tags=frozenset(filter(None, tags[:MOST_CHOSEN])),
            since=_day(query.get("since")),
            until=_day(query.get("until")),
            written_by=_name(query.get("written_by")),
            sent_to=_name(query.get("sent_to")),
            written_since=_day(query.get("written_since")),
            written_until=_day(query.get("written_until")),
            page=limited(query.get("page"), 1, 10**6),
            everywhere=query.get("all") == "1",
            strict=query.get("strict") == "1",
        )

    @property
    def text(self) -> str:
        return self.words.strip()

    @property
    def filters(self) -> Filters:
        return Filters(
            document_ids=self.documents or None,
            types=self.types,
            tags=self.tags,
            since=self.since,
            until=self.until,
            written_by=self.written_by,
            sent_to=self.sent_to,
            written_since=self.written_since,
            written_until=self.written_until,
        )

    @property
    def filters_set(self) -> list[str]:
        """What the page calls them."""
        return [name for name, fields in FILTERS.items() if any(getattr(self, field) for field in fields)]

    @property
    def is_narrowed(self) -> bool:
        return bool(self.filters_set)

    @property
    def has_several_filters(self) -> bool:
        return len(self.filters_set) > 1

    @property
    def has_no_day(self) -> bool:
        """Whether the days are the wrong way round."""
        days = ((self.since, self.until), (self.written_since, self.written_until))
        return any(since and until and since > until for since, until in days)

    @property
    def query(self) -> str:
        """For the address of this very search; nothing in it that is not set."""
        pairs: dict[str, Any] = {
            "q": self.text,
            "exact": "1" if self.exact else MARKUP if self.markup else "",
            "datasource": sorted(self.datasources),
            "document": sorted(self.documents),
            "type": sorted(self.types),
            "tag": sorted(self.tags),
            "since": self.since,
            "until": self.until,
            "written_by": self.written_by,
            "sent_to": self.sent_to,
            "written_since": self.written_since,
            "written_until": self.written_until,
            "page": self.page if self.page > 1 else "",
            "all": "1" if self.everywhere else "",
            "strict": "1" if self.strict else "",
        }
        return urlencode({name: value for name, value in pairs.items() if value}, doseq=True)

    def without(self, name: str) -> Self:
        """The same search without one of its filters, from the first page on."""
        unset = type(self)()
        return replace(self, page=1, **{field: getattr(unset, field) for field in FILTERS[name]})

    @property
    def without_filters(self) -> Self:
        return type(self)(words=self.words, exact=self.exact, markup=self.markup, everywhere=self.everywhere)

    @property
    def without_documents(self) -> Self:
        return replace(self, documents=frozenset())


def is_tag(text: str) -> bool:
    return 0 < len(text) <= LONGEST_TAG


def _name(text: str | None) -> str:
    return " ".join((text or "").replace("\0", "").split())[:LONGEST_NAME]


def _day(text: str | None) -> date | None:
    try:
        return parse_date(text or "")
    except ValueError:  # the 31st of February
        return None
