"""What a question wants to know: which kinds of values, of what, and whether yes or no. Pure."""

import re
from collections.abc import Sequence
from functools import cached_property

from answering.differing.bearers import Bearers
from answering.differing.kinds import NAME, PLACE, POLARITY
from answering.extractive.words import is_proper, names
from english.closed_classes import AUXILIARIES, one_of
from english.lexicon import carriers, opposites_of, root, roots
from english.values import COUNT, DATE, DURATION, MEASURE, MONEY, OFTEN, PERCENT, TIME, Value, values_in
from text.word_lists import words

# In this order where the question doesn't say what it wants. Counts and measures only where it asks for
# them: most sentences have some.
ANY = (DURATION, MONEY, PERCENT, DATE, TIME, OFTEN)
_ASKS: Sequence[tuple[re.Pattern[str], tuple[str, ...]]] = tuple(
    (re.compile(asked, re.IGNORECASE), kinds)
    for asked, kinds in (
        (
            r"\bhow (?:much|many) (?:\w+ ){0,2}?(?:notice|time|days?|weeks?|months?|years?|hours?|minutes)\b",
            (DURATION,),
        ),
        (r"\bhow (?:often|frequently|regularly)\b|\bfrequency\b", (OFTEN,)),
        (r"\b(?:what|which|by what) time\b|\bopening hours\b", (TIME,)),
        (
            r"\bhow (?:long|soon|quickly|fast|late)\b|\bnotice period\b|\b(?:term|duration|period)\b",
            (DURATION,),
        ),
        (r"\bdeadlines?\b", (DATE, DURATION)),
        (
            r"\bhow (?:much|high|large|big)\b|\b(?:penalty|cap|limit|excess|deposit)s?\b",
            (MONEY, PERCENT, DURATION, MEASURE),
        ),
        (
            r"\b(?:cost|price|fee|charge|rent|salary|budget|fine|premium|tariff)s?\b",
            (MONEY, PERCENT),
        ),
        (r"\bwhen\b|\b(?:what|which) (?:date|day|month)\b", (DATE, DURATION)),
        (r"\bhow many\b|\bnumber of\b|\bcapacity\b", (COUNT, MEASURE)),
        (
            r"\bhow (?:heavy|wide|far|tall|deep)\b"
            r"|\b(?:weight|length|width|height|depth|distance|size|dose|consumption|volume|temperature)\b",
            (MEASURE,),
        ),
        (r"\b(?:percentage|per ?cent|rate|share|uptime|availability|discount|interest)\b", (PERCENT, MONEY)),
    )
)
_YES_OR_NO = re.compile(
    r"\W*(?:and |so )?"
    rf"(?:{one_of(AUXILIARIES)}|am)\b"
    r"|.*\b(?:allowed|permitted|forbidden|mandatory|required)\b\W*$",
    re.IGNORECASE | re.DOTALL,
)
_WHERE = re.compile(
    r"\bwhere\b|\blocat|\b(?:which|what|whose) "
    r"(?:country|countries|city|cities|place|town|state|office|location|courts?|law)\b"
    r"|\bgoverning law\b|\blaws?\b.{0,20}\b(?:govern|appl(?:y|ies))"
    r"|\bjurisdiction\b|^\W*courts?\b|\bplace of\b",
    re.IGNORECASE,
)
_WHO = re.compile(
    r"\bwho(?:m|se)?\b|\bwhich (?:company|firm|person|auditor|bank|provider|supplier|vendor)\b", re.IGNORECASE
)
# "When does it end?" is answered by the day behind these, where several are told.
_ENDS = re.compile(r"\b(?:end|ends|ended|expir\w+|run out|runs out|until when|how long)\b", re.IGNORECASE)
_END_BEFORE = re.compile(
    r"\b(?:until|to|ends?|expires?|expiring|ending|(?<!from and )including)\s+"
    r"(?:on\s+|at\s+)?(?:the\s+end\s+of\s+)?$",
    re.IGNORECASE,
)
# Cases are asked for, and no figure: "when is no fee payable?".
_CASES = re.compile(
    r"\W*(?:when\b.{1,60}?\b(?:no|not|never|nothing|without)\b"
    r"|(?:in (?:which|what) cases?|under (?:which|what) (?:conditions?|circumstances?))\b)",
    re.IGNORECASE | re.DOTALL,
)
_ASKING = words(
    """long soon quick often much many high large big old late take percentage rate number kind amount figure
    time date day week month year hour minute amend"""
)
ANOTHER_PART = 40  # characters that the end of a part of a sentence counts as
_PART_ENDS = re.compile(r"[,;:]\s|\s(?:and|but|or)\s")
_CLAUSES = re.compile(r"[;.]\s")
_WORD = re.compile(r"[^\W\d_]+")
FAMILY = 6  # letters with which words of one family begin: "headquartered" and "headquarters"


class Asking:
    """kinds: of values, the likeliest first; wanted: those that plainly answer it. bearers: whose doing it
    asks for.
    """

    def __init__(self, question: str) -> None:
        self.text = question
        self.bearers = Bearers.of(question)
        self.yes_or_no = bool(_YES_OR_NO.match(question))
        # Names of somebody or something; a party is told by its role.
        self.names = [name for name in names(question) if is_proper(name) and Bearers.of(name).party is None]
        self._ends = bool(_ENDS.search(question))
        self.where, self.who = bool(_WHERE.search(question)), bool(_WHO.search(question))
        asked = [kind for asks, kinds in _ASKS if asks.search(question) for kind in kinds]
        no_figure = _CASES.match(question) or ((self.who or self.where) and not asked)
        figures = () if no_figure else asked or ANY
        self._plainly = frozenset(asked)
        self.wanted = frozenset(figures) | ({POLARITY} if self.yes_or_no else set())
        self.wanted |= {PLACE} if self.where else set()
        self.kinds = tuple(dict.fromkeys([*asked, *ANY]))

    def covered(self, text: str, named: str = "") -> float:
        """Share of the question's words that a text has, be it by a synonym, 0 to 1. Names of whom it asks
        count where they are said: a contract may call them the Customer. named: titles whose words count as
        well, but not as synonyms.
        """
        has, titled = roots(text), roots(named)
        held = [
            not near.isdisjoint(has) or one in titled
            for one, near in self._near.items()
            if one not in self._named or near & has
        ]
        return sum(held) / len(held) if held else 0.0

    def is_touched(self, text: str, titles: str) -> bool:
        """Whether a text has a word of what is asked, be it by a synonym; words with which the question names
        the document count only where it has no others.
        """
        known, has = roots(titles), roots(text)
        own = [near for one, near in self._near.items() if one not in known]
        return any(not near.isdisjoint(has) for near in own or self._near.values())

    def names_matter(self, text: str) -> bool:
        """Whether a text has a word of what is asked, in any form or by a synonym, and not only of whom."""
        near = [near for one, near in self._near.items() if one not in self._named] or self._near.values()
        beginnings = {word[:FAMILY] for each in near for word in each}
        return any(word[:FAMILY] in beginnings for word in roots(text))

    def meant(self, text: str, values: Sequence[Value]) -> Value:
        """The value of a text that stands nearest to words of the question."""
        if self._ends:
            values = [value for value in values if _END_BEFORE.search(text[: value.start])] or values
        wanted = {one for near in self._near.values() for one in near}
        places = [found.start() for found in _WORD.finditer(text) if root(found[0].lower()) in wanted]
        if not places:
            return values[0]
        return min(values, key=lambda value: min(_apart(text, value.start, place) for place in places))

    def is_contrary(self, text: str) -> bool:
        """Whether it is asked when something is, and a text has an opposite of a word of that, and not the
        word: when it ends, where is asked when it begins.
        """
        has = roots(text)
        return self.kinds[0] == DATE and any(
            near.isdisjoint(has) and not opposites_of(one).isdisjoint(has) for one, near in self._near.items()
        )

    def asks_for(self, kind: str) -> bool:
        """Whether its words ask for that kind of value: not so "uptime guarantee", which any may answer."""
        asked = {PLACE: self.where, NAME: self.who, POLARITY: self.yes_or_no}
        return asked.get(kind, kind in self._plainly)

    def nearest_clause(self, text: str) -> str:
        """The part of a sentence, up to a semicolon or a full stop, that has most words of the question."""
        parts = _CLAUSES.split(text)
        return max(
            parts, key=lambda part: sum(not near.isdisjoint(roots(part)) for near in self._near.values())
        )

    def counts(self, one: Value, other: Value) -> bool:
        """Whether it may count both: not where it names what one of them counts, and not the other."""
        near = {name for each in self._near.values() for name in each}
        return (one.unit in near) == (other.unit in near)

    @cached_property
    def values(self) -> list[Value]:
        """Those that the question states itself: they are no answers to it."""
        return values_in(self.text)

    @cached_property
    def _near(self) -> dict[str, set[str]]:
        """For the root of each word of the question, the roots that say it."""
        return {one: {one, *carriers(one)} for one in sorted(roots(self.text)) if one not in _ASKING}

    @cached_property
    def _named(self) -> set[str]:
        return {one for name in self.names for one in roots(name)}


def _apart(text: str, one: int, other: int) -> int:
    """Characters between two places, those of another part of the sentence counted as further away."""
    first, last = sorted((one, other))
    return last - first + ANOTHER_PART * len(_PART_ENDS.findall(text, first, last))
