"""One spelling for what is written in several ways, also for texts that nobody would write."""

import time

import pytest

from english.spelling import plain


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Rent\n\n- It **isn't** due", "Rent It is not due"),
        ("Paid (see page 1,2, section 5a(b) and 6) late", "Paid late"),
        ("Paid (see page 5and 6) late", "Paid late"),
        ("Paid (see page 5 of the lease) late", "Paid (see page 5 of the lease) late"),
        ("Rent - and heating", "Rent , and heating"),
        ("Name\t\tRent\n\t\n# Flat\t-\t5", "Name\t\tRent\nFlat , 5"),
    ],
)
def test_what_is_written_in_several_ways_is_one(text, expected):
    assert plain(text) == expected


@pytest.mark.parametrize("sign", ["# ", "#\n", "> ", "\t", "\n\t", "- ", "(#\n", "(\t", "(see page 1,1"])
def test_a_text_without_end_takes_its_length_in_time(sign):
    def seconds(length: int) -> float:
        began = time.process_time()
        plain("(page 1" + sign * (length // len(sign)))
        return time.process_time() - began

    assert seconds(50_000) < 40 * max(seconds(5_000), 0.01)


def test_a_long_list_of_pages_is_read_in_one_way():
    began = time.process_time()
    plain("(see pages 1" + ",11" * 30 + " of the lease)")
    assert time.process_time() - began < 5
