"""`make bench`: runs every benchmark, stores what it measured, and draws the page of all of them anew."""

import argparse
import importlib
import sys

from benchmarks import measured, report


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("only", nargs="*", help=f"some of: {', '.join(report.NAMES)}; all when none is named")
    missed: list[str] = []
    for name in parser.parse_args().only or report.NAMES:
        print(f"{name} ...", flush=True)
        figures = importlib.import_module(f"benchmarks.{name}").run()
        if not figures:
            print("left out")
            continue
        measured.add(name, figures)
        report.main()
        for label, value in measured.labelled(figures):
            print(f"{label}: {value}", flush=True)
        one = measured.read(name)
        missed += [f"{name}: {report.miss(one, shown)}" for shown in one.missed()]
    if missed:
        sys.exit("A limit is missed: " + "; ".join(missed))


if __name__ == "__main__":
    main()
