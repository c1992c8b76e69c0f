"""What mentions say, and which of it describes a thing best: the same whatever order documents came in."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from graph.sql import query

SAID = 3  # statements of models that make up a description; of the document's own sentences, one does
LONG = 300  # characters: a longer sentence describes no better
PASSAGES = 3  # that make up a vector


class Statement(NamedTuple):
    """What a mention says, and where: `sha256` and `position` order statements whatever came in first."""

    document: int
    sha256: str
    position: int
    chunk: int
    description: str
    start: int
    end: int
    defines: bool = False
    strength: float = 1.0
    keywords: Sequence[str] = ()

    @property
    def merit(self) -> tuple[object, ...]:
        """Sort key: what describes a thing best comes first."""
        length = len(self.description) if self.description else min(self.end - self.start, LONG)
        return (
            not self.description,
            not self.defines,
            -length,
            self.sha256,
            self.position,
            self.end,
            self.description,
        )


def chosen(statements: Iterable[Statement]) -> list[Statement]:
    """Those that make up the description: the best of models' distinct words, else one sentence."""
    ordered = sorted(statements, key=lambda s: s.merit)
    written = {s.description: s for s in reversed(ordered) if s.description}
    return sorted(written.values(), key=lambda s: s.merit)[:SAID] if written else ordered[:1]


def best_passages(statements: Iterable[Statement]) -> list[int]:
    """The chunks that say most."""
    return list(dict.fromkeys(s.chunk for s in sorted(statements, key=lambda s: s.merit)))[:PASSAGES]


def descriptions(picked: Mapping[Any, Sequence[Statement]]) -> dict[Any, str]:
    """The descriptions; the sentences among them are cut out of their chunks in one read."""
    spans = {(s.chunk, s.start, s.end) for group in picked.values() for s in group if not s.description}
    chunks, starts, ends = ([span[i] for span in sorted(spans)] for i in range(3))
    quotes = {
        (chunk, start, end): " ".join(text.split())
        for chunk, start, end, text in query("quotes_of_chunks", chunks=chunks, starts=starts, ends=ends)
    }
    return {
        thing: " ".join(s.description or quotes[s.chunk, s.start, s.end] for s in group)
        for thing, group in picked.items()
    }
