"""The marks in a stored answer: ⟦3⟧ is where citation 3 stands. The brackets hardly occur in documents."""

import re

MARK = re.compile(r"⟦(\d+)⟧")
_BRACKETS = str.maketrans("⟦⟧", "[]")
_DIGIT = r"\d⁰¹²³⁴-⁹₀-₉①-⑳"
# A number in brackets, escaped or not, in emphasis or not, alone or in a list.
_WRITTEN = re.compile(rf"(\\*)\[([\s*_`~,;–-]*[{_DIGIT}][\s*_`~,;–{_DIGIT}-]*)\\?\]")
_CITED = re.compile(rf"(!?)(\\*){MARK.pattern}(?=(.?))", re.DOTALL)


def mark(n: int) -> str:
    return f"⟦{n}⟧"


def without_marks(answer: str) -> str:
    return MARK.sub("", answer)


def unmarked(prose: str) -> str:
    """What a model wrote, of the same length, without a mark of its own: only code cites."""
    return prose.translate(_BRACKETS)


def numbered(answer: str) -> str:
    """The Markdown with [3] where citation 3 stands, for people and programs outside. A number in brackets
    that was written gets round ones, and what stands around a citation makes no link or picture of it.
    """
    return _CITED.sub(_cited, _WRITTEN.sub(_written, answer))


def _written(match: re.Match[str]) -> str:
    return f"{_whole(match[1], down=True)}({match[2]})"


def _cited(match: re.Match[str]) -> str:
    picture, backslashes, number, behind = match.groups()
    before = ("\\!" if picture else "") + _whole(backslashes)
    return f"{before}[{number}]" + ("\\" if behind in {"(", "[", ":"} else "")


def _whole(backslashes: str, *, down: bool = False) -> str:
    """As many that they escape each other and nothing that follows."""
    odd = len(backslashes) % 2
    return backslashes[odd:] if down else backslashes + "\\" * odd
