"""What a site asks of programs in its robots.txt (RFC 9309). Pure.

Python's own reader knows no wildcards and takes the first rule that fits; the standard has them, and the
longest one counts.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import quote, unquote_to_bytes

MOST_RULES = 1_000  # each is held against each page
MOST_PARTS = 5_000  # between the wildcards of all rules
PLAIN = "/:@!$&'()*+,;=?~%"  # in addresses, beside letters and digits


class TooManyRules(Exception):
    """Not to be followed by leaving some out: what they forbid would be read."""


@dataclass(frozen=True, slots=True)
class Rule:
    """parts: what stands between its wildcards. length: of the pattern as it is written."""

    allows: bool
    length: int
    parts: tuple[str, ...]
    to_end: bool

    def fits(self, path: str) -> bool:
        """From the beginning of the path; `*` is anything, `$` at the end the end. One pass: a pattern of a
        stranger's would keep a regular expression busy for ever.
        """
        first, *rest = self.parts
        if not path.startswith(first):
            return False
        place = len(first)
        for part in rest[:-1] if self.to_end else rest:
            found = path.find(part, place)
            if found < 0:
                return False
            place = found + len(part)
        if not self.to_end:
            return True
        return len(path) - place >= len(rest[-1]) and path.endswith(rest[-1]) if rest else path == first


@dataclass(slots=True)
class Group:
    rules: list[Rule] = field(default_factory=list)
    parts: int = 0
    delay: float = 0.0

    def add(self, rule: Rule) -> None:
        """Raises TooManyRules."""
        self.parts += len(rule.parts)
        if len(self.rules) >= MOST_RULES or self.parts > MOST_PARTS:
            raise TooManyRules
        self.rules.append(rule)


@dataclass(frozen=True, slots=True, kw_only=True)
class Robots:
    """delay: seconds from one request to the next. sitemaps: their addresses, as they stand there."""

    rules: tuple[Rule, ...] = ()
    delay: float = 0.0
    sitemaps: tuple[str, ...] = ()

    def allow(self, path: str) -> bool:
        """Of all rules that fit the longest counts; of two as long the one that allows."""
        path = normal(path)
        fits = [(rule.length, rule.allows) for rule in self.rules if rule.fits(path)]
        return max(fits, default=(0, True))[1]


def parsed(text: str, agent: str) -> Robots:
    """What is for `agent`, else what is for all. Raises TooManyRules for either."""
    groups: dict[str, Group] = {}  # of these two alone
    meant: set[str] = set()
    sitemaps = []
    is_head = False  # several agents may share the rules below them
    for name, value in _lines(text):
        if name == "user-agent":
            meant = (meant if is_head else set()) | ({value.lower()} & {agent, "*"})
            groups |= {each: Group() for each in meant - groups.keys()}
        elif name == "sitemap":
            sitemaps.append(value)
        elif name in ("allow", "disallow") and value and meant:
            rule = _rule(name == "allow", normal(value))
            for each in meant:
                groups[each].add(rule)
        elif name == "crawl-delay" and re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", value):
            for each in meant:
                groups[each].delay = float(value)
        is_head = name == "user-agent" or (is_head and name == "sitemap")
    ours = groups.get(agent) or groups.get("*") or Group()
    return Robots(rules=tuple(ours.rules), delay=ours.delay, sitemaps=tuple(sitemaps))


def _rule(allows: bool, pattern: str) -> Rule:
    to_end = pattern.endswith("$")
    parts = tuple(pattern.removesuffix("$").split("*"))
    return Rule(allows=allows, length=len(pattern), parts=parts, to_end=to_end)


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
