"""python -m benchmarks.soak --minutes 60: runs `manage.py up` under mixed load, and draws what it needed.

The samples of each few seconds go to var/soak.jsonl, the chart and its figures to docs/reference.
"""

import argparse
import datetime
import json
import os

from benchmarks import measured, throwaway
from benchmarks.soak.chart import drawn
from benchmarks.soak.figures import of
from benchmarks.soak.sampling import Sample

ROOT = throwaway.ROOT
REPORT = ROOT / "docs" / "reference"
NOTE = """# Memory under mixed load

Written by `python -m benchmarks.soak`. The whole product (`manage.py up`, no language model) in a data folder
of its own, under this load all the time: documents are added and deleted, so that there are about {documents}
at a time; questions are asked and their answers read; searches; pages of the graph; {streams} open event
streams. The chart shows the memory of each process (of Postgres: of all its processes, what they share counts
once). *Growth* compares the mean of the last third of the run with that of the middle third.
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--every", type=float, default=5, help="seconds between two samples")
    parser.add_argument("--slower", type=float, default=1, help="how many times as long the pauses are")
    parser.add_argument("--remark", default="", help="what else ran on the machine, for the report")
    parser.add_argument("--no-report", action="store_true", help="leaves docs/reference as it is")
    given = parser.parse_args()
    samples = ROOT / "var" / "soak.jsonl"
    samples.parent.mkdir(exist_ok=True)
    with throwaway.up() as (svq, base):
        driver = (
            "from benchmarks.soak.driving import drive;"
            f"drive({base!r}, {os.getpid()}, {given.minutes}, {given.every}, {str(samples)!r},"
            f" {given.slower})"
        )
        done = svq.figures(driver)
    taken = [Sample(**json.loads(line)) for line in samples.read_text().splitlines()]
    figures = of(taken) | done
    print(json.dumps(figures, indent=1))
    if not given.no_report:
        write(taken, figures, given)


def write(taken: list[Sample], figures: dict[str, object], given: argparse.Namespace) -> None:
    from benchmarks.soak.driving import DOCUMENTS, STREAMS

    (REPORT / "soak.svg").write_text(drawn(taken))
    command = f"python -m benchmarks.soak --minutes {given.minutes:g} --slower {given.slower:g}"
    lines = [
        NOTE.format(documents=DOCUMENTS, streams=STREAMS),
        f"{datetime.date.today()}, {measured.machine()}, `{command}`. {given.remark}".rstrip(),
        "",
        "![Memory of each process over time](soak.svg)",
        "",
        "| figure | value |\n|---|---|",
    ]
    (REPORT / "soak.md").write_text(
        "\n".join([*lines, *(f"| {label} | {value} |" for label, value in measured.labelled(figures))]) + "\n"
    )


if __name__ == "__main__":
    main()
