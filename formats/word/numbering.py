"""The numbers that Word prints before paragraphs: automatic, of several levels, such as "4.2(b)"."""

import re
from dataclasses import dataclass, field

from formats.embedded.xml import Element, attribute, child, children
from formats.rendition.list_labels import BULLETS, counted
from formats.word.properties import value_of

LEVELS = 9
KINDS = {"upperRoman": "I", "lowerRoman": "i", "upperLetter": "A", "lowerLetter": "a"}
ORDINALS = {1: "st", 2: "nd", 3: "rd"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """pattern: "%1.%2(%3)", each figure the number of that level. restart: the level whose count begins this
    one again, 0 for never, None for the one above. legal: all numbers are figures.
    """

    kind: str = "decimal"
    pattern: str = ""
    start: int = 1
    restart: int | None = None
    legal: bool = False
    style: str = ""


@dataclass(slots=True, kw_only=True)
class Numbering:
    """levels: by list and level. counts: what each abstract list has reached."""

    levels: dict[str, dict[int, Level]] = field(default_factory=dict)
    abstract: dict[str, str] = field(default_factory=dict)
    starts: dict[tuple[str, int], int] = field(default_factory=dict)
    counts: dict[str, list[int | None]] = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, root: Element | None) -> "Numbering":
        """Of the part numbering.xml."""
        abstract = {
            attribute(each, "abstractNumId") or "": _levels(each) for each in children(root, "abstractNum")
        }
        links = {
            value_of(each, "styleLink"): attribute(each, "abstractNumId") or ""
            for each in children(root, "abstractNum")
            if value_of(each, "styleLink")
        }
        linked = {
            attribute(each, "abstractNumId") or "": links[value_of(each, "numStyleLink")]
            for each in children(root, "abstractNum")
            if value_of(each, "numStyleLink") in links
        }
        found = cls()
        for each in children(root, "num"):
            number, of = attribute(each, "numId") or "", value_of(each, "abstractNumId")
            of = linked.get(of, of)
            found.abstract[number] = of
            found.levels[number] = dict(abstract.get(of, {}))
            for override in children(each, "lvlOverride"):
                at = _figure(attribute(override, "ilvl"))
                if (level := child(override, "lvl")) is not None:
                    found.levels[number][at] = _level(level)
                if (start := child(override, "startOverride")) is not None:
                    found.starts[number, at] = _figure(attribute(start, "val"), 1)
        return found

    def level_of_style(self, number: str, style: str) -> int | None:
        """The level that paragraphs of a style have in a list."""
        return next((at for at, level in self.levels.get(number, {}).items() if level.style == style), None)

    def label(self, number: str, at: int) -> str | None:
        """What is printed before the next paragraph of that list and level; None for an unknown list."""
        levels = self.levels.get(number)
        if not levels or number == "0":
            return None
        at = min(max(at, 0), LEVELS - 1)
        level = levels.get(at, Level())
        counts = self.counts.setdefault(self.abstract[number], [None] * LEVELS)
        if number not in self.begun:
            self.begun.add(number)
            for (of, place), start in self.starts.items():
                if of == number:
                    counts[place] = start - 1
        reached = counts[at]
        counts[at] = level.start if reached is None else reached + 1
        for lower in range(at + 1, LEVELS):
            restart = levels.get(lower, Level()).restart
            if restart is None or (restart > 0 and at < restart):
                counts[lower] = None
        if level.kind == "bullet":
            return BULLETS[min(at, len(BULLETS) - 1)]
        if level.kind == "none":
            return level.pattern.replace("%1", "") if "%" in level.pattern else level.pattern
        return re.sub(
            r"%([1-9])",
            lambda found: self._printed(levels, counts, int(found[1]) - 1, level.legal),
            level.pattern,
        )

    def _printed(self, levels: dict[int, Level], counts: list[int | None], at: int, legal: bool) -> str:
        level = levels.get(at, Level())
        reached = counts[at]
        if reached is None:
            counts[at] = reached = level.start
        kind = "decimal" if legal else level.kind
        if kind == "decimalZero":
            return f"{reached:02}"
        if kind == "ordinal":
            teens = 11 <= reached % 100 <= 13
            return f"{reached}{'th' if teens else ORDINALS.get(reached % 10, 'th')}"
        return counted(reached, KINDS.get(kind, "1"))


def _levels(element: Element) -> dict[int, Level]:
    return {_figure(attribute(each, "ilvl")): _level(each) for each in children(element, "lvl")}


def _level(element: Element) -> Level:
    restart = child(element, "lvlRestart")
    return Level(
        kind=value_of(element, "numFmt") or "decimal",
        pattern=value_of(element, "lvlText"),
        start=_figure(value_of(element, "start"), 1),
        restart=None if restart is None else _figure(attribute(restart, "val")),
        legal=child(element, "isLgl") is not None,
        style=value_of(element, "pStyle"),
    )


def _figure(text: str | None, otherwise: int = 0) -> int:
    return int(text) if text and re.fullmatch(r"-?\d{1,6}", text) else otherwise
