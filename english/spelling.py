"""One spelling for what English texts write in several ways: marks, negations, abbreviations, periods."""

import re
import unicodedata

from english.quantities import ORDINALS
from text.sentences import ABBREVIATIONS
from text.word_lists import pairs

_POSSESSIVE = re.compile(r"(?<=\w)\s+('s|')(?=\s)")
EMPHASIS = re.compile(r"[*_`>#|]+|^[^\S\n]*+(?:[-+•]|\d+[.)])\s+", re.MULTILINE)
_MARKS = {ord(sign): "" for sign in "™®©"}  # which would become letters of the word before them
_QUOTES = {ord(sign): "'" for sign in "‘’‚‛`´"} | {ord(sign): '"' for sign in "“”„‟«»″"}
_RAISED = {ord(sign): f"^{number}" for number, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}  # 10² is not 102
_DASHES = re.compile(r"(?<!\s)\s++[-–—]+\s+|[—―]")
_NOT = re.compile(
    r"\b(ca|wo|sha|do|does|did|is|are|was|were|has|have|had|could|would|should|must|need)\s?n't\b",
    re.IGNORECASE,
)
_FULL = {"ca": "can", "wo": "will", "sha": "shall"}
_CONTRACTIONS = {"s": "is", "re": "are", "ve": "have", "ll": "will", "m": "am", "d": "would"}
_CONTRACTED = re.compile(
    r"\b(it|that|there|he|she|what|who|here|they|we|you|i|these|those|this)'(s|re|ve|ll|m|d)\b", re.IGNORECASE
)
_ACRONYM_NAMES = pairs(
    """R&D research and development, M&A mergers and acquisitions, CEO chief executive officer, CFO chief
    financial officer, COO chief operating officer, CTO chief technology officer, VP vice president, IPO
    initial public offering, EPS earnings per share, WWI World War I, WWII World War II, AI artificial
    intelligence, VAT value added tax, YoY year over year, US United States, UN United Nations"""
)
_ACRONYMS = re.compile(r"\b(?:R&D|M&A|CEO|CFO|COO|CTO|VP|IPO|EPS|WWII?|AI|VAT|YoY|US(?! ?\$)|UN)\b")
_STOPPED = re.compile(
    rf"\b({'|'.join(sorted(map(re.escape, ABBREVIATIONS), key=len, reverse=True))})\.(?=\s+(?-i:[^\sA-Z]))",
    re.IGNORECASE,
)
_TITLE = re.compile(r"\b(Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|Inc|Corp|Ltd|Co|vs)\.(?=,?\s+\S)")
_BLANKS, _LINE_ENDS = re.compile(r"[^\S\n\t]+"), re.compile(r" ?\n(?:[ \t]*+\n)*+")
_FIGURE = r"(?=\s+(?:by\s+|about\s+|approximately\s+)?[$€£]?\d)"
_UP, _DOWN = (
    re.compile(rf"\b(?:(?:is|are|was|were)\s+)?up{_FIGURE}"),
    re.compile(rf"\b(?:(?:is|are|was|were)\s+)?down{_FIGURE}"),
)
_AMOUNTED = re.compile(rf"\b(?:totall?ed|amounted\s+to|stood\s+at|came\s+to|equall?ed){_FIGURE}")
_QUARTER = re.compile(
    r"\b(?:three|3|thirteen|13)[\s-](?:month|week)s?(?:\s+periods?)?(?=\s+end)", re.IGNORECASE
)
_YEAR_LONG = re.compile(
    r"\b(?:twelve|12|fifty-two|52)[\s-](?:month|week)s?(?:\s+periods?)?(?=\s+end)", re.IGNORECASE
)
_QUARTER_NUMBER = re.compile(r"\bQ([1-4])\b|\b([1-4])Q(?=\d|\b)")
_NTH = {number: word for word, number in ORDINALS.items()}
_FISCAL_YEAR = re.compile(r"\b(?:fiscal|financial)\s+years?\b|\bFY(?=\s?\d)", re.IGNORECASE)
_REASON = re.compile(
    r"\b(?:due|owing) to\b|\bon account of\b|\bas a (?:result|consequence) of\b", re.IGNORECASE
)
_SHORT_YEAR = re.compile(r"(?<=fiscal )\s*'?(\d\d)\b(?!,)")
# A reference is the number or letter of a place and nothing else: what else stands in a bracket is read.
_PLACE = (
    r"(?:clause|section|article|schedule|annex|appendix|exhibit|page|p\.|pp\.|note|item|table|figure|§)s?\s*+"
    r"(?:\d++[a-z]?|[ivxlc]++|[a-z])(?:[.–-]\d++|,\d[\d.]*+)*+(?:\s*+\([a-z0-9]{1,3}\))*+"
)
_REFERENCE = re.compile(  # each part can be read in one way only: long lists would take for ever else
    rf"[(\[]\s*+(?:(?:see|cf\.?|per|under)\s*+)?{_PLACE}"
    rf"(?:\s*+(?:,|and|or|to)\s*+(?:{_PLACE}|\d[\d.]*+))*\s*+[)\]]",
    re.IGNORECASE,
)
_COUNTRIES = re.compile(r"\b(?:U\.S\.A\.|U\.S\.(?!\s*\$)|USA\b|U\.K\.|UK\b|EU\b|E\.U\.)")
_FULL_NAMES = {
    "US": "United States",
    "USA": "United States",
    "UK": "United Kingdom",
    "EU": "European Union",
}


def plain(text: str) -> str:
    """The text with one spelling for marks, dates, negations and periods."""
    text = EMPHASIS.sub(" ", _without_runs(text)).translate(_RAISED | _MARKS)
    text = _without_runs(unicodedata.normalize("NFKC", text).translate(_QUOTES))
    text = _POSSESSIVE.sub(r"\1", text)
    text = _COUNTRIES.sub(lambda match: _FULL_NAMES[match.group().replace(".", "")], text)
    text = _DASHES.sub(" , ", text.replace("−", "-"))
    text = _NOT.sub(lambda match: f"{_FULL.get(match[1].lower(), match[1])} not", text)
    text = _CONTRACTED.sub(lambda match: f"{match[1]} {_CONTRACTIONS[match[2].lower()]}", text)
    text = _ACRONYMS.sub(lambda match: _ACRONYM_NAMES[match.group()], text)
    text = re.sub(r"\bcannot\b", "can not", text, flags=re.IGNORECASE)
    text = _AMOUNTED.sub("was", _UP.sub("increased", _DOWN.sub("decreased", text)))
    text = re.sub(r"\b(?:is|are) still\b", "remains", re.sub(r"\b(?:was|were) still\b", "remained", text))
    text = _TITLE.sub(r"\1", text)
    text = _STOPPED.sub(r"\1", _REASON.sub("because of", text))
    text = _FISCAL_YEAR.sub("fiscal ", text)
    text = _SHORT_YEAR.sub(r"20\1", text)
    text = _QUARTER_NUMBER.sub(lambda match: f" {_NTH[int(match[1] or match[2])]} quarter ", text)
    text = _YEAR_LONG.sub("year", _QUARTER.sub("quarter", text))
    text = _REFERENCE.sub(" ", text)
    if "\t" in text:  # a table keeps its cells and rows
        return "\n".join(
            "\t".join(_folded(cell) for cell in row.split("\t")) for row in text.split("\n") if row.strip()
        )
    return _folded(text)


def _without_runs(text: str) -> str:
    """Of blanks and of empty lines, which would make the search for all else slow."""
    return _LINE_ENDS.sub("\n", _BLANKS.sub(" ", text))


def _folded(text: str) -> str:
    return " ".join(text.split())
