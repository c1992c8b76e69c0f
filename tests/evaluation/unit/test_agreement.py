"""How far the judge and people agree, on cases whose values are known."""

import pytest

from desks.evaluation.metrics.agreement import agreement


def test_agreement_has_its_share_its_bounds_and_kappa() -> None:
    told = agreement([(True, True)] * 9 + [(True, False)] + [(False, False)] * 8 + [(False, True)] * 2)
    assert told
    assert (told.n, told.agreed, told.share) == (20, 17, 0.85)
    assert told.kappa == pytest.approx(0.7)
    assert (told.low, told.high) == (pytest.approx(0.621, abs=1e-3), pytest.approx(0.968, abs=1e-3))


def test_who_has_one_opinion_only_agrees_by_chance() -> None:
    told = agreement([(True, True)] * 20)
    assert told
    assert (told.share, told.kappa) == (1.0, None)


def test_the_opposite_opinion_has_a_kappa_below_nothing() -> None:
    told = agreement([(True, False), (False, True)] * 5)
    assert told
    assert (told.agreed, told.kappa) == (0, -1.0)


def test_without_a_statement_nothing_is_said() -> None:
    assert agreement([]) is None
