"""What a site asks of programs in its robots.txt (RFC 9309). Pure.

Python's own reader knows no wildcards and takes the first rule that fits; the standard has them, and the
longest one counts.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import quote, unquote_to_bytes

MOST_RULES = 1_000  # each is held against each page
PLAIN = "/:@!$&'()*+,;=?~%"  # in addresses, beside letters and digits


class TooManyRules(Exception):
    """Not to be followed by leaving some out: what they forbid would be read."""


@dataclass(slots=True)
class Group:
    """rules: whether allowed, and the pattern."""

    rules: list[tuple[bool, str]] = field(default_factory=list)
    delay: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Robots:
    """delay: seconds from one request to the next. sitemaps: their addresses, as they stand there."""

    rules: tuple[tuple[bool, str], ...] = ()
    delay: float = 0.0
    sitemaps: tuple[str, ...] = ()

    def allow(self, path: str) -> bool:
        """Of all rules that fit the longest counts; of two as long the one that allows."""
        path = normal(path)
        fits = [(len(pattern), allows) for allows, pattern in self.rules if _fits(pattern, path)]
        return max(fits, default=(0, True))[1]


def parsed(text: str, agent: str) -> Robots:
    """What is for `agent`, else what is for all. Raises TooManyRules."""
    groups: dict[str, Group] = {}
    meant: list[Group] = []
    sitemaps = []
    is_head = False  # several agents may share the rules below them
    for name, value in _lines(text):
        if name == "user-agent":
            meant = [*meant] if is_head else []
            meant.append(groups.setdefault(value.lower(), Group()))
        elif name == "sitemap":
            sitemaps.append(value)
        elif name in ("allow", "disallow") and value:
            for group in meant:
                group.rules.append((name == "allow", normal(value)))
        elif name == "crawl-delay" and re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", value):
            for group in meant:
                group.delay = float(value)
        is_head = name == "user-agent" or (is_head and name == "sitemap")
    ours = groups.get(agent) or groups.get("*") or Group()
    if len(ours.rules) > MOST_RULES:
        raise TooManyRules
    return Robots(rules=tuple(ours.rules), delay=ours.delay, sitemaps=tuple(sitemaps))


def normal(path: str) -> str:
    """Each character escaped in one way, so that a rule and a path can be compared. What is escaped in it
    and would mean something else unescaped stays so.
    """

    def written(run: re.Match[str]) -> str:
        return quote(unquote_to_bytes(run[0]), safe="~")

    plain = re.sub(r"(?:%[0-9A-Fa-f]{2})+", written, path)
    return quote(plain, PLAIN)


def _lines(text: str) -> Iterator[tuple[str, str]]:
    for line in text.removeprefix("\ufeff").splitlines():
        name, colon, value = line.partition("#")[0].partition(":")
        if colon:
            yield name.strip().lower(), value.strip()


def _fits(pattern: str, path: str) -> bool:
    """From the beginning of the path; `*` is anything, `$` at the end the end. One pass: a pattern of a
    stranger's would keep a regular expression busy for ever.
    """
    to_end = pattern.endswith("$")
    first, *rest = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    place = len(first)
    for part in rest[:-1] if to_end else rest:
        found = path.find(part, place)
        if found < 0:
            return False
        place = found + len(part)
    if not to_end:
        return True
    return len(path) - place >= len(rest[-1]) and path.endswith(rest[-1]) if rest else path == first
