"""The HTML or text that RTF was made of ([MS-OXRTFEX]), else its own text. In the sandbox.

Outlook keeps messages as RTF with the HTML inside: tags in groups of their own, and print for other programs
that is marked to be skipped.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from formats.plain_text.decoding import WESTERN, encoding_called

_TOKEN = re.compile(
    rb"\\(?:'(?P<hex>[0-9A-Fa-f]{2})|(?P<word>[A-Za-z]{1,40})(?P<number>-?\d{1,10})?[ ]?|(?P<sign>[^A-Za-z]))"
    rb"|(?P<brace>[{}])|(?P<text>[^\\{}\r\n]+)|[\r\n]+"
)
SKIPPED = {
    *("fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "header", "footer", "generator"),
    *("listtable", "listoverridetable", "themedata", "datastore", "pntext", "fldinst"),
}
WORDS = {
    "par": "\n",
    "line": "\n",
    "sect": "\n",
    "page": "\n",
    "row": "\n",
    "tab": "\t",
    "cell": "\t",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
    "bullet": "•",
    "endash": "–",
    "emdash": "—",
    "emspace": " ",
    "enspace": " ",
}
SIGNS = {b"~": "\u00a0", b"_": "-", b"\n": "\n", b"\r": "\n", b"\\": "\\", b"{": "{", b"}": "}"}
CHARSETS = {  # of fonts
    128: "cp932",
    129: "cp949",
    130: "johab",
    134: "gb18030",
    136: "cp950",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
}
MOST_OPEN = 10_000  # groups in groups


@dataclass(frozen=True, slots=True)
class _Group:
    """encoding: of its font. is_skipped: it says nothing. is_tag: it holds a piece of HTML. is_print: for
    programs that show no HTML. fallback: how many letters behind a Unicode one are for programs that know
    none.
    """

    encoding: str
    is_skipped: bool = False
    is_tag: bool = False
    is_print: bool = False
    fallback: int = 1


@dataclass(slots=True)
class _Reader:
    is_html: bool
    encoding: str
    group: _Group = field(init=False)
    outer: list[_Group] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    waiting: bytearray = field(default_factory=bytearray)  # bytes of letters, of which one may have two
    left: int = 0  # letters to leave out
    is_optional: bool = False  # behind \*: a word that is not known begins a group that is skipped
    fonts: dict[int, str] = field(default_factory=dict)  # their encodings
    font: int = 0  # that the table of fonts is at

    def __post_init__(self) -> None:
        self.group = _Group(self.encoding)

    def token(self, match: re.Match[bytes]) -> None:
        if brace := match["brace"]:
            self.brace(brace)
        elif match["hex"]:
            self.letters(bytes.fromhex(match["hex"].decode()))
        elif match["word"]:
            self.word(match["word"].decode(), int(match["number"]) if match["number"] else None)
        elif sign := match["sign"]:
            if sign == b"*":
                self.is_optional = True
            elif sign in SIGNS:
                self.say(SIGNS[sign])
        elif text := match["text"]:
            self.letters(text)

    def brace(self, brace: bytes) -> None:
        self.flush()
        self.left, self.is_optional = 0, False
        if brace == b"{":
            if len(self.outer) < MOST_OPEN:
                self.outer.append(self.group)
        elif self.outer:
            self.group = self.outer.pop()

    def letters(self, text: bytes) -> None:
        dropped = min(self.left, len(text))
        self.left -= dropped
        if self.is_shown():
            self.waiting += text[dropped:]

    def say(self, text: str) -> None:
        if self.left:
            self.left -= 1
        elif self.is_shown():
            self.flush()
            self.said.append(text)

    def is_shown(self) -> bool:
        """Of HTML what is in its tags, and what stands between them."""
        return not self.group.is_skipped and (self.group.is_tag or not self.group.is_print)

    def flush(self) -> None:
        if self.waiting:
            self.said.append(bytes(self.waiting).decode(self.group.encoding, "replace"))
            self.waiting.clear()

    def word(self, word: str, number: int | None) -> None:
        is_optional, self.is_optional = self.is_optional, False
        if word == "htmltag" and self.is_html:
            self.group = replace(self.group, is_tag=True)
        elif word == "htmlrtf" and self.is_html:
            self.group = replace(self.group, is_print=number != 0)
        elif word == "f" and number is not None:
            self.flush()
            self.font = number
            self.group = replace(self.group, encoding=self.fonts.get(number, self.encoding))
        elif word == "fcharset" and number in CHARSETS:
            self.fonts[self.font] = CHARSETS[number]
        elif word in SKIPPED or is_optional:
            self.group = replace(self.group, is_skipped=True)
        elif word == "uc" and number is not None:
            self.group = replace(self.group, fallback=min(max(number, 0), 10))
        elif word == "u" and number is not None:
            self.left = 0
            self.say(chr(number % 65536))
            self.left = self.group.fallback
        elif word in WORDS:
            self.say(WORDS[word])

    def text(self) -> str:
        self.flush()
        joined = "".join(self.said)  # a letter beyond the first 65,536 is written as two halves
        return joined.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def html_or_text(rtf: bytes) -> tuple[str, bool]:
    """What it says, and whether that is HTML."""
    is_html = bool(re.search(rb"\\fromhtml1?\b", rtf[:4096]))
    page = re.search(rb"\\ansicpg(\d{1,5})", rtf[:4096])
    encoding = encoding_called(f"cp{page[1].decode()}") if page else ""
    reader = _Reader(is_html=is_html, encoding=encoding or WESTERN)
    for match in _tokens(rtf):
        reader.token(match)
    return reader.text(), is_html


def _tokens(rtf: bytes) -> Iterator[re.Match[bytes]]:
    return _TOKEN.finditer(rtf)
