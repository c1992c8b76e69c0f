"""Whether two statements of two documents give different answers to one question. Pure.

By words alone: what is of another time, grade, party or thing is told by its words where they say so, and
where nobody can tell, nothing differs.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest

from answering.differing.asking import Asking
from answering.differing.bearers import Bearers, contrary, on_other_days, siblings
from answering.differing.instruments import kinds_of, of_other_contracts, others_named
from answering.differing.kinds import NAME, PLACE, POLARITY
from english.companies import FORM
from english.contracts.clauses import (
    IN_PLACE_OF,
    changed_clauses,
    changes,
    changes_another_clause,
    exchanged,
    names,
    on_one_point,
    on_one_term,
    sets_aside,
)
from english.contracts.defined_terms import meanings_in
from english.dates import CALENDAR, MONTH
from english.lexicon import is_common
from english.periods import Periods
from english.polarity import is_affirmed
from english.values import COUNT, DATE, MEASURE, MONEY, PERCENT, Value, values_in
from text.word_lists import FUNCTION_WORDS, words

# What was once, may be, or is said for the sake of explanation holds against nothing.
_NOT_TODAY = re.compile(
    r"\b(?:(?<!runs )until (?:19|20)\d\d|previous(?:ly)?|former(?:ly)?|used to|in the past|originally"
    r"|initially|at first|had been|was then|for example|for instance|e\.g\.|suppose|imagine"
    r"|propos(?:es?|ed|als?)|draft|would like|asked for|wishes|hopes?|in the industry|competitors?"
    r"|elsewhere)\b",
    re.IGNORECASE,
)
# "is reduced from 12 hours to 8 hours": only what it is today counts.
_CHANGED_FROM = re.compile(
    r"\b(?:reduc|rais|chang|increas|extend|shorten|lower|cut|mov|postpon|rise|rose|fall|fell|go|went)\w*\b"
    r"[^.;]{0,60}?\bfrom\W*$",
    re.IGNORECASE,
)
# "£940 instead of £985", "in place of the eight weeks in clause 8".
_INSTEAD_OF = re.compile(rf"\b(?:{IN_PLACE_OF}|no longer)\W+(?:the\s+)?$", re.IGNORECASE)
# "the figure "£2,000,000" is deleted and replaced with "£3,500,000"": so does what takes its place.
_REPLACED_BEHIND = re.compile(
    r"[\"”’']?\s{0,2}(?:(?:in|of) (?:clause|section|paragraph|article|schedule) [\w.()]{1,12}\s)?"
    r"(?:is|are|shall be|was|were)\s+(?:hereby\s+)?(?:deleted|replaced|substituted|removed)\b"
)
_BETWEEN = re.compile(r"\s{0,2}(?:to|-|–|and)\s{0,2}")  # the ends of a range
_RANGE_BEFORE = re.compile(r"\d\s{0,2}(?:to|-|–)\s{0,2}$|\bbetween\s+\S+(?:\s+\w+)?\s+and\s+$")
_LEAST = re.compile(
    r"\b(?:at least|minimum|min\.?|not? (?:less|fewer|earlier|sooner) than|more than|over|exceeding"
    r"|starting at)\W*(?:\w+\W+){0,3}$",
    re.IGNORECASE,
)
_MOST = re.compile(
    r"\b(?:at most|up to|maximum|max\.?|not? (?:more|longer|greater|higher|later) than|less than|below"
    r"|not exceed(?:ing)?|fewer than|capped at|limited to|cap of|limit of)\W*(?:\w+\W+){0,3}$",
    re.IGNORECASE,
)
# "if it failed in three of the twelve months before": such a figure is when something holds, and none that is
# promised; up to the comma the condition goes on.
_CONDITION = re.compile(
    r"\b(?:if|unless|in case|provided that|except where|only when)\b[^,;.]*$", re.IGNORECASE
)
_LOOKING_BACK = re.compile(
    r"\b(?:of|in|during|over|for)\s+(?:the|any)\s+(?:last\s+|past\s+|preceding\s+|previous\s+)?$",
    re.IGNORECASE,
)
_BACK_FROM = re.compile(r"\s+(?:before|preceding|prior to|ended|ending|up to)\b")
# What is so in most cases, or was on average, is not what holds in this one.
_IN_GENERAL = re.compile(
    r"(?<!\bat )(?<!\bthe )\b(?:most|many|several)\s+(?:of\s+(?:our|the|its|their|these)\s+)?[a-z]+s\b"
    r"|\b(?:average|averaged|median)\b",
    re.IGNORECASE,
)
_ADDS = re.compile(
    r"\b(?:additional|further|extra|another|supplementary)\b[^.;,]*$"
    r"|\b(?:(?:increas|ris|rais|grow|lower|reduc|cut|extend|shorten|fall|drop)\w*|rose|fell|grew"
    r"|(?:goes?|went) (?:up|down))\b[^.;,]*\bby\W*$",
    re.IGNORECASE,
)
LONGEST = 2_000  # characters of a statement; a longer one is a table rather than an answer
_FAR = 100  # characters before a value in which it says from what something was changed
_BEFORE = 40  # characters before a value in which its bound stands
COUNTED = (COUNT, MEASURE)  # of two sentences of which one changes the other, also where none is asked for
_MEASURED = (MONEY, PERCENT, COUNT, MEASURE, DATE)  # what is of a time, as a promise of 30 days is not
_AT_A_TIME = re.compile(
    rf"\b(?:[Ii]n|[Dd]uring|[Ff]or|[Oo]f|[Bb]y) (?:{MONTH}\b(?! \d{{1,2}}\b)|(?:19|20)\d\d\b)"
)
_PROPER = re.compile(
    r"(?<![.!?:|] )(?<!^)\b(?:[A-Z][\w’'-]+|[A-Z]{2,})(?:\s+(?:of\s+|de\s+|am\s+)?[A-Z][\w’'-]+)*"
)
_COUNTED_FROM = re.compile(r"^\s+(before|after|from|of)\s+(?:the\s+|your\s+|its\s+)?(\w+)")
_THE = re.compile(r"\b[Tt]he\s+$")
_AND_NAME = re.compile(r"\sand\s[A-Z][\w’'-]+")
_PLACED = re.compile(
    r"\b(?:in|at|to|from|near|(?:laws?|courts?|city|town|port)\s+of)\s+(?:the\s+(?:State\s+of\s+)?)?$|[,:]\s+$"
    r"|\b(?:place|venue|seat|location|site|city|town|headquarters|jurisdiction)(?:\s+of\s+\w+)?\s+(?:is|are|was|were)\s+$"
)
_CALENDAR = re.compile(rf"(?:{CALENDAR.pattern})\b")
# Figures of a report are of a period; where both don't name the same, nobody can tell.
_REPORTED = re.compile(
    r"\b(?:million|billion|(?:months?|quarters?|years?) ended|fiscal|compared (?:to|with)|basis points)\b"
    r"|\bQ[1-4]\b",
    re.IGNORECASE,
)
_DEFINED = words(
    """agreement schedule clause section services service data supplier customer party parties term contract
    order annex licence license company appendix tenant landlord premises employee employer software system"""
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """What a document says: a sentence or a row, and the headings and column heads it stands under.

    clause: the number of the clause that it is a part of. changes: titles of the documents that its own one
    amends.
    """

    title: str
    text: str
    about: str = ""
    clause: str = ""
    changes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What differs: one.text[a:b] and other.text[c:d]; the whole texts where one says yes and one no.

    bound: whether one of them changes the other, so that both are about one thing. said: whether its words
    say so, or are about a term that the other defines.
    """

    kind: str
    one: tuple[int, int]
    other: tuple[int, int]
    bound: bool = False
    said: bool = False

    @property
    def spans(self) -> tuple[tuple[int, int], tuple[int, int]]:
        return self.one, self.other


def difference(asked: Asking, one: "Statement", other: "Statement") -> Difference | None:
    """None where both may be true, where they may speak of different things, and where nobody can tell."""
    if max(len(one.text), len(other.text)) > LONGEST:
        return None
    if not (one.is_of_today and other.is_of_today):
        return None
    if len({each.party for each in (asked.bearers, one.bearers, other.bearers)} - {None}) > 1:
        return None
    if _of_another_contract(one, other):
        return None
    if found := _exchanged(one, other):
        return found
    said = changes(one.text, other.text) or changes(other.text, one.text)
    said = said or _sets_aside(one, other) or _sets_aside(other, one)
    bound = said or _amends(one, other) or _amends(other, one)
    if not bound and _of_other_things(asked, one, other):
        return None
    if not said and (_was_otherwise(one, other) or _was_otherwise(other, one)):
        return None
    found = _values(asked, one, other, bound=bound)
    found = found or _polarity(asked, one, other) or _proper_names(asked, one, other)
    was_so = _was_so(one, other) or _was_so(other, one)
    said = said or (_related(one, other) and on_one_term(one.without_values, other.without_values))
    said = said or (was_so and on_one_point(one.without_values, other.without_values))
    return replace(found, bound=bound or was_so, said=said) if found else None


def _amends(clause: "Statement", change: "Statement") -> bool:
    """Whether one is of an amendment of the other's document, and on the same point."""
    return clause.title in change.changes and on_one_point(
        change.without_values, clause.without_values, f"{clause.titles} {change.titles}"
    )


def _sets_aside(change: "Statement", clause: "Statement") -> bool:
    """Whether one is of an amendment of the other's document, and an exception to that clause of it."""
    return sets_aside(change.text, change.changes, clause.title, clause.clause)


def _exchanged(one: "Statement", other: "Statement") -> Difference | None:
    """Words of a clause and those that the other document puts in their place; of these the values, if both
    have one.
    """
    if found := exchanged(one.text, other.text):
        mine, theirs = found
    elif found := exchanged(other.text, one.text):
        theirs, mine = found
    else:
        return None
    a, b = one.value_in(mine), other.value_in(theirs)
    if a and b and a.kind == b.kind:
        mine, theirs = (a.start, a.end), (b.start, b.end)
        return Difference(kind=a.kind, one=mine, other=theirs, bound=True, said=True)
    return Difference(kind=NAME, one=mine, other=theirs, bound=True, said=True)


class Statement:
    """What a document says, as it is compared: whatever is looked up in it, is looked up once."""

    def __init__(self, excerpt: Excerpt) -> None:
        self.title, self.text = excerpt.title, excerpt.text
        self.under = f"{excerpt.about} {excerpt.text}"
        self.changes, self.clause = excerpt.changes, excerpt.clause
        self.titles = " ".join((excerpt.title, *excerpt.changes))
        self.whole = f"{self.titles} {self.under}"
        self.about = excerpt.about

    @cached_property
    def values(self) -> list[Value]:
        """Those that hold: not those from which something was changed, and no ends of a range."""
        kept: list[Value] = []
        ends = was_changed = False  # whether it is the end of a range, and the one before is a former one
        for value, following in zip_longest(self.stated, self.stated[1:]):
            behind = self.text[value.end : following.start] if following else "."
            before = self.text[max(0, value.start - _FAR) : value.start]
            changed = value in self.former
            begins = not changed and bool(
                following and following.kind == value.kind and _BETWEEN.fullmatch(behind)
            )
            if not (changed or begins or ends or (_RANGE_BEFORE.search(before) and not was_changed)):
                kept.append(value)
            ends, was_changed = begins, changed
        return kept

    def values_beside(self, other: "Statement") -> list[Value]:
        """Of a sentence that defines several terms only those of the terms that the other names."""
        if len(self._terms) < 2:
            return self.values
        named = [(start, end) for term, start, end in self._terms if names(term, other.text)]
        return [
            value
            for value in self.values
            if not named or any(first <= value.start < last for first, last in named)
        ]

    @staticmethod
    def of_kind(kind: str, values: Sequence[Value], asked: Asking) -> list[Value]:
        """A sum may have no currency in a list of prices: "Large hall, Saturday: 1,450"."""
        found = [value for value in values if value.kind == kind]
        if kind != MONEY or asked.kinds[0] != MONEY or any(value.kind in asked.wanted for value in values):
            return found
        bare = [value for value in values if value.kind == COUNT and not value.unit]
        return [replace(value, kind=MONEY) for value in bare]

    @cached_property
    def _terms(self) -> list[tuple[str, int, int]]:
        """What it defines, with where the words on it begin and end."""
        found = list(meanings_in(self.text))
        ends = [each.start() for each in found[1:]] + [len(self.text)]
        return [(each["term"], each.start(), end) for each, end in zip(found, ends, strict=False)]

    @cached_property
    def former(self) -> list[Value]:
        """Those from which it says that something was changed."""
        return [
            value
            for value in self.stated
            if _CHANGED_FROM.search(self.text, max(0, value.start - _FAR), value.start)
            or _INSTEAD_OF.search(self.text, max(0, value.start - _BEFORE), value.start)
            or _REPLACED_BEHIND.match(self.text, value.end)
        ]

    @cached_property
    def stated(self) -> list[Value]:
        return values_in(self.text)

    def value_in(self, span: tuple[int, int]) -> Value | None:
        """The only one within text[span]."""
        first, last = span
        within = [value for value in self.stated if first <= value.start and value.end <= last]
        return within[0] if len(within) == 1 else None

    @cached_property
    def is_of_today(self) -> bool:
        return not _NOT_TODAY.search(self.text)

    @cached_property
    def bearers(self) -> Bearers:
        return Bearers.of(self.under)

    @cached_property
    def periods(self) -> Periods:
        """Those that it is about, not those that it answers with."""
        return Periods.of(f"{self.about} {self.without_values}")

    @cached_property
    def without_values(self) -> str:
        kept, end = [], 0
        for value in self.stated:
            kept.append(self.text[end : value.start])
            end = value.end
        return " ".join([*kept, self.text[end:]])

    @cached_property
    def names(self) -> list[tuple[str, int, int]]:
        """Proper names, with where they stand; no months, and no terms that a contract defines."""
        return [
            (found[0], found.start(), found.end())
            for found in _PROPER.finditer(self.text)
            if not _CALENDAR.fullmatch(found[0])
            and not all(word.lower() in _DEFINED | FUNCTION_WORDS for word in found[0].split())
        ]

    def role_of(self, value: Value) -> tuple[bool, bool, bool]:
        """Whether it stands in a condition, looks back from a day, and is said of most cases."""
        before = self.text[: value.start]
        looks_back = _LOOKING_BACK.search(before) and _BACK_FROM.match(self.text, value.end)
        return bool(_CONDITION.search(before)), bool(looks_back), bool(_IN_GENERAL.search(self.text))

    def behind(self, value: Value) -> tuple[str, ...]:
        """What the value is told of right behind it: "before departure"."""
        found = _COUNTED_FROM.match(self.text[value.end :])
        return tuple(word.lower() for word in found.groups()) if found else ()

    def adds(self, value: Value) -> bool:
        """Whether it comes on top of something: "an additional deposit of £150", "goes up by £5,000"."""
        return bool(_ADDS.search(self.text, max(0, value.start - _FAR), value.start))

    def told_with(self, start: int, end: int) -> str:
        """Headings and text; of a row only its label and the cell that has text[start:end]."""
        if "\t" not in self.text:
            return self.under
        label = self.text.partition("\t")[0]
        left = self.text.rfind("\t", 0, start) + 1
        cell = self.text[left:end] + self.text[end:].partition("\t")[0]
        return " ".join([self.about, label, cell])

    def before(self, value: Value) -> str:
        return self.text[max(0, value.start - _BEFORE) : value.start]


def _of_other_things(asked: Asking, one: Statement, other: Statement) -> bool:
    """Whether they plainly speak of different periods, grades, parties or bearers of names."""
    contracts = [" ".join(side.changes) or side.title for side in (one, other)]  # an amendment's is another's
    if siblings(*contracts) or one.bearers.apart(other.bearers, asked.bearers):
        return True
    if contrary(one.whole, other.whole) or on_other_days(one.whole, other.whole):
        return True
    if asked.is_contrary(one.text) or asked.is_contrary(other.text):
        return True
    if changes_another_clause(one.text, other.text) or changes_another_clause(other.text, one.text):
        return True
    if not _related(one, other) and of_other_contracts((contracts[0], one.text), (contracts[1], other.text)):
        return True
    if _apart(one.periods, other.periods):
        return True
    return _of_another_name(asked, one, other) or _of_another_name(asked, other, one)


def _of_another_contract(one: Statement, other: Statement) -> bool:
    """Whether one changes contracts, and the other is of none of them: by what is known of their documents,
    or the kind of contract that the change names.
    """
    for change, clause in ((one, other), (other, one)):
        if change.changes and clause.title not in change.changes:
            return True
        named, own = others_named(change.text), kinds_of(clause.title, clause.text)
        if changed_clauses(change.text) and named and own and named.isdisjoint(own):
            return True
    return False


def _related(one: Statement, other: Statement) -> bool:
    return one.title in other.changes or other.title in one.changes


def _of_another_name(asked: Asking, one: Statement, other: Statement) -> bool:
    """Whether the document of the other is about a name that is asked for, and this statement lacks it."""
    return any(
        name not in one.whole and (name in other.titles or _is_company(name, other.whole))
        for name in asked.names
    )


def _is_company(name: str, text: str) -> bool:
    return bool(re.search(rf"\b{re.escape(name)}(?: \w+)? (?:{FORM}|BV)\b", text))


def _apart(one: Periods, other: Periods) -> bool:
    pairs = ((one.years, other.years), (one.quarters, other.quarters), (one.spans, other.spans))
    return any(mine and theirs and mine.isdisjoint(theirs) for mine, theirs in pairs)


def _values(asked: Asking, one: Statement, other: Statement, *, bound: bool) -> Difference | None:
    """bound: whether one changes the other."""
    for kind in (*asked.kinds, *(COUNTED if bound else ())):
        mine, theirs = (
            [
                value
                for value in side.of_kind(kind, side.values_beside(beside), asked)
                if not any(value.same_as(told) for told in asked.values)
            ]
            for side, beside in ((one, other), (other, one))
        )
        if not mine or not theirs:
            continue
        if kind in _MEASURED and (_of_other_times(asked, one, other) or _of_others(asked, one, other)):
            return None
        a = _once(mine, other) or asked.meant(one.text, mine)
        b = _once(theirs, one) or asked.meant(other.text, theirs)
        if any(a.same_as(value) for value in theirs) or any(b.same_as(value) for value in mine):
            if bound:
                continue  # what an amendment repeats is not what it changes
            return None
        if kind in _MEASURED and _of_a_report(one, a, other, b):
            return None
        if one.adds(a) != other.adds(b):
            return None
        from_one_event = one.behind(a) and one.behind(a) == other.behind(b)
        if one.role_of(a) != other.role_of(b) and not from_one_event:
            return None
        if kind == COUNT:
            alike = bool(a.per and a.per == b.per) or (
                asked.counts(a, b) and (a.comparable(b) or len(mine) == len(theirs) == 1)
            )
        else:
            alike = a.comparable(b)
        if alike and (bound or not (_keeps(one, a, other, b) or _keeps(other, b, one, a))):
            return Difference(kind=kind, one=(a.start, a.end), other=(b.start, b.end))
        return None
    return None


def _was_so(new: Statement, old: Statement) -> bool:
    """Whether one says from what it was changed, and the other says that."""
    return _once(old.values, new) is not None


def _was_otherwise(new: Statement, old: Statement) -> bool:
    """Whether one says from what it was changed, and the other has values of that kind, all of them others: a
    deposit of 12,000 is not the rent that was 48,000.
    """
    for former in new.former:
        alike = [value for value in old.values if value.kind == former.kind]
        if alike and not any(value.same_as(former) for value in alike):
            return True
    return False


def _once(values: Sequence[Value], new: Statement) -> Value | None:
    """The one of them that something was changed from, as the other statement says."""
    return next((value for value in values if any(former.same_as(value) for former in new.former)), None)


def _of_others(asked: Asking, one: Statement, other: Statement) -> bool:
    """Whether a statement names somebody, but not whose figure is asked for."""
    return any(side.names and any(name not in side.whole for name in asked.names) for side in (one, other))


def _of_other_times(asked: Asking, one: Statement, other: Statement) -> bool:
    """Whether the titles are of different times, or one is of a time and the other of none: what was measured
    in August is no promise.
    """
    if _apart(Periods.of(one.title), Periods.of(other.title)):
        return True
    if _CALENDAR.search(asked.text) or Periods.of(asked.text).years:
        return False
    if _of_year(one, other) or _of_year(other, one):
        return False
    return bool(_AT_A_TIME.search(one.without_values)) != bool(_AT_A_TIME.search(other.without_values))


def _of_year(one: Statement, other: Statement) -> bool:
    """Whether one says the year that the other's document is of."""
    return bool(one.periods.years & Periods.of(other.title).years)


def _of_a_report(one: Statement, a: Value, other: Statement, b: Value) -> bool:
    """Whether they are figures of a report, and not of the same year as far as is said; limits are none."""
    if one.periods.years & other.periods.years or (_is_limit(one, a) and _is_limit(other, b)):
        return False
    return bool(_REPORTED.search(one.under) or _REPORTED.search(other.under))


def _is_limit(side: Statement, value: Value) -> bool:
    before = side.before(value)
    return bool(_LEAST.search(before) or _MOST.search(before))


def _keeps(bound: Statement, limit: Value, plain: Statement, value: Value) -> bool:
    """Whether one is a bound that the other keeps: "at least 90 %" and "94 %"."""
    around = bound.before(limit)
    if limit.unit != value.unit or _is_limit(plain, value):
        return False
    if _LEAST.search(around):
        return value.number >= limit.number
    return bool(_MOST.search(around)) and value.number <= limit.number


def _polarity(asked: Asking, one: Statement, other: Statement) -> Difference | None:
    if not asked.yes_or_no:
        return None
    said = [is_affirmed(asked.nearest_clause(side.text)) for side in (one, other)]
    if None in said or said[0] == said[1]:
        return None
    return Difference(kind=POLARITY, one=(0, len(one.text)), other=(0, len(other.text)))


def _proper_names(asked: Asking, one: Statement, other: Statement) -> Difference | None:
    """Places and persons that are asked for: a place is what stands behind in or at."""
    if not (asked.where or asked.who):
        return None
    mine, theirs = (
        [
            name
            for name in side.names
            if name[0].lower() not in asked.text.lower()
            and not (asked.who and _THE.search(side.text[: name[1]]))  # "the Hirer" is nobody's name
            and (asked.who or _PLACED.search(side.text[: name[1]]))
            and not (asked.where and all(is_common(word.lower()) for word in name[0].split()))  # "Building C"
            and set(name[0].split()).isdisjoint(asked.names)  # "IBM Rochester Lab" is no place of IBM's
        ]
        for side in (one, other)
    )
    if not mine or not theirs or _words_of(mine) & _words_of(theirs):
        return None
    kind = PLACE if asked.where else NAME
    return Difference(kind=kind, one=_whole(one, mine[0]), other=_whole(other, theirs[0]))


def _whole(side: Statement, name: tuple[str, int, int]) -> tuple[int, int]:
    """With what it is named together with: "England and Wales"."""
    _, start, end = name
    further = _AND_NAME.match(side.text, end)
    return start, further.end() if further else end


def _words_of(named: Sequence[tuple[str, int, int]]) -> set[str]:
    return {word for name, *_ in named for word in name.split()}
