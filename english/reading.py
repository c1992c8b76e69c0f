"""A text read word by word: content words, figures, the words that change what is said (operators), and
their clauses.
"""

import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import zip_longest
from typing import Literal

from english.closed_classes import (
    DETERMINERS,
    DO,
    FORMS_OF_BE,
    HAVE,
    PREPOSITIONS,
    PRONOUNS,
    QUESTION_WORDS,
    SUBJECT_PRONOUNS,
)
from english.dates import DAY_OR_MONTH, MONTH_DAY, SHORT_NAMES, date_of
from english.lexicon import root, without_negative_prefix
from english.operators import phrases
from english.quantities import NUMBER, ORDINALS, Quantity, number_of
from english.spelling import plain
from text.word_lists import pairs, words

Kind = Literal["word", "figure", "operator", "function", "punctuation"]

DATE_UNITS = frozenset({"day", "month", "year", DAY_OR_MONTH})

_TOKEN = re.compile(
    r"(?P<code>\b(?:[A-Za-z]+-?\d[\w-]*|\d+-?[A-Z][\w-]*|\d+(?:\.\d+){2,})(?![\w]))"
    r"|(?P<cell>[\t\n])|(?P<word>(?:[A-Z]\.){2,}|[^\W\d_]+(?:'[^\W\d_]+)*(?:&[A-Z]+)?)|(?P<mark>[.!?;:,()\[\]\"])",
)
_ABBREVIATIONS = SHORT_NAMES | pairs(
    """corp corporation, inc incorporated, ltd limited, co company, approx approximately, dept department,
    govt government, intl international, mgmt management, avg average, max maximum, min minimum, yr
    year, yrs years, mo month, mos months, qtr quarter, hr hour, hrs hours, info information, vs versus,
    versus versus, est established, tech technology, exec executive"""
)
_HYPHENED = re.compile(r"\b(back|e|co|re|pre|sub|log|on|off|set|check|web)-(?=[a-z])", re.IGNORECASE)
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)\b")
FUNCTION = FORMS_OF_BE | HAVE | DO | DETERMINERS | PREPOSITIONS | PRONOUNS | QUESTION_WORDS
FUNCTION |= words(
    """here there having done off out onto above below among during per via and or but so than then if also
    too very such same own one's other others another and/or nor both either while whereas although
    though because since thus hence therefore however moreover furthermore further pursuant accordance
    respect regard regarding concerning respectively etc eg ie i.e e.g llc plc mr mrs ms dr yes thereof
    therein hereby herein hereof hereunder thereto thereunder like well way order compared versus vs get
    gets got fact namely around along across behind beyond toward towards throughout additionally
    nevertheless nonetheless likewise consequently accordingly meanwhile indeed thereby again already
    pending"""
)
COUNTED_WITH = DETERMINERS | words("any such each every all no own")
OPENING = words(  # a phrase of its own: prepositions and conjunctions
    """in on at during for as since by within until through after before under pursuant following with
    per because if unless when while although though upon throughout via despite from between among
    against to into over across out except subject notwithstanding onto above below off without toward
    towards"""
)
_DENYING = words("neither no none nobody nothing")
_SUBJECT = 8  # words after "neither" in which its "may" stands
_INVERTING = words("should had were")
_SUBJECT_WORDS = DETERMINERS | SUBJECT_PRONOUNS | words("any either")
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
class Reading:
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


@lru_cache(maxsize=64)  # many claims are held against one quote
def read(text: str) -> Reading:
    """The text's tokens; time grows with its length alone."""
    text = _HYPHENED.sub(r"\1", plain(text))
    tokens = list(_merged(_raw(text)))
    _forbid(tokens)
    clause = segment = row = 0
    cell = 0 if "\t" in text else -1
    for token, following in zip_longest(tokens, tokens[1:]):
        if token.kind == "punctuation":
            clause += token.surface in _CLAUSE_MARKS or token.surface in "!?\t\n"
            goes_on = token.surface == ";" and following is not None and following.family == "conditions"
            segment += token.surface in {".", "!", "?", ";", "\n"} and not goes_on
            row, cell = (row + 1, 0) if token.surface == "\n" else (row, cell + (token.surface == "\t"))
        elif _breaks_clause(token):
            clause += 1
        token.clause, token.segment, token.row, token.cell = clause, segment, row, cell
    return Reading(text=text, tokens=tokens)


def _breaks_clause(token: Token) -> bool:
    word = token.key.split()[0] if token.key else ""
    if token.family == "conditions":
        return True
    return word in _BREAKS and (token.kind == "function" or token.family == "reasons")


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
            place = number.end() - _closes_more(number)
        elif match:
            is_label = match.group() == "A" and bool(tokens) and tokens[-1].kind == "word"  # "group A"
            tokens += (
                [Token(kind="word", surface="A", key="a-label", capital=True)]
                if is_label
                else _word(match.group())
                if match["word"]
                else [Token(kind="punctuation", surface=match.group(), key="")]
            )
            place = match.end()
        else:
            place += 1
    return tokens


def _closes_more(number: re.Match[str]) -> bool:
    """Whether its bracket closes one that opened before the number: "(restated in 2019)"."""
    opens = number["open"] or number["minus2"]
    return bool(number["close"] and not opens and number.group().endswith(")"))


def _shown(number: re.Match[str]) -> str:
    """As written, without a bracket that opens for more than the number."""
    surface = number.group().strip()
    if _closes_more(number):
        return surface.removesuffix(")")
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
        if _is_inverted(tokens, place):
            says = frozenset({"if"})
            merged.append(
                Token(kind="operator", surface=token.surface, key="if", family="conditions", says=says)
            )
            place += 1
            continue
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


def _forbid(tokens: list[Token]) -> None:
    """ "Neither party may assign" forbids: its "may" is read as "may not", and its "neither" no more."""
    for place, token in enumerate(tokens):
        if token.surface.lower() not in _DENYING:
            continue
        for other in tokens[place + 1 : place + _SUBJECT]:
            if other.family == "may and must" and other.says & {"may", "must"}:
                other.says, token.kind, token.family = frozenset({"forbidden"}), "function", ""
                break
            if other.kind == "punctuation":
                break


def _is_inverted(tokens: list[Token], place: int) -> bool:
    """Whether the word puts its sentence under a condition: "should the tenant fail, ...", "had he known"."""
    low = tokens[place].surface.lower()
    if low not in _INVERTING or place + 1 >= len(tokens) or tokens[place + 1].key not in _SUBJECT_WORDS:
        return False
    before = tokens[place - 1] if place else None
    if low == "should" or before is None:
        opens = before is None or before.surface in (",", ".", ";") or tokens[place].surface[0].islower()
        asks = any(token.surface == "?" for token in tokens[place:])
        return opens and not asks and (before is None or before.key not in ("that", "which", "who"))
    would = any(token.surface.lower() in ("would", "could", "might") for token in tokens)
    return would and (before.surface in (",", ".", ";") or before.kind != "function")


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
    behind = tokens[place + len(parts) : place + len(parts) + 1]
    if parts[0] in ("declined", "declines") and any(token.quantity for token in behind):
        return True  # to a lower figure
    if parts == ("may",) and tokens[place].surface == "May":
        return place > 0 and tokens[place - 1].kind in ("function", "operator")  # the month
    if parts == ("no",) and tokens[place].surface == "No":
        return bool(behind) and behind[0].quantity is not None and behind[0].surface[0].isdigit()  # "No. 5"
    if parts == ("lower",):
        return following in {"the", "its", "our", "their", "his", "her"}
    return parts[0] in ("claim", "claims") and following in {"have", "has", "are", "is", "were", "was"}


def _is_figure(token: Token, sign: str) -> bool:
    """Whether the token is what the sign stands for: "#" any figure, "@" a date."""
    return token.quantity is not None and (sign == "#" or token.quantity.unit in DATE_UNITS)


def _spelled(token: Token) -> str:
    low = token.surface.lower()
    return _ABBREVIATIONS.get(low, low) if token.kind in ("word", "function") else ""
