"""The tags that documents have by now: those that differ only in case are one tag, spelt as most spell it."""

from collections.abc import Iterable, Sequence

from datasources.models import GONE
from datasources.sql import query
from formats.base.characters import one_line


def spellings(datasource: int, tags: Iterable[str], besides: int = 0) -> list[str]:
    """How documents of the datasource, by its number, spell these tags, the most frequent spelling first."""
    given, gone = list(tags), [str(status) for status in GONE]
    if not given:
        return []
    rows = query("tag_spellings", datasource=datasource, tags=given, besides=besides, gone=gone)
    return [tag for tag, _ in rows]


def spelt_as_in_use(datasource: int, tags: Iterable[str], besides: int = 0) -> list[str]:
    """The tags, clean, as documents of the datasource spell them already; new ones as they are.

    besides: the number of a document that does not count, for it is about to get these tags.
    """
    given = [one_line(tag) for tag in tags]
    in_use: dict[str, str] = {}
    for spelling in spellings(datasource, given, besides):
        in_use.setdefault(spelling.lower(), spelling)
    return [in_use.get(tag.lower(), tag) for tag in given]


def most_frequent(datasources: Sequence[int], limit: int) -> list[tuple[str, int]]:
    """The tags of ready documents, each with the number of its documents."""
    return [(tag, count) for tag, count in query("tag_counts", datasources=list(datasources), limit=limit)]
