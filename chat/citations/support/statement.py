"""A text as the check reads it: content words, figures, the words that change what is said, and their
clauses.
"""

import re
import unicodedata
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import zip_longest
from typing import Literal

from chat.citations.support.operators import phrases
from text.lexicon import root, without_negative_prefix
from text.quantities import MONTH_DAY, NUMBER, ORDINALS, Quantity, date_of, number_of
from text.sentences import ABBREVIATIONS
from text.word_lists import words

Kind = Literal["word", "figure", "operator", "function", "punctuation"]

DATE_UNITS = frozenset({"day", "month", "year"})

_POSSESSIVE = re.compile(r"(?<=\w)\s+('s|')(?=\s)")
_EMPHASIS = re.compile(r"[*_`>#|]+|^\s*(?:[-+•]|\d+[.)])\s+", re.MULTILINE)
_QUOTES = {ord(sign): "'" for sign in "‘’‚‛`´"} | {ord(sign): '"' for sign in "“”„‟«»″"}
_DASHES = re.compile(r"\s+[-–—]+\s+|[—―]")
_NOT = re.compile(
    r"\b(ca|wo|sha|do|does|did|is|are|was|were|has|have|had|could|would|should|must|need)\s?n't\b",
    re.IGNORECASE,
)
_FULL = {"ca": "can", "wo": "will", "sha": "shall"}
_CONTRACTIONS = {"s": "is", "re": "are", "ve": "have", "ll": "will", "m": "am", "d": "would"}
_CONTRACTED = re.compile(
    r"\b(it|that|there|he|she|what|who|here|they|we|you|i|these|those|this)'(s|re|ve|ll|m|d)\b", re.IGNORECASE
)
_ACRONYM_NAMES = {
    "R&D": "research and development", "M&A": "mergers and acquisitions", "CEO": "chief executive officer",
    "CFO": "chief financial officer", "COO": "chief operating officer", "CTO": "chief technology officer",
    "IPO": "initial public offering", "EPS": "earnings per share", "WWI": "World War I",
    "WWII": "World War II",
    "AI": "artificial intelligence",
    "VAT": "value added tax", "YoY": "year over year", "US": "United States", "UN": "United Nations",
}  # fmt: skip
_ACRONYMS = re.compile(r"\b(?:R&D|M&A|CEO|CFO|COO|CTO|IPO|EPS|WWII?|AI|VAT|YoY|US(?! ?\$)|UN)\b")
_SOURCES = (
    r"(?:document|file|filing|report|agreement|contract|policy|text|passage|quote|source|page|article|paper|notes?|section"
    r"|clause|statement|record|questionnaire|memo|letter|sentence|excerpt|manual|lease|form|book|study|10-[qk])s?"
)
_SAYS = (
    r"(?:states?|says?|notes?|reports?|mentions?|specif(?:y|ies)|explains?|indicates?|confirms?|shows?|provides?"
    r"|tells? us|reads?)"
)
_SOURCE = re.compile(
    rf"^(?:(?:according to|as (?:stated|noted|reported|described|set out|mentioned) in|per|in|as "
    rf"per|based on) (?:the|this|that|its|their) "
    rf"(?:[\w-]+ ){{0,3}}{_SOURCES}(?: itself)?,\s*|(?:the|this) (?:[\w-]+ ){{0,2}}{_SOURCES} "
    rf"(?:also |further )?{_SAYS}(?: that|:)\s*"
    rf"|as (?:the|this) (?:[\w-]+ ){{0,2}}{_SOURCES} (?:puts it|{_SAYS}),\s*"
    rf"|it is (?:true|stated|noted|reported|said|a fact|the case|also true|clear|documented|known) "
    rf"that\s+|the fact is that\s+"
    rf"|(?:yes|in short|in summary|specifically|in fact|notably|indeed|in other words|to be "
    rf"precise|more precisely),\s*)",
    re.IGNORECASE,
)
_SOURCE_BEHIND = re.compile(
    rf",\s*(?:according to|as (?:stated|noted|reported|described|set out) in|per) (?:the|this) "
    rf"(?:[\w-]+ ){{0,3}}"
    rf"{_SOURCES}\s*[.]?$|,\s*(?:as )?(?:the|this) {_SOURCES} (?:puts it|{_SAYS})\s*[.]?$",
    re.IGNORECASE,
)
_STOPPED = re.compile(
    rf"\b({'|'.join(sorted(map(re.escape, ABBREVIATIONS), key=len, reverse=True))})\.(?=\s+[^\sA-Z])",
    re.IGNORECASE,
)
_QUARTER = re.compile(
    r"\b(?:three|3|thirteen|13)[\s-](?:month|week)s?(?:\s+periods?)?(?=\s+end)", re.IGNORECASE
)
_YEAR_LONG = re.compile(
    r"\b(?:twelve|12|fifty-two|52)[\s-](?:month|week)s?(?:\s+periods?)?(?=\s+end)", re.IGNORECASE
)
_QUARTER_NUMBER = re.compile(r"\bQ([1-4])\b|\b([1-4])Q(?=\d|\b)")
_FISCAL_YEAR = re.compile(r"\b(?:fiscal|financial)\s+years?\b|\bFY(?=\s?\d)", re.IGNORECASE)
_REASON = re.compile(
    r"\b(?:due|owing) to\b|\bon account of\b|\bas a (?:result|consequence) of\b", re.IGNORECASE
)
_SHORT_YEAR = re.compile(r"(?<=fiscal )\s*'?(\d\d)\b(?!,)")
_REFERENCE = re.compile(
    r"[(\[]\s*(?:see|cf\.?|per|under)?\s*(?:clause|section|article|schedule|page|p\.|pp\.|note|item|§)\s*[^()\[\]]*[)\]]",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    r"(?P<code>\b(?:[A-Za-z]+-?\d[\w-]*|\d+-?[A-Z][\w-]*|\d+(?:\.\d+){2,})(?![\w]))"
    r"|(?P<cell>[\t\n])|(?P<word>(?:[A-Z]\.){2,}|[^\W\d_]+(?:'[^\W\d_]+)*(?:&[A-Z]+)?)|(?P<mark>[.!?;:,()\[\]\"])",
)
_COUNTRIES = re.compile(r"\b(?:U\.S\.A\.|U\.S\.(?!\s*\$)|USA\b|U\.K\.|UK\b|EU\b|E\.U\.)")
_FULL_NAMES = {
    "US": "United States", "USA": "United States", "UK": "United Kingdom", "EU": "European Union",
}  # fmt: skip
_ABBREVIATIONS = {
    "corp": "corporation", "inc": "incorporated", "ltd": "limited", "co": "company",
    "approx": "approximately",
    "dept": "department", "govt": "government", "intl": "international", "mgmt": "management",
    "avg": "average",
    "max": "maximum", "min": "minimum", "yr": "year", "yrs": "years", "mo": "month", "mos": "months",
    "qtr": "quarter",
    "hr": "hour", "hrs": "hours", "info": "information", "vs": "versus", "versus": "versus",
    "est": "established",
    "tech": "technology", "apr": "april", "jan": "january", "feb": "february", "aug": "august",
    "sep": "september",
    "sept": "september", "oct": "october", "nov": "november", "dec": "december", "exec": "executive",
    "vp": "president",
}  # fmt: skip
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)\b")
FUNCTION = words(
    """a an the this that these those it its itself they them their theirs he him his himself she her
    hers herself we us our ours ourselves i me my you your yours who whom whose which what when where why
    how there here is am are was were be been being has have had having do does did done of in on at to
    from for by with as into onto out off over under above below between among through during about
    against per via and or but so than then if also too very such same own one's other others another
    and/or nor both either while whereas although though because since thus hence therefore however
    moreover furthermore further within upon pursuant accordance respect regard regarding concerning with
    respectively etc eg ie i.e e.g llc plc mr mrs ms dr yes thereof therein hereby herein hereof
    hereunder thereto thereunder like well way order compared versus vs get gets got fact namely
    including includes include included following number amount total around along across behind beyond
    toward towards throughout additionally nevertheless nonetheless likewise consequently accordingly
    meanwhile indeed thereby again already"""
)
_CONTENT_ANYWAY = words("including includes include included total number amount following")
FUNCTION = FUNCTION - _CONTENT_ANYWAY
_BREAKS = words("but while whereas although though because which who whom whose where")
_CLAUSE_MARKS = {",", ";", ":", "(", ")", "[", "]", "."}


@dataclass(slots=True, kw_only=True)
class Token:
    """One word, figure or operator. surface: as written; key: by which it is compared; clause, segment:
    numbers of the stretch up to a comma and the stretch up to a full stop or semicolon that it stands
    in; row, cell: its place in a table, cell -1 outside of tables.
    """

    kind: Kind
    surface: str
    key: str
    clause: int = 0
    segment: int = 0
    family: str = ""
    says: frozenset[str] = frozenset()
    quantity: Quantity | None = None
    capital: bool = False
    row: int = 0
    cell: int = -1

    @property
    def is_content(self) -> bool:
        return self.kind in ("word", "figure")


@dataclass(kw_only=True)
class Statement:
    """A text's tokens in order; `content` are the places of words and figures among them."""

    text: str
    tokens: list[Token] = field(default_factory=list)

    @cached_property
    def content(self) -> list[int]:
        return [place for place, token in enumerate(self.tokens) if token.is_content]

    @property
    def is_table(self) -> bool:
        return bool(self.tokens) and self.tokens[0].cell >= 0

    @cached_property
    def operators(self) -> list[int]:
        return [place for place, token in enumerate(self.tokens) if token.kind == "operator"]


def claimed(text: str) -> str:
    """A claim without what only says where it is from: "According to the report, ..."."""
    return _SOURCE_BEHIND.sub("", _SOURCE.sub("", _EMPHASIS.sub(" ", text).strip()))


def plain(text: str) -> str:
    """The text with one spelling for marks, dates, negations and periods."""
    text = unicodedata.normalize("NFKC", _EMPHASIS.sub(" ", text)).translate(_QUOTES)
    text = _POSSESSIVE.sub(r"\1", text)
    text = _COUNTRIES.sub(lambda match: _FULL_NAMES[match.group().replace(".", "")], text)
    text = _DASHES.sub(" , ", text.replace("−", "-"))
    text = _NOT.sub(lambda match: f"{_FULL.get(match[1].lower(), match[1])} not", text)
    text = _CONTRACTED.sub(lambda match: f"{match[1]} {_CONTRACTIONS[match[2].lower()]}", text)
    text = _ACRONYMS.sub(lambda match: _ACRONYM_NAMES[match.group()], text)
    text = re.sub(r"\bcannot\b", "can not", text, flags=re.IGNORECASE)
    text = _STOPPED.sub(r"\1", _REASON.sub("because of", text))
    text = _FISCAL_YEAR.sub("fiscal ", text)
    text = _SHORT_YEAR.sub(r"20\1", text)
    text = _QUARTER_NUMBER.sub(
        lambda match: f" {_ORDINAL_WORDS[int(match[1] or match[2]) - 1]} quarter ", text
    )
    text = _YEAR_LONG.sub("year", _QUARTER.sub("quarter", text))
    text = _REFERENCE.sub(" ", text)
    if "\t" in text:  # a table keeps its cells and rows
        return "\n".join(
            "\t".join(_folded(cell) for cell in row.split("\t")) for row in text.split("\n") if row.strip()
        )
    return _folded(text)


def _folded(text: str) -> str:
    return " ".join(text.split())


_ORDINAL_WORDS = list(ORDINALS)


@lru_cache(maxsize=64)  # many claims are held against one quote
def read(text: str) -> Statement:
    """The text's tokens; time grows with its length alone."""
    text = plain(text)
    tokens = list(_merged(_raw(text)))
    clause = segment = row = 0
    cell = 0 if "\t" in text else -1
    for token, following in zip_longest(tokens, tokens[1:]):
        if token.kind == "punctuation":
            clause += token.surface in _CLAUSE_MARKS or token.surface in "!?\t\n"
            goes_on = token.surface == ";" and following is not None and following.family == "condition"
            segment += token.surface in {".", "!", "?", ";", "\n"} and not goes_on
            row, cell = (row + 1, 0) if token.surface == "\n" else (row, cell + (token.surface == "\t"))
        elif _breaks_clause(token):
            clause += 1
        token.clause, token.segment, token.row, token.cell = clause, segment, row, cell
    return Statement(text=text, tokens=tokens)


def _breaks_clause(token: Token) -> bool:
    word = token.key.split()[0] if token.key else ""
    if token.family == "condition":
        return True
    return word in _BREAKS and (token.kind == "function" or token.family == "reason")


def _raw(text: str) -> list[Token]:
    """Words, figures and marks, before phrases are put together."""
    dates = {match.start(): match for match in MONTH_DAY.finditer(text)}
    numbers = {_begin(match): match for match in NUMBER.finditer(text) if not _holds_any(match, dates)}
    tokens: list[Token] = []
    place = 0
    while place < len(text):
        if date := dates.get(place):
            tokens += [
                Token(kind="figure", surface=date.group(), key="", quantity=part) for part in date_of(date)
            ]
            place = date.end()
        elif (
            (match := _TOKEN.match(text, place))
            and match["code"]
            and not numbers_whole(numbers.get(place), match)
        ):
            ordinal = _ORDINAL.fullmatch(match.group().lower())
            key = f"#{ordinal[1]}" if ordinal else match.group().lower().replace("-", "")
            tokens.append(Token(kind="word", surface=match.group(), key=key, capital=not ordinal))
            place = match.end()
        elif number := numbers.get(place):
            tokens.append(Token(kind="figure", surface=_shown(number), key="", quantity=number_of(number)))
            place = number.end()
        elif match:
            tokens += (
                _word(match.group())
                if match["word"]
                else [Token(kind="punctuation", surface=match.group(), key="")]
            )
            place = match.end()
        else:
            place += 1
    return tokens


def _shown(number: re.Match[str]) -> str:
    """As written, without a bracket that opens for more than the number."""
    surface = number.group().strip()
    return surface if surface.endswith(")") else surface.lstrip("(")


def _begin(number: re.Match[str]) -> int:
    """Where the number begins, without the space before it."""
    return number.start() + len(number.group()) - len(number.group().lstrip())


def _holds_any(number: re.Match[str], dates: dict[int, re.Match[str]]) -> bool:
    return any(place in dates for place in range(number.start(), number.end()))


def numbers_whole(number: re.Match[str] | None, code: re.Match[str]) -> bool:
    """Whether a figure with its unit covers what looks like a code: "30-day" is one, "10-K" is not."""
    return bool(number and number.end() >= code.end())


def _word(surface: str) -> list[Token]:
    low = surface.lower()
    low = _ABBREVIATIONS.get(low, low)
    if low in ORDINALS:
        return [Token(kind="word", surface=surface, key=f"#{ORDINALS[low]}")]
    if low in FUNCTION:
        return [Token(kind="function", surface=surface, key=low)]
    positive = without_negative_prefix(low)
    if positive:
        negation = Token(
            kind="operator", surface=surface, key=low, family="negation", says=frozenset({"not"})
        )
        return [negation, *_word(positive)]
    key = low.replace(".", "") if "." in low else root(low)
    return [Token(kind="word", surface=surface, key=key, capital=surface[0].isupper())]


def _merged(tokens: list[Token]) -> list[Token]:
    """The same with operators found, several words of one put together."""
    merged: list[Token] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        for parts, family, says in phrases().get(_spelled(token), ()) if token.kind != "operator" else ():
            length = len([part for part in parts if part not in "#@"])
            if _starts_with(tokens, place, parts) and not _reads_otherwise(tokens, place, parts):
                if family:
                    surface = " ".join(part.surface for part in tokens[place : place + length])
                    merged.append(
                        Token(kind="operator", surface=surface, key=surface.lower(), family=family, says=says)
                    )
                place += length
                break
        else:
            merged.append(token)
            place += 1
    return merged


def _starts_with(tokens: list[Token], place: int, parts: tuple[str, ...]) -> bool:
    if place + len(parts) > len(tokens):
        return False
    return all(
        _is_figure(token, part) if part in "#@" else _spelled(token) == part
        for token, part in zip(tokens[place : place + len(parts)], parts, strict=True)
    )


def _reads_otherwise(tokens: list[Token], place: int, parts: tuple[str, ...]) -> bool:
    """Whether "lower" lowers something; or "claims that have arisen" are no one's words."""
    following = tokens[place + len(parts)].key if place + len(parts) < len(tokens) else ""
    if parts == ("lower",):
        return following in {"the", "its", "our", "their", "his", "her"}
    return parts[0] in ("claim", "claims") and following in {"have", "has", "are", "is", "were", "was"}


def _is_figure(token: Token, sign: str) -> bool:
    """Whether the token is what the sign stands for: "#" any figure, "@" a date."""
    return token.quantity is not None and (sign == "#" or token.quantity.unit in DATE_UNITS)


def _spelled(token: Token) -> str:
    low = token.surface.lower()
    return _ABBREVIATIONS.get(low, low) if token.kind in ("word", "function") else ""
