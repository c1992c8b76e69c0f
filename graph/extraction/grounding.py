"""Tying what was written about a text to the words of that text, whoever wrote it: a model or a file."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from graph.extraction.rules.mentions import find
from graph.values.extraction import VALUES, ExtractedEntity, ExtractedRelation, Extraction
from graph.values.names import key, qualifier
from text.normal_forms.normal_form import fold
from text.sentences import sentences

_WORD = re.compile(r"\w+")
_SMALL = frozenset(
    ("a", "an", "and", "at", "by", "for", "from", "in", "is", "of", "on", "or", "the", "to", "was", "with")
)

Span = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedThing:
    """An entity as it was written down, without a place."""

    name: str
    types: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedRelation:
    """A relation as it was written down, without a place."""

    source: str
    target: str
    description: str
    keywords: tuple[str, ...] = ()
    strength: float = 1.0


class Text:
    """A chunk's text, ready to look for names in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.spans = sentences(text)
        self._words = [set(_words(text[slice(*span)])) for span in self.spans]
        self._all = set(_words(text))
        # Some letters get longer in lower case; places in such a text would be off.
        self._lower = lower if len(lower := text.lower()) == len(text) else ""

    def find(self, name: str) -> Span | None:
        """Where the name stands: as written, or with other white space, case or punctuation."""
        parts = _WORD.findall(name)
        if not parts:
            return None
        for text, wanted in ((self.text, name), (self._lower, name.lower())):
            if span := _whole(text, wanted):
                return span
        if not set(_words(name)) <= self._all:  # a compiled pattern a name would take most of the time
            return None
        for gap in (r"\s+", r"[\W_]+"):
            pieces = name.split() if gap == r"\s+" else parts
            pattern = rf"(?<!\w){gap.join(map(re.escape, pieces))}(?!\w)"
            if found := re.search(pattern, self.text, re.IGNORECASE):
                return found.span()
        return None

    def sentence(self, position: int) -> Span:
        """The sentence around a place."""
        around = (span for span in self.spans if span[0] <= position < span[1])
        return next(around, self.spans[0] if self.spans else (0, 0))

    def nearest(self, words: str) -> tuple[int, Span]:
        """The most of the words that a sentence has, and the first sentence that has them."""
        wanted = set(_words(words))
        shared = [len(wanted & have) for have in self._words]
        best = max(shared, default=0)
        return best, self.spans[shared.index(best)] if best else (0, 0)

    def entity(self, thing: NamedThing) -> ExtractedEntity | None:
        """The thing at its words, else at the sentence that has most of its name; None when none has any."""
        span = self.find(thing.name)
        said = self.sentence(span[0]) if span else self.nearest(thing.name)[1]
        start, end = span or said
        if start == end or not key(thing.name):
            return None
        return ExtractedEntity(
            name=thing.name, types=thing.types, description=thing.description, start=start, end=end, said=said
        )

    def headings(self) -> list[ExtractedEntity]:
        """What the text is about by its heading or by a definition: where questions about it lead."""
        return [
            ExtractedEntity(
                name=self.text[thing.start : thing.end],
                types=(),
                description="",
                start=thing.start,
                end=thing.end,
                said=self.sentence(thing.start),
                defines=True,
            )
            for thing in find(self.text)
            if thing.defines and thing.type not in VALUES
        ]


def _whole(text: str, name: str) -> Span | None:
    """Where the name stands as words of their own."""
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        before, after = text[start - 1 : start], text[end : end + 1]
        if not (_WORD.match(before) and _WORD.match(name)) and not (
            _WORD.match(after) and _WORD.match(name[-1])
        ):
            return start, end
        start = text.find(name, start + 1)
    return None


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(fold(text)) if word not in _SMALL]


def ground(
    text: Text, things: Sequence[NamedThing], said: Iterable[NamedRelation], title: str = ""
) -> Extraction:
    """What was written about a chunk, at the chunk's words.

    A relation's ends are things too, listed or not. What has no word in the text is left out. In a document
    titled “Mercury (planet)”, “Mercury” stands for that.
    """
    said = [s for s in said if key(s.source) and key(s.target) and key(s.source) != key(s.target)]
    named = {key(thing.name): thing for thing in reversed(things)}
    for statement in said:
        for name in (statement.source, statement.target):
            named.setdefault(key(name), NamedThing(name=name))
    base, what = qualifier(title)
    full = {key(base): title} if what else {}
    found = [e for e in map(text.entity, named.values()) if e]
    placed = {key(e.name) for e in found}
    return Extraction(
        entities=(
            *text.headings(),
            *(replace(entity, stands_for=full.get(key(entity.name), "")) for entity in found),
        ),
        relations=tuple(_relation(text, s, full) for s in said if {key(s.source), key(s.target)} <= placed),
    )


def _relation(text: Text, said: NamedRelation, full: dict[str, str]) -> ExtractedRelation:
    start, end = text.nearest(f"{said.source} {said.target} {said.description}")[1]
    return ExtractedRelation(
        source=full.get(key(said.source), said.source),
        target=full.get(key(said.target), said.target),
        description=said.description,
        keywords=said.keywords,
        strength=said.strength,
        start=start,
        end=end,
    )
