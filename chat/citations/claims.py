"""The claim that a citation stands for: the words of its sentence as a reader takes them. Pure."""

import re

from chat.citations.parse import Prose, Tag, parse
from text.sentences import ABBREVIATIONS

LONGEST_REST = 400  # characters of a sentence after a citation that are waited for

# A line break within a paragraph ends nothing; a blank line, a list item, a heading and a table's cell do.
_BREAK = r"\s*\n\s*\n\s*|\s*\n\s*(?=[-*•>|#]|\d{1,2}[.)]\s)|\s*\|\s*"
_SENTENCE_END = r"[.!?][\"'”’)\]*_]*\s+(?=[\"'“‘(\[*_]*[^\W_a-z])"
_EDGE = re.compile(rf"{_SENTENCE_END}|{_BREAK}")
_REST_EDGE = re.compile(rf"{_SENTENCE_END}|{_BREAK}|;|[.!?]\s*$")
_ENDS_AT_ONCE = re.compile(r"[\s\"'”’)\]*_,]*[.!?:;|]")  # “... sixty days [1].”
_IS_WHOLE = re.compile(r"[.!?][\"'”’)\]*_]*$")
_LIST_MARK = re.compile(r"^\s*(?:[-*•>|]\s+|#+\s+|\d{1,2}[.)]\s+)+")
_LEAD_IN = re.compile(r"([^\n]*:)\s*\n(?:\s*\n)?(?:\s*(?:[-*•]|\d{1,2}[.)])\s[^\n]*\n\s*)*$")
# A lead-in with one of these turns what follows round: “The following is false:”.
_TURNS_ROUND = re.compile(
    r"\b(?:not|no|nor|never|none|neither|without|false|untrue|wrong|incorrect|mistaken|myths?|den(?:y|ies|ied)|"
    r"contrary|unless|except|fails?|failed|refus\w+|\w+n[’']t)\b",
    re.IGNORECASE,
)
# Words with which the rest of a sentence takes something back from the claim before a citation.
_TAKES_BACK = re.compile(
    r"[\s,(]*(?:but\s+)?(?:only|if|unless|except|save|provided|subject|but|not|never|nor|until|without|when|where|"
    r"as long|in case|hardly|rarely|allegedly|in theory)\b",
    re.IGNORECASE,
)


def claim_of(answer: str, tag: Tag, *, complete: bool) -> str | None:
    """The sentence that the tag stands in, without tags and list marks; None while more of it may come.

    What stands between the tag and the next one belongs to the claim if it takes something back, what comes
    after the last tag of a sentence always does.
    """
    claim = _before(answer, tag.start)
    if _IS_WHOLE.search(claim):
        return claim
    rest = _rest_of_sentence(answer, tag.end, complete=complete)
    if rest is None:
        return None
    return f"{claim} {rest}" if claim and any(map(str.isalnum, rest)) else claim


def _before(answer: str, start: int) -> str:
    """The beginning of the sentence, up to `start`, with the line that leads in to a list if it turns it
    round.
    """
    before = "".join(part.text for part in parse(answer[:start]) if isinstance(part, Prose)).rstrip()
    begin = 0
    for match in _EDGE.finditer(before):
        word = before[: match.start()].rsplit(None, 1)[-1:]
        abbreviated = "\n" not in match[0] and bool(word) and word[0].strip("(\"'“").lower() in ABBREVIATIONS
        if match.end() < len(before) and not abbreviated:
            begin = match.end()
    claim = " ".join(_LIST_MARK.sub("", before[begin:]).split())
    lead_in = _LEAD_IN.search(before[:begin])
    if claim and lead_in and _TURNS_ROUND.search(lead_in[1]):
        return f"{' '.join(lead_in[1].split())} {claim}"
    return claim


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
