"""What robots.txt allows, as RFC 9309 has it."""

import time

import pytest

from exchange.connectors.sources.robots import Robots, TooManyRules, parsed


def rules(*lines: str) -> Robots:
    return parsed("\n".join(["User-agent: *", *lines]), "svq")


@pytest.mark.parametrize(
    ("lines", "path", "allowed"),
    [
        ([], "/a", True),
        (["Disallow: /"], "/a", False),
        (["Disallow:"], "/a", True),
        (["Disallow: /a", "Allow: /a/b"], "/a/b/c", True),
        (["Allow: /a", "Disallow: /a"], "/a", True),
        (["Disallow: /*?sort="], "/list?sort=up", False),
        (["Disallow: /*.pdf$"], "/a/b.pdf", False),
        (["Disallow: /*.pdf$"], "/a/b.pdf?x", True),
        (["Disallow: /a$"], "/a", False),
        (["Disallow: /a$"], "/ab", True),
        (["Disallow: /a*b*c$"], "/abc/c", False),
        (["Disallow: /a*bc*bc$"], "/abc", True),
        (["Disallow: /Übersee"], "/%C3%9Cbersee", False),
        (["Disallow: /%7Ejoe"], "/~joe", False),
        (["disallow : /a # why"], "/a", False),
        (["Sitemap: x", "Disallow: /a"], "/a", False),
    ],
)
def test_the_longest_rule_that_fits_counts(lines: list[str], path: str, allowed: bool) -> None:
    assert rules(*lines).allow(path) is allowed


def test_what_is_for_one_program_is_for_that_alone() -> None:
    text = "User-agent: GPTBot\nUser-agent: SVQ\nDisallow: /a\nCrawl-delay: 2\n\nUser-agent: *\nDisallow: /b"
    ours, others = parsed(text, "svq"), parsed(text, "other")
    assert (ours.allow("/a"), ours.allow("/b"), ours.delay) == (False, True, 2.0)
    assert (others.allow("/a"), others.allow("/b"), others.delay) == (True, False, 0.0)


def test_no_pattern_keeps_it_busy() -> None:
    robots, begun = rules("Disallow: /" + "a*" * 500 + "b$"), time.process_time()
    assert robots.allow("/" + "a" * 5000)
    assert time.process_time() - begun < 5


def test_rules_are_kept_for_two_programs_however_many_are_named() -> None:
    agents = [f"User-agent: {number}" for number in range(20_000)]
    robots = parsed("\n".join([*agents, "User-agent: svq", *["Disallow: /a"] * 900]), "svq")
    assert len(robots.rules) == 900
    assert not robots.allow("/a")


@pytest.mark.parametrize("lines", [["Disallow: /a"] * 1_001, ["Disallow: /" + "*a" * 400] * 20])
def test_more_rules_than_can_be_held_against_each_page_are_refused(lines: list[str]) -> None:
    with pytest.raises(TooManyRules):
        rules(*lines)
