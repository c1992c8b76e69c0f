"""The page of the benchmarks says what was measured, and what of it misses its limit."""

import re
import sys
from fnmatch import fnmatchcase
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from benchmarks import measured, report
from benchmarks.__main__ import main

PAGE = (report.REFERENCE / report.PAGE).read_text(encoding="utf-8")
STORED = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in measured.RESULTS.iterdir()}
MADE = """title: How long a walk takes
measures: A walk.
about: A walk.
shown:
- figure: minutes
  at_most: 20
- figure: 'stop *: share'
  name: stops, worst
  at_least: 0.9
runs:
- date: 2026-01-02
  machine: two feet
  command: walk
  remark: It rained.
  figures:
    minutes: 19
    'stop 1: share': 0.95
    'stop 2: share': 0.97
"""


@pytest.fixture
def walk(tmp_path: Path, monkeypatch) -> Path:
    """A benchmark of its own; the file of its results."""
    (tmp_path / "walk.yaml").write_text(MADE, encoding="utf-8")
    (tmp_path / "reference").mkdir()
    monkeypatch.setattr(measured, "RESULTS", tmp_path)
    monkeypatch.setattr(report, "REFERENCE", tmp_path / "reference")
    monkeypatch.setattr(report, "CHAPTERS", {"Walks": ("walk",)})
    monkeypatch.setattr(report, "NAMES", ("walk",))
    return tmp_path / "walk.yaml"


def test_page_and_charts_are_what_the_data_says():
    drawn = report.files()
    old = [path.name for path, content in drawn.items() if path.read_text(encoding="utf-8") != content]
    assert not old, "Draw them again: python -m benchmarks.report"
    assert set(drawn) == {report.REFERENCE / report.PAGE, *(report.REFERENCE / "benchmarks").iterdir()}


def test_every_result_has_a_place_on_the_page():
    assert sorted(report.NAMES) == sorted(STORED)
    for stored in STORED.values():
        assert stored["title"] in PAGE


@pytest.mark.parametrize("name", STORED)
def test_missed_limit_is_called_missed(name):
    """Worked out anew from the file, not by the code that draws the page."""
    head, sections = PAGE.split("\n## ", 1)
    for shown in STORED[name].get("shown", []):
        label = shown.get("name", shown["figure"])
        found = [
            number(match)
            for run in STORED[name]["runs"]
            for figure, value in run["figures"].items()
            if fnmatchcase(figure, shown["figure"])
            for match in matches(shown.get("read"), str(value))
        ]
        least, most = shown.get("at_least", float("-inf")), shown.get("at_most", float("inf"))
        if not all(least <= value <= most for value in found):
            assert f"]({anchor(STORED[name]['title'])}): {label}: " in head
            assert re.search(rf"^\| {re.escape(label)} \|.*\*\*missed\*\*", sections, re.MULTILINE), label
            assert shown.get("because"), f"{label} misses its limit: the data file says why (because)"


def test_links_to_the_page_find_their_heading():
    headings = {anchor(line.lstrip("# ")) for line in PAGE.splitlines() if line.startswith("#")}
    for path in report.REFERENCE.parent.rglob("*.md"):
        for linked in re.findall(r"\(\S*benchmarks\.md(#[^)]*)\)", path.read_text(encoding="utf-8")):
            assert linked in headings, f"{path.name}: {linked}"


def test_data_files_are_written_as_make_bench_writes_them():
    for path in measured.RESULTS.iterdir():
        text = path.read_text(encoding="utf-8")
        assert measured.written(yaml.safe_load(text)) == text, path.name


def test_new_run_takes_the_place_of_what_it_measured_and_nothing_else(walk):
    before = yaml.safe_load(walk.read_text(encoding="utf-8"))
    measured.add("walk", {"minutes": 18, "stop_3": {"share": 0.99}, "cases": [1, 2]})
    after = yaml.safe_load(walk.read_text(encoding="utf-8"))
    assert {key: after[key] for key in before if key != "runs"} == {
        key: before[key] for key in before if key != "runs"
    }
    old, new = after["runs"]
    assert (old["remark"], old["figures"]) == ("It rained.", {"stop 1: share": 0.95, "stop 2: share": 0.97})
    assert new["figures"] == {"minutes": 18, "stop 3: share": 0.99}
    measured.add("walk", {"stop 1": {"share": 1.0}, "stop 2": {"share": 1.0}})
    assert len(yaml.safe_load(walk.read_text(encoding="utf-8"))["runs"]) == 2  # nothing of the oldest is left


@pytest.mark.parametrize(
    ("figures", "row"),
    [
        ({"minutes": 20}, "| minutes | 20 | at most 20 | kept |"),
        ({"minutes": 21}, "| minutes | 21 | at most 20 | **missed** |"),
        ({"minutes": "21 (it rained)"}, "| minutes | 21 | at most 20 | **missed** |"),
        ({"minutes": 21.5}, "| minutes | 21.5 | at most 20 | **missed** |"),
        ({"stop 9": {"share": 0.89}}, "| stops, worst | 0.89 | at least 0.9 | **missed** |"),
        ({"stop 9": {"share": 0.9}}, "| stops, worst | 0.9 | at least 0.9 | kept |"),
    ],
)
def test_limit_is_kept_at_its_edge_and_missed_beyond(walk, figures, row):
    measured.add("walk", figures)
    page = report.page({"walk": measured.read("walk")})
    assert row in page
    assert ("1 of 2 limits are kept" if "missed" in row else "2 of 2 limits are kept") in page


def test_a_figure_of_several_parts_is_a_row_of_a_table(walk):
    stored = yaml.safe_load(walk.read_text(encoding="utf-8"))
    stored["table"] = {"figures": "steps: *", "columns": ["who", "where", "steps", "falls"]}
    walk.write_text(measured.written(stored), encoding="utf-8")
    measured.add("walk", {"steps: dog: grass": "40; none", "steps: cat: roof": "4; 1 fall, 1 leap"})
    page = report.page({"walk": measured.read("walk")})
    assert "| who | where | steps | falls |\n|---|---|---|---|\n" in page
    assert "| dog | grass | 40 | none |\n| cat | roof | 4 | 1 fall, 1 leap |\n" in page
    assert page.count("| dog |") == 1


def test_make_bench_fails_where_a_limit_is_missed(walk, monkeypatch):
    monkeypatch.setitem(sys.modules, "benchmarks.walk", SimpleNamespace(run=lambda: {"minutes": 44}))
    monkeypatch.setattr(sys, "argv", ["benchmarks", "walk"])
    with pytest.raises(SystemExit, match="walk: minutes: 44, at most 20"):
        main()
    assert "**missed**" in (report.REFERENCE / report.PAGE).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("value", "read", "expected"),
    [
        ("1,116 MB in 542 s", "", [1116]),
        ("p50 85, p95 173", r"p95 (\d+)", [173]),
        ("12 of 59, 12 of them right", r"^(\d+) of (\d+)", [20.3]),
        ("446 and 447", r"(\d+)", [446, 447]),
        ("@1 +8.1, @5 -1.4", r"-([\d.]+)", [1.4]),
        ("left out", "", []),
    ],
)
def test_numbers_are_read_from_what_a_benchmark_says(value, read, expected):
    assert measured.numbers(value, read) == expected


def test_figures_of_several_kinds_need_to_say_which_is_the_worst():
    with pytest.raises(ValueError, match="Which of 'found: \\*' is the worst"):
        measured.Shown(figure="found: *")


def test_charts_can_be_read_in_light_and_dark_and_have_a_name():
    for path in (report.REFERENCE / "benchmarks").iterdir():
        chart = path.read_text(encoding="utf-8")
        assert "prefers-color-scheme: dark" in chart
        assert re.search(r'role="img" aria-label="[^"]+"', chart)


def anchor(title: str) -> str:
    return f"#{report.anchor(title)}"


def matches(read: str | None, value: str) -> list[tuple[str, ...]]:
    if read:
        return [match.groups() for match in re.finditer(read, value)]
    return [(match[0],) for match in [re.search(r"-?\d[\d,]*(\.\d+)?", value)] if match]


def number(groups: tuple[str, ...]) -> float:
    part, *whole = (float(group.replace(",", "")) for group in groups)
    return 100 * part / whole[0] if whole else part
