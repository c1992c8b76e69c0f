"""The marks in a stored answer: ⟦3⟧ is the place of citation 3. Documents hardly ever have these brackets."""

import re
from collections.abc import Iterable
from html import unescape

from text.words import letters

MARK = re.compile(r"⟦(\d+)⟧")
NUMBERED = re.compile(r"(?<!\\)\[(\d{1,4})\](?!\()")  # what `numbered` writes where a citation stands
_BRACKETS = str.maketrans("⟦⟧", "[]")
_DIGIT = r"\d⁰¹²³⁴-⁹₀-₉①-⑳"
# A number in brackets, escaped or not, in emphasis or not, alone or in a list. Backslashes are looked at from
# their first on, lest many of them take quadratic time.
_WRITTEN = re.compile(rf"(?<!\\)(\\*)\[([\s*_`~,;–-]*[{_DIGIT}][\s*_`~,;–{_DIGIT}-]*)\\?\]")
_CITED = re.compile(rf"(!?)(?<!\\)(\\*){MARK.pattern}(?=(.?))", re.DOTALL)


def mark(n: int) -> str:
    return f"⟦{n}⟧"


def without_marks(answer: str) -> str:
    return MARK.sub("", answer)


def cited(answer: str) -> str:
    """The answer up to its last mark: without words whose place was still to come."""
    marks = list(MARK.finditer(answer))
    return answer[: marks[-1].end()] if marks else ""


def unmarked(prose: str) -> str:
    """The model's text at the same length, without marks of its own: only code may cite."""
    return prose.translate(_BRACKETS)


def numbered(answer: str, quotes: Iterable[str]) -> str:
    """The Markdown with [3] where citation 3 stands, for people and programs outside. A number in brackets
    that was written gets round ones, and what stands around a citation makes no link or picture of it.

    quotes: those of the citations. A line of a quotation that is one of them letter by letter stays so.
    """
    known = {_letters(quote) for quote in quotes}

    def written(match: re.Match[str]) -> str:
        if _letters(_quoted_line(match)) in known:
            return f"{_whole(match[1], down=True)}\\[{match[2]}\\]"
        return f"{_whole(match[1], down=True)}({match[2]})"

    return _CITED.sub(_cited, _WRITTEN.sub(written, answer))


def _quoted_line(match: re.Match[str]) -> str:
    """The line of a quotation within which the match is, without marks; empty where it is in none."""
    text = match.string
    start, end = text.rfind("\n", 0, match.start()) + 1, text.find("\n", match.start())
    line = text[start : end if end >= 0 else len(text)]
    return without_marks(line) if line.startswith(">") and "\n" not in match[0] else ""


def _letters(text: str) -> str:
    """What no sign of Markdown changes."""
    return letters(unescape(text))


def _cited(match: re.Match[str]) -> str:
    picture, backslashes, number, behind = match.groups()
    before = ("\\!" if picture else "") + _whole(backslashes)
    return f"{before}[{number}]" + ("\\" if behind in {"(", "[", ":"} else "")


def _whole(backslashes: str, *, down: bool = False) -> str:
    """As many that they escape each other and nothing that follows."""
    odd = len(backslashes) % 2
    return backslashes[odd:] if down else backslashes + "\\" * odd
