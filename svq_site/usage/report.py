"""What a person or the whole deployment spent in some days: sums by day, datasource, model and person."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from django.db import models
from django.db.models import Aggregate, Count, F, FloatField, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.models import User
from chat.models import Mode, Turn, TurnStatus
from chat.web.answers.trace import duration
from datasources.in_use.models import is_local
from datasources.models import Datasource, Role
from providers.spending.models import Purpose, Spending
from svq_site.models import Welcome

SUMMED = ("calls", "prompt_tokens", "completion_tokens", "milliseconds", "money")


class Median(Aggregate):
    """None of nothing."""

    function = "percentile_cont"
    template = "%(function)s(0.5) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = FloatField()


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
    rows = spent_by(None if of_all else person).filter(day__gte=span[0])
    names = _datasource_names(person, set(rows.values_list("datasource", flat=True).distinct()))
    people = _people_names(set(rows.values_list("person", flat=True).distinct()))
    by_day = _grouped(rows, ["day"], lambda day: day.isoformat())
    return Report(
        total=_total(by_day),
        local_tokens=sum(each.tokens for each in _grouped(rows, ["host"], str) if is_local(each.name)),
        days=span,
        by_purpose=_by_purpose(span, rows),
        by_day=sorted(by_day, key=lambda sum_: sum_.name, reverse=True),
        by_datasource=_grouped(rows, ["datasource"], lambda number: names[number]),
        by_model=_grouped(
            rows, ["model", "host"], lambda model, host: f"{model} at {host}" if host else model
        ),
        by_person=_grouped(rows, ["person"], lambda number: people[number]),
        answers=_answers(None if of_all else person, span[0]),
    )


def spent_by(person: User | None) -> QuerySet[Spending]:
    """None: by everybody. An API token narrows it to the datasources that it reaches."""
    rows = Spending.objects.all() if person is None else Spending.objects.filter(person=person.pk)
    reach = None if person is None else person.reach
    return rows if reach is None else rows.filter(datasource__in=reach)


def _datasource_names(person: User, numbers: set[int]) -> Mapping[int, str]:
    """Only of those that the person may see: others have numbers, for administrators too."""
    named = dict(
        Datasource.objects.visible_to(person, Role.ASKER).filter(pk__in=numbers).values_list("pk", "name")
    )
    return {
        number: named.get(number, _("Datasource {number}").format(number=number) if number else _("None"))
        for number in numbers
    }


def _people_names(numbers: set[int]) -> Mapping[int, str]:
    """Accounts that were deleted keep their number."""
    named = dict(User.objects.filter(pk__in=numbers).values_list("pk", "email"))
    nobody = {0: _("Nobody in particular")}
    return nobody | {
        number: named.get(number, _("Deleted account {number}").format(number=number))
        for number in numbers
        if number
    }


def _grouped(rows: QuerySet[Spending], columns: Sequence[str], name: Callable[..., str]) -> list[Sum]:
    """A sum for each value of the columns, by which it is named.

    The dearest first, then those of most tokens.
    """
    sums = {f"{each}_sum": models.Sum(each) for each in SUMMED}
    groups = rows.order_by().values(*columns).annotate(**sums)
    told = [
        Sum(
            name=name(*(group[column] for column in columns)),
            **{each: group[f"{each}_sum"] for each in SUMMED},
        )
        for group in groups
    ]
    return sorted(told, key=lambda sum_: (-sum_.money, -sum_.tokens, sum_.name))


def _total(sums: Sequence[Sum]) -> Sum:
    return Sum(
        name=pgettext("the sum", "All"),
        calls=sum(each.calls for each in sums),
        prompt_tokens=sum(each.prompt_tokens for each in sums),
        completion_tokens=sum(each.completion_tokens for each in sums),
        milliseconds=sum(each.milliseconds for each in sums),
        money=sum((each.money for each in sums), Decimal(0)),
    )


def _by_purpose(span: Sequence[date], rows: QuerySet[Spending]) -> dict[Purpose, list[int]]:
    """The tokens of each purpose, a number a day."""
    groups = rows.order_by().values("purpose", "day")
    sums = groups.annotate(tokens=models.Sum(F("prompt_tokens") + F("completion_tokens")))
    tokens = {(each["purpose"], each["day"]): each["tokens"] for each in sums}
    return {purpose: [tokens.get((purpose, day), 0) for day in span] for purpose in Purpose}


def _answers(person: User | None, first: date) -> Answers:
    """Of the questions that people asked here and that are still there: those of deleted conversations don't
    count, nor does the one that SVQ answers for a person's first page.
    """
    turns = Turn.objects.filter(created__date__gte=first, imported=False)
    turns = turns.exclude(pk__in=Welcome.objects.filter(turn__isnull=False).values("turn"))
    if person is not None:
        turns = turns.visible_to(person)
    found = turns.aggregate(
        questions=Count("pk"),
        not_found=Count("pk", filter=Q(status=TurnStatus.NOT_FOUND)),
        agent=Median("seconds", filter=Q(mode=Mode.AGENT)),
        fast=Median("seconds", filter=Q(mode=Mode.FAST)),
        middle=Median("seconds"),
    )
    return Answers(seconds=found.pop("middle"), **found)
