"""Characters that text is rid of, whatever file it comes from, as code points."""

from functools import cache

from text.normal_forms.clean_form import UNSEEN, clean_form, is_seen

LINE_ENDS = (0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029)
SPACES = (0x09, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)
CONTROLS = (*range(0x20), *range(0x7F, 0xA0))
SURROGATES = range(0xD800, 0xE000)
DROPPED = (*UNSEEN, 0xFFFE, 0xFFFF)


def clean_text(text: str, *, kept: str = "") -> str:
    """Without what cannot be seen: every space is a plain one, a line ends with "\n", letters with accents
    are one character where there is one. kept: control characters that stay, such as "\t".
    """
    return clean_form(without_controls(text, kept=kept))


def without_controls(text: str, *, kept: str = "") -> str:
    """Clean but for its letters, which stay as they are composed: what is still to be parsed."""
    return text.replace("\r\n", "\n").translate(_table(kept))


@cache
def _table(kept: str) -> dict[int, str | None]:
    return (
        dict.fromkeys((*CONTROLS, *DROPPED, *SURROGATES))
        | dict.fromkeys((0x0A, *LINE_ENDS), "\n")
        | dict.fromkeys(SPACES, " ")
        | {ord(control): control for control in kept}
    )


def one_line(text: str) -> str:
    """Clean, its words one space apart."""
    return " ".join(clean_text(text).split())


def visible_name(text: str) -> str:
    """A name as people read it, on one line; "" for one that nobody could see."""
    name = one_line(text)
    return name if is_seen(name) else ""


def clean_lines(text: str, *, gaps: bool = True) -> str:
    """Clean, its lines kept, the words of each one space apart. gaps: empty lines between them are kept."""
    lines = (" ".join(line.split()) for line in clean_text(text).split("\n"))
    return "\n".join(line for line in lines if line or gaps).strip()
