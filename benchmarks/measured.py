"""What each benchmark has measured: a file of YAML each in benchmarks/results.

`make bench` adds a run; title, words, limits (`shown`), chart and table are written by people, and stay.
"""

import datetime
import os
import platform
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import yaml

RESULTS = Path(__file__).resolve().parent / "results"
NUMBER = r"-?\d[\d,]*(?:\.\d+)?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A figure that the page shows, its limit if it has one, or a peer's figure of the same run.

    `figure`: its label; with `*` those of all that match, of which the worst counts. `read`: a pattern whose
    group is the number, or whose two groups are a part and its whole, told in per cent. `worst`: lowest or
    highest, where no limit says which it is. `because`: why the limit is missed.
    """

    figure: str
    name: str = ""
    at_most: float | None = None
    at_least: float | None = None
    unit: str = ""
    read: str = ""
    peer: str = ""
    peer_name: str = ""
    worst: str = ""
    because: str = ""

    def __post_init__(self) -> None:
        if "*" in self.figure and not self.has_limit and not self.worst:
            raise ValueError(
                f"Which of {self.figure!r} is the worst? Give it a limit, or say lowest or highest."
            )

    @property
    def label(self) -> str:
        return self.name or self.figure

    @property
    def has_limit(self) -> bool:
        return self.at_most is not None or self.at_least is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Figures by their labels, and where they were measured."""

    date: datetime.date
    machine: str
    command: str
    remark: str
    figures: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    name: str
    title: str
    measures: str  # for the page, in a sentence or two
    about: str  # what the figures mean, and what the benchmark needs
    shown: tuple[Shown, ...]
    chart: Mapping[str, Any]
    table: Mapping[str, Any]  # figures: a pattern of labels; columns: names of their parts
    runs: tuple[Run, ...]  # no figure stands in two of them

    @property
    def figures(self) -> dict[str, Any]:
        return {label: value for run in self.runs for label, value in run.figures.items()}

    def value(self, shown: Shown) -> float | None:
        """The number that the limit is held against; None where it was not measured."""
        values = [
            number
            for label, value in self.figures.items()
            if fnmatchcase(label, shown.figure)
            for number in numbers(value, shown.read)
        ]
        if not values:
            return None
        return min(values) if shown.at_least is not None or shown.worst == "lowest" else max(values)

    def is_missed(self, shown: Shown) -> bool:
        value = self.value(shown)
        if value is None:
            return False
        return (shown.at_most is not None and value > shown.at_most) or (
            shown.at_least is not None and value < shown.at_least
        )

    def missed(self) -> list[Shown]:
        return [shown for shown in self.shown if self.is_missed(shown)]


def numbers(value: object, read: str = "") -> list[float]:
    """Those that the pattern finds, or the first one."""
    text = str(value)
    if not read:
        return [number(found[0]) for found in [re.search(NUMBER, text)] if found]
    return [
        number(found[1]) if found.re.groups == 1 else round(100 * number(found[1]) / number(found[2]), 1)
        for found in re.finditer(read, text)
    ]


def number(text: str) -> float:
    plain = text.replace(",", "")
    return float(plain) if "." in plain else int(plain)


def read(name: str) -> Benchmark:
    stored = yaml.safe_load((RESULTS / f"{name}.yaml").read_text(encoding="utf-8"))
    return Benchmark(
        name=name,
        title=stored["title"],
        measures=stored["measures"],
        about=stored["about"],
        shown=tuple(Shown(**one) for one in stored.get("shown", ())),
        chart=stored.get("chart", {}),
        table=stored.get("table", {}),
        runs=tuple(Run(**{"remark": "", **run}) for run in stored["runs"]),
    )


def add(name: str, figures: Mapping[str, Any]) -> None:
    """Store a new run. What it measured goes from the older ones; their other figures stay as they are."""
    path = RESULTS / f"{name}.yaml"
    stored = yaml.safe_load(path.read_text(encoding="utf-8"))
    new = dict(labelled(figures))
    older = [
        run | {"figures": {label: value for label, value in run["figures"].items() if label not in new}}
        for run in stored["runs"]
    ]
    run = {
        "date": datetime.datetime.now(datetime.UTC).date(),
        "machine": machine(),
        "command": f"python -m benchmarks {name}",
        "figures": new,
    }
    stored["runs"] = [*(run for run in older if run["figures"]), run]
    path.write_text(written(stored), encoding="utf-8")


def labelled(figures: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """With labels: groups have their name in front of each; lists of cases are left to the terminal."""
    for key, value in figures.items():
        label = f"{prefix}{key}".replace("_", " ")
        if isinstance(value, Mapping):
            yield from labelled(value, f"{label}: ")
        elif isinstance(value, int | float):
            yield label, value
        elif not isinstance(value, list):
            yield label, str(value)


def written(stored: Mapping[str, Any]) -> str:
    """The same order and line ends each time, so that a difference shows what has changed."""
    return str(yaml.safe_dump(stored, sort_keys=False, allow_unicode=True, width=110))


def machine() -> str:
    """Without its name."""
    hardware = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    return f"{hardware}, Python {platform.python_version()}"
