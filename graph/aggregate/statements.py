"""What mentions say, and which of it describes a thing best: the same whatever order documents came in."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sql import rows

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
        return (not self.description, not self.defines, -length, self.sha256, self.position, self.end,
                self.description)  # fmt: skip


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
    quoted = {(s.chunk, s.start, s.end) for group in picked.values() for s in group if not s.description}
    keys = sorted(quoted)
    texts = {
        (chunk, start, end): " ".join(text.split())
        for chunk, start, end, text in rows(
            "SELECT t.id, t.a, t.b, substr(c.text, t.a + 1, t.b - t.a)"
            " FROM unnest(%s::bigint[], %s::int[], %s::int[]) AS t(id, a, b) JOIN ingestion_chunk c ON"
            " c.id = t.id",
            *[[k[i] for k in keys] for i in range(3)],
        )
    }
    return {
        one: " ".join(s.description or texts[s.chunk, s.start, s.end] for s in group)
        for one, group in picked.items()
    }
