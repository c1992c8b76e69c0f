"""A document in parts that a model reads one after the other, each sentence with a number. Pure."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from citations.parse import without_tags
from providers.openai.tokens import estimated_tokens
from retrieval.evidence import Evidence
from text.sentences import sentences

LEFT_OUT = " […] "  # as everywhere where sentences are left out of a passage
LONGEST = 1_500  # characters of a sentence that a model is shown; the rest of it is still quoted


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A sentence, row or heading: where it stands in the text of its passage."""

    passage: Evidence
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.passage.text[self.start : self.end]


@dataclass(slots=True, kw_only=True)
class Part:
    """Lines that follow each other in one document. `tokens` as estimated."""

    lines: list[Line] = field(default_factory=list)
    tokens: int = 0

    @property
    def pages(self) -> range:
        return range(self.lines[0].passage.first_page, self.lines[-1].passage.last_page + 1)

    @property
    def title(self) -> str:
        return self.lines[0].passage.document_title

    def written(self) -> str:
        """As a model reads it: a line a sentence, its number from 1 before it; headings where they change."""
        written, section = [f"# {_folded(self.title)}"], ""
        for number, line in enumerate(self.lines, start=1):
            if line.passage.section != section:
                section = line.passage.section
                written.append(f"## {_folded(section)}")
            written.append(f"[{number}] {_folded(line.text)[:LONGEST]}")
        return without_tags("\n".join(written))


def lines_of(passages: Sequence[Evidence]) -> Iterator[Line]:
    """Each sentence once, although passages overlap. passages: in the order of their documents."""
    document, end = 0, 0
    for passage in passages:
        if passage.document_id != document:
            document, end = passage.document_id, 0
        for first, last in sentences(passage.text):
            if passage.start + last > end:
                yield Line(passage=passage, start=first, end=last)
        end = max(end, passage.end)


def parts_of(passages: Sequence[Evidence], most: int) -> list[Part]:
    """Of at most that many tokens each, as far as sentences allow; none has more than one document."""
    parts: list[Part] = []
    for line in lines_of(passages):
        tokens = estimated_tokens(line.text) + 4  # with its number
        last = parts[-1] if parts else None
        is_same = last is not None and last.lines[-1].passage.document_id == line.passage.document_id
        if last is None or not is_same or last.tokens + tokens > most:
            last = Part()
            parts.append(last)
        last.lines.append(line)
        last.tokens += tokens
    return parts


def texts_of(parts: Sequence[Part], chosen: Sequence[Collection[int]]) -> Mapping[int, str]:
    """By passage, in order, what is left of its text: the chosen lines of each part, by their numbers."""
    kept: dict[int, list[Line]] = {}
    for part, numbers in zip(parts, chosen, strict=True):
        for number, line in enumerate(part.lines, start=1):
            if number in numbers:
                kept.setdefault(line.passage.chunk_id, []).append(line)
    return {chunk: _joined(lines) for chunk, lines in kept.items()}


def _joined(lines: Sequence[Line]) -> str:
    """Neighbours as they stand, with the mark where something was left out between two."""
    text = lines[0].passage.text
    spans = [(lines[0].start, lines[0].end)]
    for line in lines[1:]:
        begun, end = spans[-1]
        if text[end : line.start].strip():
            spans.append((line.start, line.end))
        else:
            spans[-1] = (begun, line.end)
    return LEFT_OUT.join(text[start:end] for start, end in spans)


def _folded(text: str) -> str:
    return " ".join(text.split())
