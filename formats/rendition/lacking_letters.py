"""What the fonts of a report's PDF have no letters for."""

import unicodedata

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from localization.lists import joined

# How Unicode begins the names of letters that the fonts have; Typst brings those of mathematics.
_WITH_GLYPHS = {
    "ALEF",
    "ANGSTROM",
    "ARABIC",
    "BET",
    "BLACK-LETTER",
    "BOPOMOFO",
    "CJK",
    "CYRILLIC",
    "DALET",
    "DEVANAGARI",
    "DOUBLE-STRUCK",
    "EULER",
    "FEMININE",
    "FULLWIDTH",
    "GIMEL",
    "GREEK",
    "HALFWIDTH",
    "HANGUL",
    "HEBREW",
    "HIRAGANA",
    "IDEOGRAPHIC",
    "INFORMATION",
    "KATAKANA",
    "KATAKANA-HIRAGANA",
    "KELVIN",
    "LATIN",
    "MASCULINE",
    "MATHEMATICAL",
    "MICRO",
    "MODIFIER",
    "OHM",
    "PLANCK",
    "ROMAN",
    "SCRIPT",
    "SUBSCRIPT",
    "SUPERSCRIPT",
    "TURNED",
    "VERTICAL",
}

RARE = gettext_noop("Rare Chinese Characters")
# Marked for translation, as those that are also languages are in `formats.ocr.languages`.
_OF_MORE_LANGUAGES = (
    gettext_noop("Ethiopic"),
    gettext_noop("Gujarati"),
    gettext_noop("Gurmukhi"),
    gettext_noop("Kannada"),
    gettext_noop("Malayalam"),
    gettext_noop("Mongolian"),
    gettext_noop("Myanmar"),
    gettext_noop("Oriya"),
    gettext_noop("Sinhala"),
    gettext_noop("Tibetan"),
)


def said_of_letters(text: str) -> str:
    """That the PDF lacks the letters of some scripts in the text; empty where it has all."""
    names = {_lacking(letter) for letter in set(text) if letter.isalpha()}
    lacking = sorted(_(name) for name in names if name)
    if not lacking:
        return ""
    told = _("This PDF has no letters for {scripts}: where such words stand, there are empty boxes.")
    return told.format(scripts=joined(lacking))


def _lacking(letter: str) -> str:
    """Of a letter that the fonts lack, as Unicode begins its name; of Chinese, they have those of the first
    plane.
    """
    script = unicodedata.name(letter, "").split(" ")[0]
    if script == "CJK" and ord(letter) > 0xFFFF:
        return RARE
    return "" if script in _WITH_GLYPHS else script.title()
