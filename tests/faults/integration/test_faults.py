"""Something happens in the middle of each kind of work: nothing is lost, nothing doubled, nothing paid twice.

A few fixed moments in every run; `make faults` takes many more, some of them at random.
"""

from typing import Any

import pytest

from tests.faults.harness import HOW_MANY, disturbed
from tests.faults.scenarios import SCENARIOS

DAY = 86_400.0
CASES: list[tuple[str, int, str, float]] = [  # scenario, which of its moments, what happens, clock
    ("reading", 6, "kill", DAY),
    ("re-embedding", 0, "connections", -DAY),
    ("table", 0, "kill", 0),
    ("deletion", 0, "disk", 0),
    ("graph import", 0, "kill", 0),
]
MORE: list[tuple[str, int, str, float]] = [  # by `make faults`, which kills at every moment besides
    ("reading", 7, "connections", 0),
    ("reading", 1, "disk", 0),
    ("evaluation", 0, "connections", 0),
]


@pytest.mark.parametrize(("name", "moment", "fault", "clock"), CASES + (MORE if HOW_MANY else []))
def test_nothing_is_lost(make_stage: Any, name: str, moment: int, fault: str, clock: float) -> None:
    scenario = SCENARIOS[name]
    outcome = disturbed(scenario, make_stage, scenario.functions[moment], fault=fault, clock=clock)
    assert outcome.struck
    assert outcome.wrong == []
