"""manage.py check_claims FILE.jsonl: holds pairs of claim and quote against each other, without a
database.
"""

import io
import json
import sys
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any, TextIO

from django.core.management.base import BaseCommand, CommandError

from chat.citations.entailed import agreed
from chat.citations.judge import judge_of, judge_support, settled
from chat.citations.support import SupportCheck, check_support
from chat.citations.tally import Tally
from providers.cross_encoders import entailment
from providers.protocols import Entailment, ProviderError
from text.counted import counted
from text.json_lines import BadJson, parsed

Checked = tuple[dict[str, Any], SupportCheck | None]  # the line to print, and what the check says
LONGEST_LINE = 4_000_000  # characters


class Command(BaseCommand):
    help = "Check whether quotes support claims, by code: a JSON line in, the same line with the verdict out."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", help='lines of {"claim", "quote", "context" (optional)}; "-" reads standard input'
        )

        parser.add_argument(
            "--judge", action="store_true", help="ask the judge model as well, after the code"
        )

        parser.add_argument(
            "--entailment",
            action="store_true",
            help="ask the model of entailment about what is green",
        )

        parser.add_argument(
            "--summary",
            action="store_true",
            help='print counts instead of lines, for lines that say whether the claim is true: "supported"',
        )

    def handle(self, **options: Any) -> None:
        if options["judge"] and judge_of() is None:
            raise CommandError("No model server plays the judge: see docs/reference/settings.md.")
        model = entailment() if options["entailment"] else None
        if options["entailment"] and model is None:
            raise CommandError("No model of entailment is in use: see docs/how-to/install-a-model.md.")
        failed = 0
        tallies: dict[str, Tally] = defaultdict(Tally)
        with _opened(options["file"]) as lines:
            for number, line in _numbered(lines):
                told, check = _checked(line, number, judged=options["judge"], model=model)
                failed += "error" in told or "error" in told.get("judge", {})
                if not options["summary"]:
                    self.stdout.write(json.dumps(told, ensure_ascii=False))
                elif check is not None and isinstance(is_true := parsed(line).get("supported"), bool):
                    tallies[str(told.get("set", "all"))].add(is_true, check)
        for name, tally in sorted(tallies.items()):
            for words, figures in (*tally.lines(), *tally.comparisons()):
                self.stdout.write(f"{name}: {words}: {figures}")
        if failed:
            raise CommandError(f"{counted(failed, 'line')} could not be checked.")


def _opened(name: str) -> Any:
    if name == "-":
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(encoding="utf-8", errors="replace")
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


def _checked(line: str, number: int, *, judged: bool, model: Entailment | None) -> Checked:
    """The line with its verdict, or with what is wrong with it."""
    if len(line) > LONGEST_LINE:
        return {"line": number, "error": f"The line is longer than {LONGEST_LINE:,} characters."}, None
    try:
        pair = parsed(line)
    except BadJson as error:
        return {"line": number, "error": f"The line is {error}."}, None
    if not isinstance(pair, dict):
        return {"line": number, "error": "The line is not an object."}, None
    for name in ("claim", "quote"):
        if not isinstance(pair.get(name), str):
            return {"line": number, "error": f'"{name}" is missing or is not text.'}, None
    context = pair.get("context") or ""
    if not isinstance(context, str):
        return {"line": number, "error": '"context" is not text.'}, None
    check = check_support(pair["claim"], pair["quote"], context)
    if model and check.support == "supported":
        check = agreed(check, pair["claim"], pair["quote"], model)
    support, reason = str(check.support), check.reason
    told: dict[str, Any] = {"checks": [each.as_json() for each in check.checks]}
    if judged:
        try:
            judgement = judge_support(pair["claim"], pair["quote"], context)
        except ProviderError as error:
            told["judge"] = {"error": error.message}
        else:
            if judgement is not None:
                told["judge"] = judgement.as_json()
                support, reason = settled(support, reason, judgement)
    verdict = {"supported": support == "supported", "support": str(support), "reason": reason}
    return {**pair, **verdict, **told}, check
