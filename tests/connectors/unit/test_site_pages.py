"""What a site says of its pages, also when it says too much."""

import gzip

import pytest

from exchange.connectors.sources.site_pages import links_of, read_sitemap
from exchange.connectors.sources.source import LONGEST_PATH, SourceError

SITEMAP = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</urlset>'


def test_links_come_once_and_from_the_base_that_the_page_names() -> None:
    page = (
        b'<base href="/help/"><a href="a">A</a><a href="a">A</a><a href="/b.exe">B</a><a href="c.pdf">C</a>'
    )
    assert list(links_of(page, "https://x.example/")) == [
        "https://x.example/help/a",
        "https://x.example/help/c.pdf",
    ]


def test_links_and_bases_that_no_path_may_have_are_left_out() -> None:
    long = "a" * (LONGEST_PATH + 1)
    page = f'<base href="/{long}/"><a href="{long}">A</a><a href="http://[">B</a><a href="c">C</a>'
    assert list(links_of(page.encode(), "https://x.example/")) == ["https://x.example/c"]


def test_addresses_of_a_sitemap_that_no_path_may_have_are_left_out() -> None:
    rows = "".join(f"<url><loc>{place}</loc></url>" for place in ("/a", "/" + "b" * LONGEST_PATH))
    assert read_sitemap(SITEMAP.format(rows).encode()) == ("urlset", [("/a", "")])


def test_a_small_sitemap_of_very_many_elements_is_refused() -> None:
    body = gzip.compress(SITEMAP.format("<a/>" * 1_000_001).encode())
    assert len(body) < 20_000
    with pytest.raises(SourceError, match="larger than SVQ reads"):
        read_sitemap(body)
