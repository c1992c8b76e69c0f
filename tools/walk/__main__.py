"""python -m tools.walk FOLDER [--file FILE] [--question TEXT] [--tasks-only]

Starts a fresh SVQ and walks through it. Into FOLDER go pictures of the first minutes, one a second, in four
looks, and of the end of each task; the clicks and seconds are printed and in FOLDER/walk.md.
"""

import argparse
import platform
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import psutil
from playwright.sync_api import sync_playwright

from tests import chromium
from tools.walk import minutes, tasks
from tools.walk.installation import ROOT, fresh

FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")


def main() -> None:
    asked = _asked()
    asked.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, fresh(Path(data)) as svq, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.path(), args=[*FLAGS])
        walks = (
            [] if asked.tasks_only else minutes.record(browser, svq, asked.folder, asked.file, asked.question)
        )
        context = browser.new_context(base_url=svq.base, viewport={"width": 1440, "height": 900})
        page = context.new_page()
        minutes.sign_in(page, svq)
        played = tasks.play(page, asked.folder)
        browser.close()
    report = _report(svq.seconds, walks, played, asked.file)
    (asked.folder / "walk.md").write_text(report, encoding="utf-8")
    print(report)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.walk")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--file", type=Path, default=ROOT / "SECURITY.md", help="what is added")
    parser.add_argument("--tasks-only", action="store_true", help="no pictures of the first minutes")
    parser.add_argument("--question", default="How are security problems reported?", help="asked of it")
    return parser.parse_args()


def _report(start: float, walks: list[str], played: list[tasks.Played], file: Path) -> str:
    machine = f"{psutil.cpu_count()} cores, {psutil.virtual_memory().total // 2**30} GB, {platform.machine()}"
    lines = [f"{datetime.now(UTC):%-d %B %Y}, {machine}. Ready {start:.0f} s after the start.", ""]
    if walks:
        lines += [f"The first minutes, with `{file.name}`:", "", *(f"- {line}" for line in walks), ""]
    lines += ["| task, from the home page | clicks | fields | seconds | then |", "|---|---|---|---|---|"]
    lines += [
        f"| {one.task} | {one.clicks} | {one.fields} | {one.seconds:.0f} | {one.then} |" for one in played
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
