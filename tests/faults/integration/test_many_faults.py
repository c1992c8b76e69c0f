"""`make faults`: every moment that the table of scenarios names, and as many at random as SVQ_FAULTS says.

SVQ_FAULTS_SEED repeats a run. Without SVQ_FAULTS there are none: `test_faults` has a few for every run.
"""

import os
import random
from typing import Any

import pytest

from tests.faults.conftest import LOST
from tests.faults.harness import HOW_MANY, disturbed, statements
from tests.faults.scenarios import SCENARIOS

DAY = 86_400.0
SEED = int(os.environ.get("SVQ_FAULTS_SEED") or random.randrange(10**6))
FAULTS = [("kill", 0.0), ("kill", DAY), ("kill", -DAY), ("connections", 0.0), ("crash", 0.0), ("disk", 0.0)]

named = [(name, where) for name, each in SCENARIOS.items() for where in each.functions] if HOW_MANY else []
chance = random.Random(SEED)
drawn = [(name, *chance.choice(FAULTS), chance.random()) for name in SCENARIOS for _ in range(HOW_MANY)]
pytestmark = pytest.mark.skipif(not HOW_MANY, reason="these are for `make faults`")


@pytest.mark.parametrize(("name", "where"), named)
def test_each_moment(make_stage: Any, name: str, where: tuple[Any, ...]) -> None:
    outcome = disturbed(SCENARIOS[name], make_stage, where)
    LOST.append((name, "kill", f"{where[2]} {where[1]}", outcome.struck, outcome.wrong))
    assert outcome.wrong == []


@pytest.mark.parametrize(("name", "fault", "clock", "when"), drawn)
def test_at_random(make_stage: Any, name: str, fault: str, clock: float, when: float) -> None:
    scenario = SCENARIOS[name]
    all_of_them = statements(scenario, make_stage)
    number = 1 + int(when * all_of_them)
    outcome = disturbed(scenario, make_stage, ("statement", number), fault=fault, clock=clock)
    what = f"{fault}, clock {clock / 3600:+g} h" if clock else fault
    LOST.append(
        (name, what, f"statement {number} of {all_of_them}, seed {SEED}", outcome.struck, outcome.wrong)
    )
    assert outcome.wrong == []
