"""python -m benchmarks.report: draws docs/reference/benchmarks.md and its charts from what was measured."""

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from benchmarks import drawing, measured
from benchmarks.measured import Benchmark, Run, Shown, numbers

REFERENCE = Path(__file__).resolve().parent.parent / "docs" / "reference"
PAGE = "benchmarks.md"
CHAPTERS = {
    "Reading files": (
        *(
            "extraction",
            "ocr",
            "tables",
            "disagreeing_pages",
            "formats",
            "short_files",
            "hostile_office",
            "hostile",
        ),
        *("ingestion", "filings_end_to_end", "readiness"),
    ),
    "Searching": ("retrieval", "reranking", "multihop", "vectors", "latency"),
    "Answers and their proof": (
        *("keyless", "contracts", "every_model", "claims", "second_reader", "differing", "personal_data"),
    ),
    "The graph": ("graph", "growth", "resolution"),
    "Checks and evaluation": ("assess", "evaluation"),
    "Many people, large datasources": ("fairness", "turns", "fifty", "uploads", "bundle", "pages"),
}
NAMES = tuple(name for names in CHAPTERS.values() for name in names)
HEAD = """# Benchmarks

Written by `make bench`. All {count:,} figures, what they mean and what ran beside them are in
[a file for each benchmark](../../benchmarks/results). Most are of one run on a shared machine: read the
ratios, not the absolute times.

{kept} of {limits} limits are kept. Missed:

{missed}

The chart shows how much of each limit is used: of an upper limit, the figure over the limit; of a lower one,
what is missing to the whole over what may be missing. What reaches beyond the line is missed; bars end at
twice the limit.

![How much of each limit is used](benchmarks/limits.svg)
"""
MOST_SHOWN = 2.0  # times the limit: bars beyond are cut off


def main() -> None:
    for path, content in files().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")


def files() -> dict[Path, str]:
    """The page and its charts."""
    found = {name: measured.read(name) for name in NAMES}
    charts = {name: drawing.bars(bars(one)) for name, one in found.items() if one.chart and one.runs}
    charts["limits"] = drawing.bars(limits(list(found.values())))
    return {REFERENCE / PAGE: page(found)} | {
        REFERENCE / "benchmarks" / f"{name}.svg": chart for name, chart in charts.items()
    }


def page(found: Mapping[str, Benchmark]) -> str:
    every = [(one, shown) for one in found.values() for shown in one.shown if is_held(one, shown)]
    missed = [(one, shown) for one, shown in every if one.is_missed(shown)]
    head = HEAD.format(
        count=sum(len(one.figures) for one in found.values()),
        kept=len(every) - len(missed),
        limits=len(every),
        missed="\n".join(
            f"- [{one.title}](#{anchor(one.title)}): {miss(one, shown)}" for one, shown in missed
        ),
    )
    chapters = []
    for title, names in CHAPTERS.items():
        chapters.append(f"## {title}\n")
        chapters += [section(found[name]) for name in names if found[name].runs]
        if unmeasured := [found[name] for name in names if not found[name].runs]:
            told = ", ".join(f"*{one.title}* (`{one.name}`)" for one in unmeasured)
            chapters.append(f"Not measured here yet: {told}.\n")
    return "\n".join([head, *chapters])


def section(one: Benchmark) -> str:
    lines = [f"### {one.title}", "", one.measures, "", "| figure | SVQ | to compare | |", "|---|---|---|---|"]
    lines += [row(one, shown) for shown in one.shown]
    if one.table:
        lines += ["", *table(one)]
    if one.chart:
        lines += ["", f"![{one.chart['title']}](benchmarks/{one.name}.svg)"]
    where = "; ".join(dict.fromkeys(f"{run.date}, {run.machine}" for run in runs_shown(one)))
    every = f"[{len(one.figures)} figures](../../benchmarks/results/{one.name}.yaml)"
    return "\n".join([*lines, "", f"{where}. {every}", ""])


def row(one: Benchmark, shown: Shown) -> str:
    verdict = ""
    if is_held(one, shown):
        verdict = "**missed**" if one.is_missed(shown) else "kept"
    return f"| {shown.label} | {told(one, shown)} | {compared(one, shown)} | {verdict} |"


def table(one: Benchmark) -> Iterator[str]:
    """Figures that have several parts: those of the label behind the first one, then those of the value."""
    columns = one.table["columns"]
    yield f"| {' | '.join(columns)} |"
    yield "|---" * len(columns) + "|"
    for label, value in one.figures.items():
        if fnmatchcase(label, one.table["figures"]):
            yield f"| {' | '.join([*label.split(': ')[1:], *str(value).split('; ')])} |"


def told(one: Benchmark, shown: Shown) -> str:
    """The number that counts, or the figure as it was measured where it isn't one."""
    if not shown.has_limit and not shown.read:
        return str(one.figures.get(shown.figure, "not measured"))
    value = one.value(shown)
    return "not measured" if value is None else f"{value:,} {shown.unit}".rstrip()


def compared(one: Benchmark, shown: Shown) -> str:
    if shown.peer:
        return f"{shown.peer_name}: {one.figures.get(shown.peer, 'not measured')}"
    return bound(shown)


def bound(shown: Shown) -> str:
    if shown.at_most == 0:
        return "none"
    if shown.at_most is not None:
        return f"at most {shown.at_most:,} {shown.unit}".rstrip()
    return f"at least {shown.at_least:,} {shown.unit}".rstrip() if shown.at_least is not None else ""


def miss(one: Benchmark, shown: Shown) -> str:
    return f"{shown.label}: {told(one, shown)}, {bound(shown)}. {shown.because}".rstrip()


def is_held(one: Benchmark, shown: Shown) -> bool:
    """Whether it has a limit and was measured."""
    return shown.has_limit and one.value(shown) is not None


def runs_shown(one: Benchmark) -> Iterator[Run]:
    patterns = [*(shown.figure for shown in one.shown), *filter(None, [one.table.get("figures")])]
    return (
        run
        for run in one.runs
        if any(fnmatchcase(label, pattern) for label in run.figures for pattern in patterns)
    )


def anchor(title: str) -> str:
    """Of a heading, as GitHub makes it."""
    return "".join(c for c in title.lower().replace(" ", "-") if c.isalnum() or c == "-")


def bars(one: Benchmark) -> drawing.Bars:
    """The chart that the data file describes: in a series, `{}` stands for the row."""
    rows: dict[str, dict[str, float]] = {}
    for row_name in one.chart["rows"]:
        rows[row_name] = {}
        for series in one.chart["series"]:
            label = series["figure"].format(row_name)
            if values := numbers(one.figures.get(label, ""), series.get("read", "")):
                rows[row_name][series["name"]] = values[0]
    return drawing.Bars(
        title=one.chart["title"],
        unit=one.chart.get("unit", ""),
        rows=rows,
        limits={},
        is_logarithmic=one.chart.get("scale") == "logarithmic",
    )


def limits(every: Sequence[Benchmark]) -> drawing.Bars:
    """Without those that allow nothing: of these there is no share."""
    used = {
        f"{one.title}: {shown.label}": {
            "missed" if one.is_missed(shown) else "kept": min(share_used(one, shown), MOST_SHOWN)
        }
        for one in every
        for shown in one.shown
        if is_held(one, shown) and shown.at_most != 0
    }
    return drawing.Bars(
        title="How much of each limit is used",
        unit="",
        rows=used,
        limits=dict.fromkeys(used, 1.0),
        colours={"kept": drawing.COLOURS[0], "missed": drawing.LIMIT},
    )


def share_used(one: Benchmark, shown: Shown) -> float:
    """1 at the limit. Of a limit from below: what is lacking to all (1 or 100), over what may be lacking."""
    value = one.value(shown) or 0.0
    if shown.at_most is not None:
        return round(value / shown.at_most, 2)
    least = shown.at_least or 0.0
    all_of_it = 1.0 if least <= 1 else 100.0
    return round(max(all_of_it - value, 0) / (all_of_it - least), 2)


if __name__ == "__main__":
    main()
