"""A text as it is read: without Markdown's signs and what has no width, in plain digits and dashes."""

import html
import re
import unicodedata
from dataclasses import dataclass

_WRITTEN = re.compile(
    r"\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|&(?P<entity>#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]\w{1,31});"
    r"|(?P<nothing>[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]+|\*+(?=\S)|(?<=\S)\*+|~~|`+|(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w))"
    r"|(?P<dash>[\u2010-\u2015\u2212\ufe58\ufe63\uff0d])"
    r"|(?P<other>[^\x00-\x7f])"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AsRead:
    """`text[i]` is written as the letters from `starts[i]` to `ends[i]`."""

    text: str
    starts: list[int]
    ends: list[int]


def as_read(written: str) -> AsRead:
    letters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []

    def take(read: str, start: int, end: int) -> None:
        letters.extend(read)
        starts.extend([start] * len(read))
        ends.extend([end] * len(read))

    position = 0
    for match in _WRITTEN.finditer(written):
        for place in range(position, match.start()):
            take(written[place], place, place + 1)
        take(_read(match), match.start(), match.end())
        position = match.end()
    for place in range(position, len(written)):
        take(written[place], place, place + 1)
    return AsRead(text="".join(letters), starts=starts, ends=ends)


def _read(match: re.Match[str]) -> str:
    if match["escaped"]:
        return match["escaped"]
    if match["entity"]:
        return _plain(html.unescape(match[0]))
    if match["nothing"]:
        return ""
    return "-" if match["dash"] else _plain(match[0])


def _plain(text: str) -> str:
    """Full-width letters and other kinds of spaces as the usual ones; all else as it is."""
    folded = unicodedata.normalize("NFKC", text)
    return folded if folded.isascii() and len(folded) == len(text) else text
