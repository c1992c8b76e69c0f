"""Whether a statement says yes or no. Pure."""

import re

from english.closed_classes import NEGATIONS, one_of

# "Smelling of nothing" denies nothing.
_DENIES = re.compile(
    rf"\b(?:{one_of(NEGATIONS - {'nothing'})}|prohibit\w*|forbid\w*|refus\w+|exclud\w+"
    r"|bar(?:s|red)|ban(?:s|ned)?|impossible|denied|waived?|free of charge)\b|n['’]t\b",
    re.IGNORECASE,
)
_UNDER_CONDITION = re.compile(
    r"\b(?:unless|except|only (?:if|when|with|where|after)|provided that|subject to|if"
    r"|without (?:the )?(?:prior|written|customer|our|its)|prior (?:written )?(?:consent|approval))\b",
    re.IGNORECASE,
)
_MODAL = r"(?:may|can|must|shall|should|will|is|are|was|were|does|do|need|has|have)"
_MAY = re.compile(
    r"\b(?:may|can|must|shall|allowed|permitted|required|mandatory|entitled|uses?|used|yes"
    r"|(?:is|are|be|feel|['’]re) (?:\w+ )?(?:welcome|free|happy) to"
    r"|(?:is|are|it['’]s|that['’]s) (?:fine|okay|possible(?! that\b)|safe))\b",
    re.IGNORECASE,
)
_DENIED = re.compile(
    rf"\b{_MODAL} not\b|\b(?:cannot|prohibit\w*|forbid\w*|bar(?:s|red)|ban(?:s|ned))\b|\b{_MODAL}n['’]t\b"
    r"|^\W*No\b|\bno (?:\w+ ){0,2}(?:is|are|may|shall|will|can|must)\b",
    re.IGNORECASE,
)
_NOT_ONLY = re.compile(
    r"\bnot only\b|,\s*(?:but )?not\b|\bnot (?:liable|responsible|refundable)\b", re.IGNORECASE
)
_AS_LONG_AS = re.compile(r"(.+?),?\s(?:as|so) long as\b", re.IGNORECASE | re.DOTALL)
_YES = re.compile(r"(?:^|[|:?])\s*yes\b", re.IGNORECASE)
_NO = re.compile(r"(?:^|[|:?])\s*no\b(?!\.?\s*\d)", re.IGNORECASE)


def is_affirmed(text: str) -> bool | None:
    """Yes, no, or neither plainly: a no stands beside a word for may or must, or is said of doing at all."""
    if _YES.search(text):
        return True
    if held := _AS_LONG_AS.match(text):
        return is_affirmed(held[1]) or None  # of a no, nobody can tell
    if _NO.search(text):
        return False
    if _UNDER_CONDITION.search(text) or _NOT_ONLY.search(text):
        return None
    allowed, without, what = text.partition(" without ")
    if without and _MAY.search(allowed) and not _DENIES.search(allowed) and not _DENIES.search(what):
        return True  # "you may take pictures without flash"
    denied = len(_DENIES.findall(text))
    if denied == 0:
        return True if _MAY.search(text) else None
    return False if denied == 1 and _DENIED.search(text) else None
