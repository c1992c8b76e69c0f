"""answer.pdf: a pack on paper."""

import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime

from chat.models import Turn
from chat.web.answer_parts import Part, PartKind, parts_of
from formats.rendition.report import NotSet, report_pdf
from packs.content import Content, shown_citations, summary
from packs.keys import PublicKey

TEMPLATE = Path(__file__).with_name("pack.typ")
SECONDS = 60
# How Unicode begins the names of letters that the fonts have; Typst brings those of mathematics.
_WITH_GLYPHS = {
    "ALEF", "ANGSTROM", "ARABIC", "BET", "BLACK-LETTER", "BOPOMOFO", "CJK", "CYRILLIC", "DALET", "DEVANAGARI",
    "DOUBLE-STRUCK", "EULER", "FEMININE", "FULLWIDTH", "GIMEL", "GREEK", "HALFWIDTH", "HANGUL", "HEBREW",
    "HIRAGANA", "IDEOGRAPHIC", "INFORMATION", "KATAKANA", "KATAKANA-HIRAGANA", "KELVIN", "LATIN", "MASCULINE",
    "MATHEMATICAL", "MICRO", "MODIFIER", "OHM", "PLANCK", "ROMAN", "SCRIPT", "SUBSCRIPT", "SUPERSCRIPT",
    "TURNED", "VERTICAL",
}  # fmt: skip
FAILED = "The PDF of this pack could not be made. Take the packs of single answers, from the line under each."


def as_pdf(content: Content, facts: Mapping[str, Any], key: PublicKey, folder: Path) -> bytes:
    """facts: pack.json; its pictures are in the folder. Raises ValidationError when it takes too long."""
    values = {
        **facts,
        "lacking": _said_of_letters(json.dumps(facts, ensure_ascii=False)),
        "summary": summary(content),
        "written_on": _day(datetime.fromisoformat(facts["written"])),
        "key": key.shown,
        "path": reverse("pack_verifier"),
        "answers": [
            _answer(content, turn, told) for turn, told in zip(content.turns, facts["answers"], strict=True)
        ],
    }
    try:
        return report_pdf(TEMPLATE, values, seconds=SECONDS, folder=folder)
    except NotSet as error:
        raise ValidationError(FAILED, code="pack_failed") from error


def _said_of_letters(text: str) -> str:
    """That the PDF lacks the letters of some scripts in the text; empty where it has all."""
    names = {_script(letter) for letter in set(text) if letter.isalpha()}
    lacking = sorted(name.title() for name in names if name and name not in _WITH_GLYPHS)
    if not lacking:
        return ""
    return (
        f"This PDF has no letters for {', '.join(lacking)}: where such words stand, there are empty boxes."
        " Read them in answer.html."
    )


def _script(letter: str) -> str:
    """As Unicode begins the letter's name; of Chinese, the fonts have the letters of the first plane."""
    script = unicodedata.name(letter, "").split(" ")[0]
    return "RARE CHINESE CHARACTERS" if script == "CJK" and ord(letter) > 0xFFFF else script


def _answer(content: Content, turn: Turn, told: dict[str, Any]) -> dict[str, Any]:
    parts = list(_numbered(parts_of(told["answer"])))
    quotes = [
        quote
        | {
            "quote": " ".join(content.source(citation).quote_as_read.split()),
            "claim": content.source(citation).claim,
        }
        for citation, quote in zip(shown_citations(turn), told["citations"], strict=True)
    ]
    return told | {"asked_on": _day(turn.created), "parts": parts, "citations": quotes}


def _numbered(parts: Iterable[Part]) -> Iterator[dict[str, Any]]:
    """The parts with the number that each item of a numbered list has."""
    number = 0
    for part in parts:
        number = number + 1 if part.kind == PartKind.NUMBERED else 0
        yield {"kind": part.kind, "text": part.text, "rows": part.rows, "number": number}


def _day(moment: datetime) -> str:
    return date_format(localtime(moment), "j F Y \\a\\t H:i e")
