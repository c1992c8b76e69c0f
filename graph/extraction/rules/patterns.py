"""What names, dates, amounts, references and codes look like: the patterns that several rules share."""

import re
import unicodedata

from graph.extraction.rules import words

BEYOND_CAPITALS = 0x1E944  # no script with capitals has letters from here on


def _capitals() -> str:
    """Capital letters of all scripts that have them, as the inside of a character class."""
    ranges: list[list[int]] = []
    for point in range(BEYOND_CAPITALS):
        if unicodedata.category(chr(point)) in {"Lu", "Lt"}:
            if ranges and ranges[-1][1] == point - 1:
                ranges[-1][1] = point
            else:
                ranges.append([point, point])
    return "".join(f"{chr(a)}-{chr(b)}" if a != b else chr(a) for a, b in ranges)


CAPITAL = _capitals()
_CAP = rf"(?:(?:[{CAPITAL}]\.){{1,5}}(?:[{CAPITAL}]\b)?|[a-z]?[{CAPITAL}](?:[\w]|[-'’&](?=\w))*)"
_JOIN = (
    r"(?:of the|of|de la|de los|de|del|della|di|da|do|dos|du|des|la|le|von der|von|van der|van den|van|al"
    r"|bin|ibn|for the|for|at|upon)"
)
_GAP = r"(?: |\n(?!\s*\n))+"  # no tab: what follows one is another cell
NAME = re.compile(
    rf"(?<![\w])(?:(?:1[0-9]|20)\d\d{_GAP}(?={_CAP}))?{_CAP}"
    rf"(?:(?:{_GAP}(?:{_JOIN}{_GAP})?|\s?&\s?|[-–/]){_CAP}|{_GAP}\d{{1,4}}(?![\w,.%]\d|\w|%|\s+(?:{words.UNITS})\b))*"
    rf"(?:{_GAP}\([^()\n]{{2,40}}\)(?=[\t\n\x1f]|$))?"
)
_WORD = rf"[{CAPITAL}][a-z]+(?:-[{CAPITAL}]?[a-z]+)*"
# Not a part of a longer title: “Management’s Discussion and Analysis of Financial Condition”.
JOINED_BY_AND = re.compile(
    rf"(?<![\w-])(?<!['’]s\s)(?!(?:The|An?|In|On|By|For|From|With|Our|Its|Their|This|All|Both)\b){_WORD}"
    rf"(?:{_GAP}{_WORD})?{_GAP}and{_GAP}{_WORD}(?:{_GAP}{_WORD}){{0,2}}+(?![\w-])(?!{_GAP}of\b)"
)
PERIOD = re.compile(r"\b(?:week|month|quarter|year)s? ended\b|\bas (?:of|at)\b", re.IGNORECASE)
_S = r"[ \n]"  # within a value; a tab would join two cells of a table
_YEAR = r"(?:1\d|20)\d\d"
_DATES = "|".join(
    (
        rf"(?:\d{{1,2}}(?:st|nd|rd|th|\.)?{_S}+)?{words.MONTHS}\.?(?:{_S}+\d{{1,2}}(?:st|nd|rd|th)?)?,?{_S}+{_YEAR}\b",
        rf"\d{{1,2}}(?:st|nd|rd|th)?{_S}{words.MONTHS}\b",
        rf"{words.MONTHS}{_S}+\d{{1,2}}\b(?!\s*[,.]?\d)",
        rf"{_YEAR}-\d\d-\d\d\b|\d{{1,2}}[/.]\d{{1,2}}[/.]{_YEAR}\b",
        rf"(?:(?:first|second|third|fourth){_S}+quarter{_S}+of{_S}+(?:fiscal{_S}+)?|fiscal{_S}+(?:year{_S}+)?|Q[1-4]{_S}+)"
        rf"{_YEAR}\b",
        rf"(?<=\b[Ii]n ){_YEAR}\b(?!{_S}+[{CAPITAL}])",
    )
)
_AMOUNTS = (
    r"(?:US)?[$€£¥]\s?\d(?:[\d,]*\d)?(?:\.\d+)?(?:\s?(?:million|billion|trillion|thousand|bn|m|k)\b)?"
    rf"|\b\d[\d,]*(?:\.\d+)?{_S}?(?:(?:million|billion|trillion){_S}+)?"
    rf"(?:%|percent\b|per{_S}cent\b|USD\b|EUR\b|GBP\b|dollars\b|euros\b|pounds\b)"
)
_REFERENCES = (
    r"(?:\b(?:(?:Section|Clause|Article|Schedule|Exhibit|Item|Note|Figure|Table|Chapter|Rule|Part)s?|Appendix|Annex)"
    rf"{_S}+|§+{_S}?)(?:\d+[A-Z]?(?:\.\d+)*(?:\([a-z0-9]{{1,3}}\))*|[A-Z]\b|[IVX]+\b)"
)
_CODES = (
    r"\b[A-Z]{2,8}(?:[-–/][A-Z]{1,6})*[-–/ ]?\d{1,7}(?:[-./:]\d+)*[A-Za-z]?\b"
    rf"|\b(?:[Ff]orms?{_S})?\d{{1,4}}-[KQ]\b(?:/A\b)?"
)
VALUE = re.compile(
    rf"(?P<DATE>\b(?:{_DATES}))|(?P<AMOUNT>{_AMOUNTS})|(?P<REFERENCE>{_REFERENCES})|(?P<CODE>{_CODES})"
)
QUOTED = re.compile(rf"[“\"«„]((?:[{CAPITAL}0-9])[^“”\"«»„\n]{{1,70}}?)[,.]?[”\"»“]")
CJK_QUOTED = re.compile(r"[「『《]([^「」『』《》\n]{2,40})[」』》]")
NUMBERED_SECTION = re.compile(
    rf"(?m)^[ \t]*(?:Section|Clause|Article)?[ \t]*(\d{{1,2}}(?:\.\d{{1,2}}){{0,3}})\.?[ \t]+"
    rf"(?=[{CAPITAL}][^\t\n]*$)"  # not the first cell of a row
)
PARENTHESISED = re.compile(
    r"\(\s*(?:the\s+|each,?\s+an?\s+|collectively,?\s+(?:the\s+)?|hereinafter\s+(?:the\s+)?)?$"
)
PAGE_NUMBER = re.compile(r"\s*\b[Pp]ages? \d+(?: of \d+)?\b")
CAPITALISED = re.compile(rf"\b[{CAPITAL}][\w-]*")
LOWER_WORD = re.compile(r"\b[a-zà-öø-ÿ]{3,}\b")
