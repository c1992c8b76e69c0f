"""What kind of answer a question wants, and whether a sentence holds one: a date, a sum, a person."""

import re
from collections.abc import Iterator

from english.dates import DATE
from english.quantities import NUMBER_WORDS, UNIT_OF_TIME

_COUNT = rf"(?:\d[\d.,]*|\b(?:{NUMBER_WORDS}|hundred|half|no|nil)\b)"
_SPAN = re.compile(  # "EUR 120 a night" is none
    rf"(?:\b\w+ \((?=\d))?{_COUNT}\)?[ -](?:\w+[ -])?(?!night){UNIT_OF_TIME}s?\b",
    re.IGNORECASE,
)
_AMOUNT = r"\d(?:[\d.,]*\d)?(?:\s?(?:million|billion)\b)?"
_SUM = re.compile(
    rf"[$€£¥]\s?{_AMOUNT}|\b(?:USD|EUR|GBP)\b(?:\s?{_AMOUNT})?"
    rf"|{_COUNT}\s?(?:%|per cent|percent|million|billion|pence|cents|dollars|euros|pounds)",
    re.IGNORECASE,
)
_NUMBER = re.compile(_COUNT, re.IGNORECASE)
_STATE = r"(?:the )?(?:(?:State|Commonwealth|Province|Republic|Kingdom) of )?"
_LAW = re.compile(
    rf"\b(?:[Tt]he )?(?:internal |substantive |domestic )?laws? of {_STATE}"
    r"[A-Z]\w+(?:,? (?:and |of )?[A-Z]\w+){0,4}|\b(?!The\b)[A-Z]\w+ law\b"
)
_PERSON = re.compile(r"[^\W\d_a-z][\w’'-]+ (?:[^\W\d_a-z]\S* )*(?:[^\W\d_a-z][\w’'-]+|LLP|plc)")
_REASON = re.compile(
    r"\b(?:because|since|due to|caused|owing to|reason|so that|therefore|chiefly|as a result|in order to"
    r"|led to|when)\b",
    re.IGNORECASE,
)
# The first that fits the question says what its answer looks like.
_KINDS = tuple(
    (re.compile(asked, re.IGNORECASE), answered)
    for asked, answered in (
        (r"\b(?:what|which|whose) (?:\w+ )?laws?\b|\bgoverning law\b|\bgoverned by\b", _LAW),
        (
            r"\bhow (?:long|soon|quickly|fast|often|late)\b|how much (?:notice|time)|\bwhat notice\b"
            r"|\bdeadlines?\b"
            r"|how many (?:\w+ )?(?:days|weeks|months|years|hours|minutes)|\b\w+ing time\b|\bnotice period",
            _SPAN,
        ),
        (
            r"\bhow much\b|\bcosts?\b|\bspen[dt]\b|\bpaid\b|\bworth\b"
            r"|\bwhat (?:[\w’'&.-]+ ){0,5}(?:cost|price|fee|charge|penalty|rent|dividend|salary|profit|sum"
            r"|amount|revenues?|sales|income|earnings|expenses?)\b",
            _SUM,
        ),
        (r"\bwhen\b|\b(?:what|which) (?:date|day|year|month)\b", DATE),
        (
            r"\bhow (?:many|low|high|large|small|big|old|far|tall|short|wide|deep|thick|heavy|hot|cold)\b"
            r"|\bwhat (?:value|number|percentage|share|rate|target)\b",
            _NUMBER,
        ),
        (r"\bwho\b|\bwhose\b", _PERSON),
        (r"\bwhy\b|\breasons?\b|\bcaused?\b|\bwent wrong\b", _REASON),
    )
)


_EXACT = (_SPAN, _SUM, DATE, _NUMBER, _LAW)  # of which words can be told that they are it


class Kind:
    """The kind of answer that a question wants."""

    def __init__(self, asked: str) -> None:
        self._answered = next((answered for asks, answered in _KINDS if asks.search(asked)), None)

    @property
    def is_exact(self) -> bool:
        """Whether a date, span of time, sum, number or law is asked for."""
        return self._answered in _EXACT

    def places(self, text: str) -> Iterator[tuple[int, int]]:
        """Where the text has the date, span of time, sum, number or law that is asked for."""
        if self._answered and self.is_exact:
            yield from (found.span() for found in self._answered.finditer(text))

    def sum_in(self, text: str) -> tuple[int, int] | None:
        """Where the text has its first sum, for a question that any kind of answer may fit; else None."""
        found = None if self._answered else _SUM.search(text)
        return found.span() if found else None

    @property
    def is_date(self) -> bool:
        return self._answered is DATE

    @property
    def is_law(self) -> bool:
        return self._answered is _LAW

    @property
    def is_figure(self) -> bool:
        return self._answered in {_SUM, _NUMBER}

    @property
    def may_be_figure(self) -> bool:
        return self._answered is None or self.is_figure

    def fits(self, text: str, *, is_row: bool = False) -> float:
        """1 when the text holds the wanted kind of answer, 0 when not, one half when any kind will do.

        A span of time is half an answer to a question for a date. The figures of a row need no currency: it
        stands in the first row or above the table.
        """
        if self._answered is None:
            return 0.5
        if (_NUMBER if is_row and self._answered is _SUM else self._answered).search(text):
            return 1.0
        return 0.5 * bool(self._answered is DATE and _SPAN.search(text))
