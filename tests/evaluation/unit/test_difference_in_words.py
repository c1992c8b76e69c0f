"""Whether two runs differ, in words: on pages in the person's language, in files for programs in English."""

import pytest
from django.utils.translation import get_language, override

from desks.evaluation.metrics import intervals
from desks.evaluation.metrics.intervals import Comparison
from desks.evaluation.reports.files import _test


def test_a_file_for_programs_is_in_english_whoever_asks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intervals, "_", lambda words: f"{get_language()}: {words}")
    sure = Comparison(n=30, difference=0.12, low=0.05, high=0.2, p=0.01, better=20, same=5, worse=5)
    with override("de"):
        assert sure.words.startswith("de: better by 0.12")
        assert str(_test(sure)["words"]).startswith("en: en: better by 0.12")
