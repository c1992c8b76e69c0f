"""What is said of two runs whose settings differ."""

from desks.evaluation.models import Run
from desks.evaluation.web.settings_in_words import changed


def test_each_setting_that_differs_is_told_of_both_runs_and_no_model_is_told_as_none() -> None:
    prose = Run(number=3, frozen={"model": "mistral-small", "quotes_only": False, "near": 0.5, "graph": True})
    keyless = Run(number=2, frozen={"model": "quotes", "quotes_only": True, "near": None, "graph": True})
    assert changed(prose, keyless) == [
        "Model: mistral-small in Run 3, none in Run 2.",
        "Near the best: 0.5 in Run 3, none in Run 2.",
    ]
