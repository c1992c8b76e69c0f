"""What a person looks for at arXiv, and how arXiv wants to be asked for it."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, Self
from urllib.parse import urlencode

from arxiv import Search, SortCriterion, SortOrder
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from desks.research.arxiv_api.identifiers import ArxivId, only_ids
from localization.typed import names_apart, words_apart

PAGE = 25  # papers of one page of results
FARTHEST = 2_000  # results that can be paged to; arXiv's own pages become slow far behind
LONGEST = 500  # characters of a query
FIRST_YEAR = 1991  # of arXiv
SORTS = {
    "relevance": (SortCriterion.Relevance, SortOrder.Descending),
    "newest": (SortCriterion.SubmittedDate, SortOrder.Descending),
    "oldest": (SortCriterion.SubmittedDate, SortOrder.Ascending),
    "updated": (SortCriterion.LastUpdatedDate, SortOrder.Descending),
}
_SYNTAX = re.compile(
    r"\b(?:ti|au|abs|co|jr|cat|rn|id|all|submittedDate|lastUpdatedDate):|\b(?:AND|OR|ANDNOT)\b"
)
_CATEGORY = re.compile(r"[a-z-]{2,10}(?:\.[A-Za-z-]{2,8})?")
_PHRASE = re.compile(r'"([^"]+)"|(\S+)')


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperQuery:
    """`words` may be arXiv's own syntax, or nothing but numbers and links. `start` counts results from 0."""

    words: str = ""
    title: str = ""
    author: str = ""
    categories: str = ""
    since: str = ""
    until: str = ""
    sort: str = "relevance"
    start: int = 0

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """From a form or JSON. Raises ValidationError for what arXiv could not be asked."""
        texts = {
            name: " ".join(str(values.get(name) or "").replace("\0", "").split())
            for name in ("words", "title", "author", "categories", "since", "until")
        }
        if max(map(len, texts.values())) > LONGEST:
            raise ValidationError(
                _("Search for at most {longest} characters.").format(longest=LONGEST), code="query_long"
            )
        sort = str(values.get("sort") or "relevance")
        if sort not in SORTS:
            raise ValidationError(_("Sort by {names}.").format(names=", ".join(SORTS)), code="sort")
        start = int(values.get("start") or 0)
        query = cls(sort=sort, start=max(0, min(start, FARTHEST)) // PAGE * PAGE, **texts)
        query.search  # noqa: B018 - says what is wrong while a person looks
        return query

    @property
    def is_empty(self) -> bool:
        return not any((self.words, self.title, self.author, self.categories, self.since, self.until))

    @property
    def ids(self) -> list[ArxivId]:
        return only_ids(self.words)

    @property
    def search(self) -> Search:
        """Raises ValidationError."""
        by, order = SORTS[self.sort]
        if ids := self.ids:
            return Search(id_list=[str(each) for each in ids[: PAGE * 4]], sort_by=by, sort_order=order)
        parts = [*_free(self.words), *_field("ti", self.title), *_authors(self.author)]
        if names := words_apart(self.categories):
            if wrong := next((name for name in names if not _CATEGORY.fullmatch(name)), None):
                raise ValidationError(
                    _("“{wrong}” is not a category of arXiv, such as cs.CL or math.").format(wrong=wrong),
                    code="category",
                )
            either = " OR ".join(f"cat:{name}" if "." in name else f"cat:{name}*" for name in names)
            parts.append(f"({either})" if len(names) > 1 else either)
        if self.since or self.until:
            first = _day(self.since, last=False) or date(FIRST_YEAR, 1, 1)
            last = _day(self.until, last=True) or date(9999, 12, 31)
            if first > last:
                raise ValidationError(
                    _("No paper is both since {first} and until {last}.").format(first=first, last=last),
                    code="dates",
                )
            parts.append(f"submittedDate:[{first:%Y%m%d}0000 TO {last.year:04}{last:%m%d}2359]")
        return Search(query=" AND ".join(parts), sort_by=by, sort_order=order)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def address(self, **changes: Any) -> str:
        """The query of an address for this search, or for another page of it."""
        values = {**self.as_json(), **changes}
        return urlencode({name: value for name, value in values.items() if value and value != "relevance"})


def parameters(search: Search, start: int, count: int) -> str:
    """The query of arXiv's address."""
    values = {
        "search_query": search.query,
        "id_list": ",".join(search.id_list),
        "sortBy": search.sort_by.value,
        "sortOrder": search.sort_order.value,
        "start": start,
        "max_results": count,
    }
    return urlencode({name: value for name, value in values.items() if value != ""})


def _free(words: str) -> list[str]:
    """Each word anywhere; what is arXiv's own syntax stays as it is."""
    if _SYNTAX.search(words):
        return [f"({words})"]
    return [*_field("all", words)]


def _field(name: str, text: str) -> list[str]:
    found = [(phrase or word) for phrase, word in _PHRASE.findall(text)]
    cleaned = [re.sub(r'[()"\[\]:]', " ", each).strip() for each in found]
    return [f'{name}:"{each}"' if " " in each else f"{name}:{each}" for each in cleaned if each]


def _authors(text: str) -> list[str]:
    """Several with commas between them; all must have written it."""
    cleaned = [re.sub(r'[()"\[\]:]', " ", each).strip() for each in names_apart(text)]
    return [f'au:"{each}"' if " " in each else f"au:{each}" for each in cleaned if each]


def _day(text: str, *, last: bool) -> date | None:
    """A day, or the first or last of a year."""
    if not text:
        return None
    try:
        if re.fullmatch(r"\d{4}", text):
            return date(int(text), 12, 31) if last else date(int(text), 1, 1)
        return date.fromisoformat(text)
    except ValueError:
        raise ValidationError(
            _("“{text}” is not a date: write it as 2024-01-31, or a year.").format(text=text), code="day"
        ) from None
