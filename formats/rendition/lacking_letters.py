"""What the fonts of a report's PDF have no letters for. Pure."""

import unicodedata

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


def said_of_letters(text: str) -> str:
    """That the PDF lacks the letters of some scripts in the text; empty where it has all."""
    names = {_script(letter) for letter in set(text) if letter.isalpha()}
    lacking = sorted(name.title() for name in names if name and name not in _WITH_GLYPHS)
    if not lacking:
        return ""
    return f"This PDF has no letters for {', '.join(lacking)}: where such words stand, there are empty boxes."


def _script(letter: str) -> str:
    """As Unicode begins the letter's name; of Chinese, the fonts have the letters of the first plane."""
    script = unicodedata.name(letter, "").split(" ")[0]
    return "RARE CHINESE CHARACTERS" if script == "CJK" and ord(letter) > 0xFFFF else script
