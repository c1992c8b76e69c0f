"""What the address of the graph page asks for, and the addresses that differ from it."""

from dataclasses import dataclass, replace
from typing import Any, Self
from urllib.parse import urlencode

from django.http import QueryDict

from datasources.numbers import limited

FIRST = 30  # entities that are drawn at first: the best linked
TIMES = 3  # as many as before are drawn on request
MOST = 2000
SORTS = ("mentions", "documents", "relations", "name")


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphQuery:
    """0 and empty mean: not chosen."""

    as_list: bool = False
    words: str = ""
    types: tuple[str, ...] = ()
    least: int = 1
    document: int = 0
    entity: int = 0
    relation: int = 0
    shown: int = FIRST
    mentions: int = 0
    sort: str = "mentions"
    page: int = 1

    @classmethod
    def from_query(cls, query: QueryDict) -> Self:
        sort = query.get("sort", "")
        return cls(
            as_list=query.get("view") == "list",
            words=query.get("q", "").strip()[:200],
            types=tuple(query.getlist("type")),
            least=limited(query.get("least"), 1, 10**6),
            document=limited(query.get("document"), 0, 10**18),
            entity=limited(query.get("entity"), 0, 10**18),
            relation=limited(query.get("relation"), 0, 10**18),
            shown=limited(query.get("shown"), FIRST, MOST),
            mentions=limited(query.get("mentions"), 0, 10**4),
            sort=sort if sort in SORTS else "mentions",
            page=limited(query.get("page"), 1, 10**6),
        )

    def address(self, **changes: Any) -> str:
        """The query of the same page with other choices; what is as usual is left out."""
        values, usual = replace(self, **changes), type(self)()
        parts: list[tuple[str, Any]] = [("view", "list")] if values.as_list else []
        parts += [("type", key) for key in values.types]
        for name, field in FIELDS.items():
            value = getattr(values, field)
            if value != getattr(usual, field):
                parts.append((name, value))
        return f"?{urlencode(parts)}"


FIELDS = {
    "q": "words",
    "least": "least",
    "document": "document",
    "shown": "shown",
    "sort": "sort",
    "page": "page",
    "entity": "entity",
    "relation": "relation",
    "mentions": "mentions",
}
