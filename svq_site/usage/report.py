"""What was spent in some days, one's own or the deployment's: sums by day, datasource, model and person."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from statistics import median

from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from chat.models import Mode, Turn, TurnStatus
from chat.web.trace import duration
from datasources.models import Datasource
from datasources.models_in_use import is_local
from providers.spending.models import Purpose, Spending


@dataclass(frozen=True, slots=True, kw_only=True)
class Sum:
    """What some calls have cost; `milliseconds` is how long models worked."""

    name: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    milliseconds: int
    money: Decimal

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    @property
    def took(self) -> str:
        """How long models worked: “38.3 min”."""
        return duration(self.milliseconds)

    @property
    def seconds(self) -> float:
        return self.milliseconds / 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """How questions were answered; seconds are medians, None without any."""

    questions: int
    not_found: int
    seconds: float | None
    agent: float | None
    fast: float | None

    @property
    def share_not_found(self) -> float:
        """In percent."""
        return 100 * self.not_found / self.questions if self.questions else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """`days`: from the first to today; `by_purpose`: tokens of each purpose, a number a day."""

    total: Sum
    local_tokens: int
    days: Sequence[date]
    by_purpose: Mapping[Purpose, Sequence[int]]
    by_day: Sequence[Sum]
    by_datasource: Sequence[Sum]
    by_model: Sequence[Sum]
    by_person: Sequence[Sum]
    answers: Answers

    @property
    def api_tokens(self) -> int:
        return self.total.tokens - self.local_tokens


def report(person: User, days: int, *, of_all: bool) -> Report:
    """The last days up to today. `of_all`: of the whole deployment, for administrators."""
    today = timezone.localdate()
    span = [today - timedelta(days=back) for back in range(days - 1, -1, -1)]
    rows = list(spent_by(None if of_all else person).filter(day__gte=span[0]))
    names = _datasource_names(person, {row.datasource for row in rows})
    people = dict(User.objects.filter(pk__in={row.person for row in rows}).values_list("pk", "email"))
    return Report(
        total=_sum("All", rows),
        local_tokens=sum(_tokens(row) for row in rows if is_local(row.host)),
        days=span,
        by_purpose={purpose: _a_day(span, rows, purpose) for purpose in Purpose},
        by_day=sorted(
            _grouped(rows, lambda row: row.day.isoformat()), key=lambda sum_: sum_.name, reverse=True
        ),
        by_datasource=_grouped(rows, lambda row: names[row.datasource]),
        by_model=_grouped(rows, lambda row: f"{row.model} at {row.host}" if row.host else row.model),
        by_person=_grouped(rows, lambda row: people.get(row.person, "Nobody in particular")),
        answers=_answers(None if of_all else person, span[0]),
    )


def spent_by(person: User | None) -> QuerySet[Spending]:
    """None: by everybody. An API token narrows it to the datasources that it reaches."""
    rows = Spending.objects.all() if person is None else Spending.objects.filter(person=person.pk)
    reach = None if person is None else person.reach
    return rows if reach is None else rows.filter(datasource__in=reach)


def _datasource_names(person: User, numbers: set[int]) -> Mapping[int, str]:
    """Only of those that the person may see: others have numbers, for administrators too."""
    named = dict(Datasource.objects.visible_to(person).filter(pk__in=numbers).values_list("pk", "name"))
    return {number: named.get(number, f"Datasource {number}" if number else "None") for number in numbers}


def _grouped(rows: Iterable[Spending], key: Callable[[Spending], str]) -> list[Sum]:
    """The dearest first, then those of most tokens."""
    groups: dict[str, list[Spending]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    sums = [_sum(name, group) for name, group in groups.items()]
    return sorted(sums, key=lambda sum_: (-sum_.money, -sum_.tokens, sum_.name))


def _sum(name: str, rows: Sequence[Spending]) -> Sum:
    return Sum(
        name=name,
        calls=sum(row.calls for row in rows),
        prompt_tokens=sum(row.prompt_tokens for row in rows),
        completion_tokens=sum(row.completion_tokens for row in rows),
        milliseconds=sum(row.milliseconds for row in rows),
        money=sum((row.money for row in rows), Decimal(0)),
    )


def _tokens(row: Spending) -> int:
    return row.prompt_tokens + row.completion_tokens


def _a_day(span: Sequence[date], rows: Sequence[Spending], purpose: Purpose) -> list[int]:
    sums = dict.fromkeys(span, 0)
    for row in rows:
        if row.purpose == purpose and row.day in sums:
            sums[row.day] += _tokens(row)
    return list(sums.values())


def _answers(person: User | None, first: date) -> Answers:
    """Of the questions that are still there: a deleted conversation counts no more."""
    turns = Turn.objects.filter(created__date__gte=first)
    if person is not None:
        turns = turns.visible_to(person)
    asked = list(turns.values_list("status", "mode", "seconds"))
    took = [(mode, seconds) for _, mode, seconds in asked if seconds is not None]

    def middle(wanted: Mode | None = None) -> float | None:
        times = [seconds for mode, seconds in took if wanted in (None, mode)]
        return median(times) if times else None

    return Answers(
        questions=len(asked),
        not_found=sum(status == TurnStatus.NOT_FOUND for status, _, _ in asked),
        seconds=middle(),
        agent=middle(Mode.AGENT),
        fast=middle(Mode.FAST),
    )
