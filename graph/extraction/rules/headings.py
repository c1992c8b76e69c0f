"""Whether a passage begins with a heading, which defines what it names."""

from graph.extraction.rules.patterns import NUMBERED_SECTION, PAGE_NUMBER
from graph.extraction.rules.words import STOP
from text.sentences import sentences

MAX_HEADING = 110  # characters


def heading(text: str) -> tuple[int, int] | None:
    """The first line, when it stands alone as a title does, and is no piece of wrapped prose."""
    line, newline, rest = text.partition("\n")
    body = line.strip()
    if not newline or not rest.strip() or not 2 <= len(body) <= MAX_HEADING or body[-1] in ".,;:-":
        return None
    if len(body) > 1.5 * len(rest.strip()) or not _names_something(body) or NUMBERED_SECTION.match(line):
        return None
    start = line.index(body)
    if rest.lstrip()[0].islower() and not rest.lstrip().startswith(body.split()[0]):
        return None
    if "\n" in rest.strip() and ((start, start + len(body)) not in sentences(text) or not _is_title(body)):
        return None
    return start, start + len(body)


def _names_something(line: str) -> bool:
    """Whether a line has letters to speak of, and is no row, no rest of a sentence and no page number."""
    return not (
        "\t" in line
        or line[0].islower()
        or (line[0] == "(" and line[-1] == ")")  # “(In millions)”
        or not any(c.isalpha() for c in line)
        or sum(c.isdigit() for c in line) > len(line) / 2
        or PAGE_NUMBER.search(line)
    )


def _is_title(line: str) -> bool:
    """Whether a line reads as a heading: short, or mostly in capitals; and not broken off."""
    parts = [part for part in line.split() if part[0].isalpha()]
    if not parts or parts[-1].lower() in STOP:
        return False
    return len(parts) <= 5 or sum(part[0].isupper() for part in parts) > len(parts) / 2
