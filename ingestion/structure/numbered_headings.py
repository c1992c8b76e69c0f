"""Headings that a plain text shows: numbered ones, and those of Markdown. Pure."""

import re
from collections.abc import Iterator, Sequence

from ingestion.structure.values import Heading
from text.tables.table_lines import is_table_line

LONGEST_NAME = 80  # characters of one heading
WORDS = 12  # a longer numbered line is a clause
FARTHEST = 3  # numbers may be missed; a greater step is a figure that only looks like a heading

_NAMED = re.compile(
    r"(?:Part|Chapter|Article|Section|Schedule|Annex|Appendix)\s+(?:\d{1,2}|[A-Z]|[IVX]{1,5})\b[.:]?\s*.{0,80}$"
)
_NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,3}|[A-Z])([.)]?)\s+([A-Z\"“‘].{1,80})$")
_MARKDOWN = re.compile(r"(#{1,6})\s+(\S.*?)\s*#*$")
_ENDS_A_SENTENCE = (".", ";", ",", ":", "?", "!")


def numbered_headings(text: str) -> Iterator[Heading]:
    """Lines such as "4. Fees", "4.2 Late payment", "## Fees", whose numbers count up, and "Schedule 2: Fees",
    in which they begin again.

    "3 Directors were elected" is none: without a dot numbers begin with 1, and go on as they have begun. Nor
    are the lines of a list or of a table of contents, where number follows number with no text between.
    """
    counts: list[int] = []  # the number reached at each level
    dotted: dict[int, bool] = {}  # whether the numbers of a level have a dot behind them
    letters = 0
    outer = 0  # levels that a schedule or a chapter adds to the numbers in it
    offset = 0
    lines = text.split("\n")
    listed = _listed(lines)
    for place, raw in enumerate(lines):
        line = raw.strip()
        start = offset + len(raw) - len(raw.lstrip())
        offset += len(raw) + 1
        if not line or len(line) > LONGEST_NAME + 20 or is_table_line(line):
            continue
        name = " ".join(line.split())
        if found := _MARKDOWN.match(name):
            yield Heading(start=start, level=len(found[1]), name=found[2][:LONGEST_NAME])
        elif not _is_short(name):
            continue
        elif _NAMED.match(name):
            counts, dotted, letters, outer = [], {}, 0, 1
            yield Heading(start=start, level=1, name=name[:LONGEST_NAME])
        elif place not in listed and (found := _NUMBERED.match(name)):
            if found[1].isalpha():
                number = ord(found[1]) - ord("A") + 1
                if not letters < number <= letters + FARTHEST:
                    continue
                letters, level = number, 1
            else:
                numbers = [int(part) for part in found[1].split(".")]
                has_dot, level = bool(found[2]), len(numbers)
                may_begin = bool(counts) or has_dot or numbers[0] == 1
                is_alike = dotted.get(level, has_dot) == has_dot
                if not (may_begin and is_alike and _counts_up(counts, numbers)):
                    continue
                counts, dotted[level] = numbers, has_dot
            yield Heading(start=start, level=outer + level, name=name[:LONGEST_NAME])


def _listed(lines: Sequence[str]) -> set[int]:
    """Places of numbered lines that stand right before or behind one with the next or the last number."""
    listed: set[int] = set()
    before, place_before = [-1], 0
    for place, line in enumerate(lines):
        if not line.strip():
            continue
        numbers = _numbers(line)
        if len(before) == len(numbers) and numbers == [*before[:-1], before[-1] + 1]:
            listed |= {place_before, place}
        before, place_before = numbers or [-1], place
    return listed


def _numbers(line: str) -> list[int]:
    """Of "4.2 Late payment" 4 and 2; a letter counts as its code point."""
    found = _NUMBERED.match(line.strip())
    return [int(part) if part.isdigit() else ord(part) for part in found[1].split(".")] if found else []


def _counts_up(before: Sequence[int], numbers: Sequence[int]) -> bool:
    """Whether a heading of these numbers may follow one of those before it: 3.2 after 3.1, 4 after 3.2."""
    same = 0
    while same < min(len(before), len(numbers)) and before[same] == numbers[same]:
        same += 1
    if same == len(numbers):
        return False
    reached = before[same] if same < len(before) else 0
    begins = all(number <= 1 for number in numbers[same + 1 :])
    return reached < numbers[same] <= reached + FARTHEST and begins


def _is_short(line: str) -> bool:
    return len(line.split()) <= WORDS and not line.endswith(_ENDS_A_SENTENCE)
