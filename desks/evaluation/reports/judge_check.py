"""The judge compared with people: which of its verdicts they are shown, and how often they agree."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from accounts.models import User
from answering.values.outcome import Outcome
from desks.evaluation.metrics.agreement import Agreement, agreement
from desks.evaluation.models import Result, Run, Verdict

SHOWN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedStatement:
    """A statement that the judge has judged; `place` is that in the result's list."""

    result: Result
    place: int

    @property
    def text(self) -> str:
        return str(self.result.judged["statements"][self.place]["text"])

    @property
    def supported(self) -> bool:
        return bool(self.result.judged["statements"][self.place]["supported"])

    @property
    def key(self) -> tuple[int, int]:
        return self.result.pk, self.place


def sample(run: Run) -> list[JudgedStatement]:
    """Twenty verdicts of the run, the same for everybody: half of either kind, as far as there are."""
    results = (
        run.question_results.exclude(judged={}).exclude(outcome=Outcome.NOT_FOUND).select_related("question")
    )
    every = [
        JudgedStatement(result=result, place=place)
        for result in results.defer("trace", "legs")
        for place in range(len(result.judged.get("statements", ())))
    ]
    every.sort(key=_by_lot)
    against = [each for each in every if not each.supported]
    favour = [each for each in every if each.supported]
    half = SHOWN // 2
    chosen = [*against[: max(half, SHOWN - len(favour))], *favour[: max(half, SHOWN - len(against))]]
    return sorted(chosen, key=_by_lot)


def _by_lot(each: JudgedStatement) -> str:
    return hashlib.sha256(f"{each.result.pk}:{each.place}".encode()).hexdigest()


def waiting(run: Run, person: User) -> list[JudgedStatement]:
    """Those that the person has not looked at yet."""
    mine = set(Verdict.objects.filter(result__run=run, person=person).values_list("result", "statement"))
    return [each for each in sample(run) if each.key not in mine]


def agreed(run: Run) -> Agreement | None:
    """Of the judge with everybody who has looked at all of the sample; None before the first of them."""
    chosen = {each.key: each.supported for each in sample(run)}
    return agreement(_pairs(run, chosen)) if chosen else None


def _pairs(run: Run, chosen: dict[tuple[int, int], bool]) -> Sequence[tuple[bool, bool]]:
    by_person: dict[int, list[tuple[bool, bool]]] = {}
    rows = Verdict.objects.filter(result__run=run).values_list("person", "result", "statement", "supported")
    for person, result, place, supported in rows:
        if (result, place) in chosen:
            by_person.setdefault(person, []).append((chosen[result, place], supported))
    return [pair for pairs in by_person.values() if len(pairs) == len(chosen) for pair in pairs]
