"""Marks in an answer for clients that count its sources."""

from chat.api.numbered_sources import with_sources


def test_marks_name_places_among_the_sources_and_one_without_a_source_goes() -> None:
    text = "Kept for 35 days. [4] Told within 24 hours. [7][9] See [the page](https://example.org/[4])."
    told = with_sources(text, {4: 1, 7: 2})
    assert told.startswith("Kept for 35 days. [Source 1] Told within 24 hours. [Source 2] See")


def test_what_is_no_mark_stays() -> None:
    assert (
        with_sources(r"An escaped \[4] and a year (2024).", {4: 1}) == r"An escaped \[4] and a year (2024)."
    )
