"""How many requirements a framework has, by chapter and by language."""

from dataclasses import asdict, dataclass
from typing import Any

from desks.compliance.models import Framework


@dataclass(slots=True, kw_only=True)
class Chapter:
    """A node at the top of the tree, with itself counted in."""

    ref: str
    title: str
    requirements: int = 0
    assessable: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """languages: {language: requirements that have words in it}, the framework's own first."""

    requirements: int
    assessable: int
    chapters: list[Chapter]
    languages: dict[str, int]
    domains: dict[str, int]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def counts_of(framework: Framework) -> Counts:
    chapters: list[Chapter] = []
    languages: dict[str, int] = {}
    domains: dict[str, int] = {}
    own = framework.language or "unknown"
    rows = list(framework.requirements.order_by("position"))
    for row in rows:
        if row.depth == 0 or not chapters:
            chapters.append(Chapter(ref=row.ref, title=row.title))
        chapters[-1].requirements += 1
        chapters[-1].assessable += row.is_assessable
        for language in (own, *row.translations):
            languages[language] = languages.get(language, 0) + 1
        if row.is_assessable:
            domains[row.domain] = domains.get(row.domain, 0) + 1
    return Counts(
        requirements=len(rows),
        assessable=sum(row.is_assessable for row in rows),
        chapters=chapters,
        languages=languages,
        domains=domains,
    )
