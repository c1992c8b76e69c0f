"""The days that contracts say of themselves."""

from datetime import date

import pytest

from english.contracts.instrument_days import day_made, day_of_effect


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("This Agreement is made on 3 February 2025 between", date(2025, 2, 3)),
        ("This Deed of Variation is dated\n12th day of May 2024.", date(2024, 5, 12)),
        ("This Lease was entered into as of March 4, 2019.", date(2019, 3, 4)),
        ("This Agreement is made on 31 June 2025", None),
        ("This Agreement ends on 3 February 2025", None),
        ("Deed of variation\nrelating to the lease between A and B, 3 February 2019", None),
        ("CV of Jane Doe\nBorn in Leeds, 4 May 1980", None),
    ],
)
def test_the_day_on_which_it_was_made(text: str, day: date | None) -> None:
    assert day_made(text) == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("1.2 This Amendment takes effect on 1 January 2026 (the Amendment Date)", date(2026, 1, 1)),
        ("and has effect on and from 1 July 2023", date(2023, 7, 1)),
        ("2.1 With effect from 1 November 2024 the Agreement is amended", date(2024, 11, 1)),
        ("The notice expires on 1 July 2023", None),
    ],
)
def test_the_day_from_which_it_has_effect(text: str, day: date | None) -> None:
    assert day_of_effect(text) == day
