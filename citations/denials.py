"""Words outside a claim's sentence that say it is untrue: the line that introduces a list, a heading, the
first lines of a block quote, another cell of a table's row. Pure.
"""

import re
from collections.abc import Iterator

from english.closed_classes import NEGATIONS, one_of

LONGEST_ROW = 400  # characters of a table's row after a citation that are waited for

_LEAD_IN = re.compile(r"([^\n]*:)\s*\n(?:\s*\n)?(?:\s*(?:[-*•]|\d{1,2}[.)])\s[^\n]*\n\s*)*$")
_FALSE = (
    r"false\w*|untrue|wrong|incorrect|mistaken|mistakes?|myths?|lies|rumou?rs?|fiction|nonsense|misconceptions?|"
    r"fallac(?:y|ies)|den(?:y|ies|ied)|contrary|debunked|disproved|refuted|rejected"
)
# A lead-in with one of these negates what follows: “The following is false:”.
_TURNS_ROUND = re.compile(
    rf"\b(?:{one_of(NEGATIONS)}|{_FALSE}|unless|except|fails?|failed|refus\w+|\w+n[’']t)\b",
    re.IGNORECASE,
)
# A heading covers more than one claim: “No-fault evictions” denies nothing below it.
_DENIES = re.compile(rf"\b(?:not|never|{_FALSE}|\w+n[’']t)\b", re.IGNORECASE)
_UNTRUE = re.compile(rf"\b(?:{_FALSE}|not true|not so|\w+n[’']t true)\b", re.IGNORECASE)
_HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(.+)$|^ {0,3}(?:\*\*|__)([^*_\n]+)(?:\*\*|__):?\s*$", re.MULTILINE)
_BOLD = 7  # the level of a line in bold, below all headings
_BLOCK_QUOTE = re.compile(r"^\s*>\s?")
_DELIMITERS = re.compile(r"^[\s|:]*-[\s|:-]*$")
_NO = re.compile(rf"^\W*(?:(?:no|n)\W*(?:$|[,;.:–—-])|not\b|never true|{_FALSE})|[✗✘❌]", re.IGNORECASE)
_YES = re.compile(r"^\W*(?:yes|y|true|x)\b|[✓✔✅]", re.IGNORECASE)


def denial_of(before: str, begin: int, claim: str, rest_of_row: str) -> str:
    """The words that deny the claim from outside; empty when there are none.

    before: the answer's text up to the claim's end, without tags; the claim begins at `begin` in it.
    rest_of_row: what follows in the same line.
    """
    lead_in = _LEAD_IN.search(before[:begin])
    if lead_in and _TURNS_ROUND.search(lead_in[1]):
        return " ".join(lead_in[1].split())
    said = next(
        (heading for heading in _headings(before[:begin]) if _denies(heading, claim)),
        None,
    )
    said = said or next(filter(_UNTRUE.search, _quoted_above(before, begin)), None)
    said = said or next(_cells_that_deny(before, rest_of_row), None)
    return f"{' '.join(said.split()).rstrip(':')}:" if said else ""


def is_row(before: str) -> bool:
    """Whether the text ends within the row of a table."""
    lines = before.split("\n")
    return "|" in lines[-1] and any(_DELIMITERS.match(line) for line in _table_above(lines))


def _denies(heading: str, claim: str) -> bool:
    """Whether the heading denies what stands below it, and the claim does not say so itself."""
    return bool(_UNTRUE.search(heading) or (_DENIES.search(heading) and not _TURNS_ROUND.search(claim)))


def _headings(text: str) -> list[str]:
    """The headings under which the end of the text stands, the outermost first."""
    above: list[tuple[int, str]] = []
    for match in _HEADING.finditer(text):
        level = len(match[1]) if match[1] else _BOLD
        above = [*(each for each in above if each[0] < level), (level, match[2] or match[3])]
    return [heading for _, heading in above]


def _quoted_above(text: str, begin: int) -> Iterator[str]:
    """The lines above of the block quote in which the claim begins, the nearest first."""
    line_start = text.rfind("\n", 0, begin) + 1
    if not _BLOCK_QUOTE.match(text[line_start:]):
        return
    for line in reversed(text[:line_start].splitlines()):
        if not (mark := _BLOCK_QUOTE.match(line)):
            return
        yield line[mark.end() :]


def _table_above(lines: list[str]) -> list[str]:
    """The table's lines above the last one, in order."""
    above: list[str] = []
    for line in reversed(lines[:-1]):
        if "|" not in line:
            break
        above.append(line)
    return above[::-1]


def _cells_that_deny(before: str, rest_of_row: str) -> Iterator[str]:
    """The head over the claim that calls it untrue, and the cells beside it that answer "no"."""
    if not is_row(before):
        return
    lines = before.split("\n")
    heads, row = _cells(_table_above(lines)[0]), _cells(lines[-1] + rest_of_row)
    own = len(_cells(lines[-1])) - 1
    for place, cell in enumerate(row):
        head = heads[place] if place < len(heads) else ""
        if place == own:
            yield from filter(_UNTRUE.search, [head])
        elif _UNTRUE.search(head):
            yield from filter(_YES.search, [cell])
        else:
            yield from filter(_NO.search, [cell])


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().removeprefix("|").split("|")]
