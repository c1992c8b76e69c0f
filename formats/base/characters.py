"""Characters that text is rid of, whatever file it comes from, as code points."""

import unicodedata

LINE_ENDS = (0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029)
SPACES = (0x09, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)
DROPPED = (0xAD, 0x200B, 0x2060, 0xFEFF, 0xFFFE, 0xFFFF)
CONTROLS = (*range(0x20), *range(0x7F, 0xA0))
BIDI_CONTROLS = (0x200E, 0x200F, 0x061C, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
SURROGATES = range(0xD800, 0xE000)

_CLEAN: dict[int, str | None] = (
    dict.fromkeys((*CONTROLS, *DROPPED, *BIDI_CONTROLS, *SURROGATES))
    | dict.fromkeys((0x0A, *LINE_ENDS), "\n")
    | dict.fromkeys(SPACES, " ")
)


def clean_text(text: str) -> str:
    """Without what cannot be seen: every space is a plain one, a line ends with "\n", letters with accents
    are one character where there is one.
    """
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").translate(_CLEAN))


def one_line(text: str) -> str:
    """Clean, its words one space apart."""
    return " ".join(clean_text(text).split())


def clean_lines(text: str, *, gaps: bool = True) -> str:
    """Clean, its lines kept, the words of each one space apart. gaps: empty lines between them are kept."""
    lines = (" ".join(line.split()) for line in clean_text(text).split("\n"))
    return "\n".join(line for line in lines if line or gaps).strip()
