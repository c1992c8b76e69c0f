"""manage.py check_claims FILE.jsonl: holds pairs of claim and quote against each other, without a
database.
"""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any, TextIO

from django.core.management.base import BaseCommand, CommandError

from chat.citations.support import check_support

LONGEST_LINE = 4_000_000  # characters


class Command(BaseCommand):
    help = "Check whether quotes support claims, by code: a JSON line in, the same line with the verdict out."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", help='lines of {"claim", "quote", "context" (optional)}; "-" reads standard input'
        )

    def handle(self, **options: Any) -> None:
        refused = 0
        with _opened(options["file"]) as lines:
            for number, line in _numbered(lines):
                told = _checked(line, number)
                refused += "error" in told
                self.stdout.write(json.dumps(told, ensure_ascii=False))
        if refused:
            raise CommandError(f"{refused:,} line{'' if refused == 1 else 's'} could not be checked.")


def _opened(name: str) -> Any:
    if name == "-":
        return nullcontext(sys.stdin)
    try:
        return Path(name).open(encoding="utf-8", errors="replace")
    except OSError as error:
        raise CommandError(f"Can't read {name}: {error.strerror}.") from error


def _numbered(lines: TextIO) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, none of them longer than what a line may be."""
    number = 0
    while line := lines.readline(LONGEST_LINE + 1):
        number += 1
        if line.strip():
            yield number, line
        while len(line) > LONGEST_LINE and not line.endswith("\n"):
            line = lines.readline(LONGEST_LINE + 1)


def _checked(line: str, number: int) -> dict[str, Any]:
    """The line with its verdict, or with what is wrong with it."""
    if len(line) > LONGEST_LINE:
        return {"line": number, "error": f"The line is longer than {LONGEST_LINE:,} characters."}
    try:
        pair = json.loads(line)
    except (ValueError, RecursionError):
        return {"line": number, "error": "The line is not JSON."}
    if not isinstance(pair, dict):
        return {"line": number, "error": "The line is not an object."}
    for name in ("claim", "quote"):
        if not isinstance(pair.get(name), str):
            return {"line": number, "error": f'"{name}" is missing or is no text.'}
    if not isinstance(pair.get("context") or "", str):
        return {"line": number, "error": '"context" is no text.'}
    check = check_support(pair["claim"], pair["quote"], pair.get("context") or "")
    verdict = {"supported": check.support == "supported", "support": check.support, "reason": check.reason}
    return {**pair, **verdict, "checks": [each.as_json() for each in check.checks]}
