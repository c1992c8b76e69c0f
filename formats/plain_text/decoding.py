"""From a text file to its bytes and characters."""

import codecs
import re
import unicodedata
from pathlib import Path

from formats.base.characters import CONTROLS, clean_text, without_controls
from formats.base.errors import ExtractionError, gettext_noop, too_many_bytes

BYTE_ORDER_MARKS = {  # the longer ones first: that of UTF-32 begins as that of UTF-16 does
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
GUESSED_BYTES = 1_000_000  # of the beginning, enough to guess an encoding
WIDE_SHARE = 0.4  # of every second byte is 0 in UTF-16 of an alphabet
BINARY_SHARE = 0.01  # control characters in a text; more make it no text
INTACT = 4  # times as many sequences of UTF-8 must be whole as are broken
WESTERN = "cp1252"
_NAMES = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
    "utf-32": "UTF-32",
    "cp1252": "Windows-1252",
}
FOREIGN_SHARE = 0.06  # of all letters beyond ASCII: English, German, French or Spanish hardly has more
# Another encoding read as Windows-1252: a capital that ends a word in small letters, long runs beyond ASCII.
_NOT_WESTERN = re.compile(r"[a-z][ŠŒŽŸ](?![A-Z])|[^\x00-\x7f\xa0‘’“”–—…•]{4}")
# Any encoding read as another one: a symbol within a word, as in "Wa³êsa".
_WITHIN_WORD = re.compile(r"(?<=[^\W\d_])[^\x00-\x7f](?=[^\W\d_])")
_SYMBOLS = {"No", "Sc", "Sk", "Sm", "So"}  # Unicode's categories of them
# Encodings of text as Python calls them; others, such as "idna" or "unicode_escape", are for programs.
_OF_TEXT = re.compile(
    r"ascii|utf-(7|8|8-sig|(16|32)(-[lb]e)?)|iso8859-\d+|cp\d+|koi8-\w|mac-\w+|gb2312|gbk|gb18030|hz|big5(hkscs)?"
    r"|euc_\w+|shift_jis\w*|johab|iso2022_\w+|tis-620|kz1048|ptcp154|hp-roman8"
)
# How files begin that are no text in whatever encoding: archives, databases, files of Office of before 2007.
OTHER_DATA = (
    *(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"PK\x03\x04", b"\x1f\x8b\x08", b"7z\xbc\xaf\x27\x1c"),
    *(b"Rar!\x1a\x07", b"SQLite format 3\0", b"\x28\xb5\x2f\xfd", b"\x7fELF"),
)
_KEPT = "\t\n\f"
_TEXT_CONTROLS = "\t\n\v\f\r\b\x1b\x85"  # those that editors, printers and terminals leave


def content_within(path: Path, most: int) -> bytes:
    """A file's content, at most so many bytes. Raises ExtractionError."""
    content = path.read_bytes()
    if len(content) > most:
        raise too_many_bytes(len(content), most)
    return content


def decode(content: bytes) -> str:
    """The clean text, with "\\t", "\\n" at each line's end and "\\f" at a page's.

    Raises ExtractionError for what is no text, or is in an encoding that cannot be worked out.
    """
    return clean_text(decode_as(content)[0], kept=_KEPT)


def decode_as(content: bytes) -> tuple[str, str]:
    """The text to be parsed, its letters as they are composed in the file: with a mark, ">" would become a
    letter. And the name of the encoding that it was in, such as "UTF-8".
    """
    if content.startswith(OTHER_DATA):
        raise _no_text()
    text, encoding = _decoded(content)
    if is_binary(text):
        raise _no_text()
    return without_controls(text, kept=_KEPT), _NAMES.get(encoding, encoding)


def _no_text() -> ExtractionError:
    return ExtractionError(
        "unsupported", gettext_noop("This file is named like a text file but holds other data.")
    )


def encoding_called(name: str) -> str:
    """The encoding of text that a file names, as Python calls it; "" for one that is none.

    Browsers read some as Windows-1252, and so do those who write them.
    """
    try:
        found = codecs.lookup(name).name
    except (LookupError, ValueError):  # also for a name that is none
        return ""
    if found in ("ascii", "iso8859-1"):
        return WESTERN
    return found if _OF_TEXT.fullmatch(found) else ""


def is_binary(text: str) -> bool:
    """Whether there are more control characters than a text has."""
    controls = sum(text.count(chr(code)) for code in CONTROLS if chr(code) not in _TEXT_CONTROLS)
    return controls > BINARY_SHARE * len(text)


def _decoded(content: bytes) -> tuple[str, str]:
    for mark, encoding in BYTE_ORDER_MARKS.items():
        if content.startswith(mark):
            return content.decode(encoding, "replace"), encoding
    for encoding, first in (("utf-16-le", 1), ("utf-16-be", 0)):
        if content[first::2].count(0) > WIDE_SHARE * len(content) / 2:
            return content.decode(encoding, "replace"), encoding
    text = content.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    if not broken or sum(character > "\x7f" for character in text) - broken >= INTACT * broken:
        return text, "utf-8"
    encoding = _guess(content[:GUESSED_BYTES])
    return content.decode(encoding, "replace"), encoding


def _guess(content: bytes) -> str:
    """The older encoding that makes most sense of the letters; a Western one where several do.

    A few letters are too few for statistics, and Windows-1252 is what they most often are.
    """
    western = _as_western(content)
    if western and _foreign_share(western) <= FOREIGN_SHARE:
        return WESTERN
    from charset_normalizer import from_bytes

    matches = from_bytes(content)
    best = next((match for match in matches if not _has_split_words(str(match))), matches.best())
    if best is None:
        raise ExtractionError(
            "unsupported",
            gettext_noop("SVQ could not work out this file's encoding."),
            gettext_noop("Save it as UTF-8, which every editor offers, and add it again."),
        )
    alike = [m for m in matches if WESTERN in (m.encoding, *m.could_be_from_charset)]
    if best.encoding == "cp1250" and western and alike and alike[0].chaos <= best.chaos:
        return WESTERN
    return best.encoding


def _as_western(content: bytes) -> str:
    """The text in Windows-1252; empty where it would have what no Western text has in that place."""
    try:
        text = content.decode(WESTERN)
    except UnicodeDecodeError:
        return ""
    return "" if _NOT_WESTERN.search(text) or _has_split_words(text) else text


def _has_split_words(text: str) -> bool:
    return any(unicodedata.category(found[0]) in _SYMBOLS for found in _WITHIN_WORD.finditer(text))


def _foreign_share(text: str) -> float:
    """How many of the letters are beyond ASCII, 0 to 1."""
    letters = [character for character in text if character.isalpha()]
    return sum(character > "\x7f" for character in letters) / max(1, len(letters))
