"""Heads and feet of pages: the lines at their edges that stand on several, figures aside. Pure."""

from collections import Counter
from collections.abc import Iterable

RUNNING = 3  # pages on which a line stands before it counts as their head or foot
EDGE = 3  # lines at the top and at the bottom of a page, among which these are


def running_lines(pages: Iterable[str]) -> frozenset[str]:
    """Folded, as `running_places` looks for them: heads, feet, page numbers."""
    counts = Counter(line for page in pages for line in {_folded(text) for _, text in _edge(page)})
    return frozenset(line for line, count in counts.items() if count >= RUNNING)


def running_places(page: str, running: frozenset[str]) -> list[tuple[int, int]]:
    """Where they stand on a page."""
    return [(at, at + len(line)) for at, line in _edge(page) if _folded(line) in running]


def without_places(text: str, places: Iterable[tuple[int, int]]) -> str:
    """The text with spaces there, so that all else stays where it is."""
    for start, end in places:
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text


def _edge(text: str) -> list[tuple[int, str]]:
    """The first and the last lines, each with where it begins."""
    places, at = [], 0
    for line in text.splitlines(keepends=True):
        if line.strip():
            places.append((at, line.rstrip("\r\n")))
        at += len(line)
    return places[:EDGE] + places[EDGE:][-EDGE:]


def _folded(line: str) -> str:
    return " ".join("".join(letter for letter in line if not letter.isdigit()).lower().split())
