"""Documents that an answer cites and that have a newer version since."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from chat.citation_rows.newer_version import Since
from chat.models import Citation
from datasources.models import Document
from localization.lists import joined
from localization.numbers import numeral


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced:
    """gone: numbers of the citations whose words the newer version has no longer. is_known: whether it was
    looked for them.
    """

    newer: Document
    gone: list[int]
    is_known: bool

    @property
    def numbers(self) -> str:
        return joined([numeral(n) for n in self.gone])


def replaced_of(citations: Iterable[Citation], since: Mapping[int, Since]) -> list[Replaced]:
    """One for each newer version, in the order of the answer."""
    by_version: dict[int, list[tuple[Citation, Since]]] = {}
    for citation in citations:
        if became := since.get(citation.pk):
            by_version.setdefault(became.newer.pk, []).append((citation, became))
    return [
        Replaced(
            newer=rows[0][1].newer,
            gone=[citation.n for citation, became in rows if became.is_there is False],
            is_known=all(became.is_there is not None for _, became in rows),
        )
        for rows in by_version.values()
    ]
