"""Headings that a plain text shows: numbered ones, and those of Markdown. Pure."""

import re
from collections.abc import Iterator, Sequence

from ingestion.structure.values import Heading
from text.table_lines import is_table_line

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

    "3 Directors were elected" is none: without a dot numbers begin with 1, and go on as they have begun.
    """
    counts: list[int] = []  # the number reached at each level
    dotted: dict[int, bool] = {}  # whether the numbers of a level have a dot behind them
    letters = 0
    outer = 0  # levels that a schedule or a chapter adds to the numbers in it
    offset = 0
    for raw in text.split("\n"):
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
        elif found := _NUMBERED.match(name):
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
