"""The encoding that a server tells of a page."""

import pytest

from ingestion.web_pages.snapshot import with_charset

LONG = b"<p>abc-" + b"z" * 500_000  # minutes, where it is read as punycode


def test_an_old_encoding_that_only_the_server_tells_is_kept() -> None:
    assert with_charset("Причал".encode("koi8-r"), ".html", "KOI8-R").decode("utf-8-sig") == "Причал"


@pytest.mark.parametrize(
    "charset", ["punycode", "idna", "undefined", "zlib", "unicode_escape", "x-own", "a\0b"]
)
def test_what_is_no_encoding_of_the_web_changes_nothing(charset: str) -> None:
    assert with_charset(LONG, ".html", charset) == LONG
