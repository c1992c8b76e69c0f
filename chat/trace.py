"""What a turn's events add up to: the steps of the answer with their times, and its text so far."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from django.contrib.postgres.aggregates import StringAgg
from django.db.models import QuerySet, Subquery, TextField
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce

from answering.values.events import StageFinished, StageStarted, Step
from chat.events import AnswerDelta, TurnFinished, TurnRestarted, TurnStarted
from chat.models import Turn, TurnStatus
from events.models import Event

# How a step looks that was running when the turn ended so.
CUT_SHORT = {TurnStatus.FAILED.value: "f", TurnStatus.STOPPED.value: "w"}


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedStep(Step):
    """A step, when it began (milliseconds after the turn did), and the tokens that models read and wrote."""

    start: float
    tokens: int = 0


def steps_of(events: Iterable[Event]) -> list[TimedStep]:
    """The steps of the newest run, in the order in which they began. Pure."""
    begun = None
    written = ""  # the step of which a stage has told last
    own = ""  # the step that the stage which runs began with, if it did
    told: set[str] = set()  # steps of which the stage that runs has told
    steps: dict[str, TimedStep] = {}
    for event in events:
        if event.kind in {TurnStarted.kind, TurnRestarted.kind}:
            begun, steps, own = event.created, {}, ""
            told.clear()
        if begun is None:
            continue
        at = (event.created - begun).total_seconds() * 1000
        if step := event.data.get("step"):
            earlier, written = steps.get(step["id"]), step["id"]
            own = written if event.kind == StageStarted.kind else own
            told.add(written)
            steps[written] = TimedStep(
                **step, start=earlier.start if earlier else at, tokens=earlier.tokens if earlier else 0
            )
        elif event.kind == StageFinished.kind:
            _end(steps, at)
            _measure(steps, told, event.data, at)
            told.clear()
            if (payer := own or written) in steps:
                spent = steps[payer].tokens + event.data.get("tokens", 0)
                steps[payer] = replace(steps[payer], tokens=spent)
            own = ""
        elif event.kind == TurnFinished.kind:
            _end(steps, at, CUT_SHORT.get(event.data["status"], ""))
    return list(steps.values())


def _measure(steps: dict[str, TimedStep], told: Iterable[str], finished: Any, at: float) -> None:
    """A line that was shown only once its stage was done: its time is in the event of the stage's end."""
    for key in told:
        if steps[key].ms is None and key.partition("-")[0] == finished["stage"]:
            steps[key] = replace(steps[key], ms=finished["ms"], start=max(0.0, at - finished["ms"]))


def _end(steps: dict[str, TimedStep], at: float, state: Any = "") -> None:
    for key, step in steps.items():
        if step.state == "now":
            steps[key] = replace(step, state=state, ms=round(at - step.start))


def lasting(turn: Turn) -> QuerySet[Event]:
    """The turn's events in order, without the pieces of its answer."""
    return Event.objects.filter(channel=turn.channel, ephemeral=False).order_by("seq")


def keep(turn: Turn) -> None:
    """Write the steps into the row of a turn that has just ended: its events go after some days."""
    trace = [asdict(step) for step in steps_of(lasting(turn))]
    Turn.objects.filter(pk=turn.pk).update(trace=trace)


def kept(turn: Turn) -> list[TimedStep]:
    """The steps of a turn that has ended."""
    return [TimedStep(**step) for step in turn.trace]


def text_until(turn: Turn, seq: int) -> str:
    """The answer of the newest run as it was after that event. A piece at its beginning replaces it."""
    restarts = lasting(turn).filter(kind=TurnRestarted.kind, seq__lte=seq)
    begun = restarts.order_by("-seq").values_list("seq", flat=True).first() or 0
    deltas = Event.objects.filter(channel=turn.channel, kind=AnswerDelta.kind, seq__gt=begun, seq__lte=seq)
    first = deltas.filter(data__offset=0).order_by("-seq").values("seq")[:1]
    pieces = deltas.filter(seq__gte=Coalesce(Subquery(first), 0)).aggregate(
        text=StringAgg(Cast(KT("data__text"), TextField()), "", order_by="seq")
    )
    return pieces["text"] or ""
