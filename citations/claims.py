"""The claim that a citation supports: its sentence as a reader understands it. Pure."""

import re

from citations import denials
from citations.parse import Prose, Tag, parse
from text.sentences import ABBREVIATIONS
from text.words import letters

LONGEST_REST = 400  # characters of a sentence after a citation that are waited for

# A line break within a paragraph ends nothing; a blank line, a list item, a heading and a table's cell do.
_BREAK = r"\s*\n\s*\n\s*|\s*\n\s*(?=[-*•>|#]|\d{1,2}[.)]\s)|\s*\|\s*"
_SENTENCE_END = r"[.!?][\"'”’)\]*_]*\s+(?=[\"'“‘(\[*_]*[^\W_a-z])"
_EDGE = re.compile(rf"{_SENTENCE_END}|{_BREAK}")
_REST_EDGE = re.compile(rf"{_SENTENCE_END}|{_BREAK}|;|[.!?]\s*$")
_ENDS_AT_ONCE = re.compile(r"[\s\"'”’)\]*_,]*[.!?:;|]")  # “... sixty days [1].”
_IS_WHOLE = re.compile(r"[.!?][\"'”’)\]*_]*$")
_HEADING_LINE = re.compile(r"\s*#{1,6}\s[^\n]*\n\s*")
_LIST_MARK = re.compile(r"^\s*(?:[-*•>|]\s+|#+\s+|\d{1,2}[.)]\s+)+")
# Words with which the rest of a sentence qualifies the claim before a citation.
_TAKES_BACK = re.compile(
    r"[\s,(]*(?:but\s+)?(?:only|if|unless|except|save|provided|subject|but|not|never|nor|until|without|when|where|"
    r"as long|in case|hardly|rarely|allegedly|in theory)\b",
    re.IGNORECASE,
)


def claim_of(answer: str, tag: Tag, *, complete: bool) -> str | None:
    """The sentence with the tag, without tags and list marks; None while more of it may come.

    Words outside the sentence that deny it, such as a heading “Myths”, are put before it. The words between
    the tag and the next one belong to the claim if they qualify it; those after the last tag of a sentence
    always do.
    """
    before = "".join(part.text for part in parse(answer[: tag.start]) if isinstance(part, Prose)).rstrip()
    begin = _beginning(before)
    claim = " ".join(_LIST_MARK.sub("", before[begin:]).split())
    row = _rest_of_row(answer, tag.end, complete=complete) if denials.is_row(before) else ""
    rest = "" if _IS_WHOLE.search(claim) else _rest_of_sentence(answer, tag.end, complete=complete)
    if rest is None or row is None:
        return None
    said = f"{claim} {rest}" if claim and any(map(str.isalnum, rest)) else claim
    return f"{denials.denial_of(before, begin, said, row)} {said}".strip() if claim else said


def is_copied(answer: str, tag: Tag) -> bool:
    """Whether the tag ends a Markdown quotation of its own words: it claims nothing beside them."""
    line = answer[answer.rfind("\n", 0, tag.start) + 1 : tag.start]
    return line.lstrip().startswith(">") and letters(line) == letters(tag.quote)


def _beginning(before: str) -> int:
    """Where the last sentence begins."""
    begin = 0
    for match in _EDGE.finditer(before):
        word = before[: match.start()].rsplit(None, 1)[-1:]
        abbreviated = "\n" not in match[0] and bool(word) and word[0].strip("(\"'“").lower() in ABBREVIATIONS
        if match.end() < len(before) and not abbreviated:
            begin = match.end()
    heading = _HEADING_LINE.match(before, begin)
    return heading.end() if heading and heading.end() < len(before) else begin


def _rest_of_row(answer: str, position: int, *, complete: bool) -> str | None:
    after = answer[position : position + denials.LONGEST_ROW]
    if "\n" not in after and not complete and len(after) < denials.LONGEST_ROW:
        return None
    return "".join(part.text for part in parse(after.split("\n")[0]) if isinstance(part, Prose))


def _rest_of_sentence(answer: str, position: int, *, complete: bool) -> str | None:
    after = answer[position : position + LONGEST_REST]
    if _ENDS_AT_ONCE.match(after):
        return ""
    parts = parse(after)
    prose = parts[0].text if parts and isinstance(parts[0], Prose) else ""
    edge = _REST_EDGE.search(prose)
    if edge and edge.end() < len(prose):
        return prose[: edge.start()].strip()
    if any(isinstance(part, Tag) for part in parts):
        return prose.strip() if _TAKES_BACK.match(prose) else ""
    if edge and (complete or edge[0].strip() in {"", ";", "|"}):
        return prose[: edge.start()].strip()
    return prose.strip() if complete or len(after) == LONGEST_REST else None
