"""manage.py check_claims FILE.jsonl: holds pairs of claim and quote against each other, without a
database.
"""

import io
import json
import sys
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from django.core.management.base import BaseCommand, CommandError

from citations.choices import Support
from citations.entailed import opinion_of
from citations.judge import judge_of, judge_support
from citations.opinion import Opinion
from citations.settled import settled, settled_by_code
from citations.statements import Statement
from citations.support import SupportCheck, check_support
from citations.tally import Tally
from providers import cross_encoders
from providers.protocols import ProviderError
from text.counted import counted
from text.json_lines import BadJson, parsed

Reader = Callable[[Statement], Opinion]  # raises ProviderError
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
            "--judge", action="store_true", help="ask the judge model as well, as the second reader"
        )

        parser.add_argument(
            "--entailment",
            action="store_true",
            help="ask the installed model of entailment as well, as the second reader",
        )

        parser.add_argument(
            "--summary",
            action="store_true",
            help='print counts instead of lines, for lines that say whether the claim is true: "supported"',
        )

    def handle(self, **options: Any) -> None:
        readers = list(_readers(entailment=options["entailment"], judge=options["judge"]))
        failed = 0
        tallies: dict[str, Tally] = defaultdict(Tally)
        with _opened(options["file"]) as lines:
            for number, line in _numbered(lines):
                told, check = _checked(line, number, readers)
                failed += "error" in told or any("error" in told.get(name, {}) for name, _ in readers)
                if not options["summary"]:
                    self.stdout.write(json.dumps(told, ensure_ascii=False))
                elif check is not None and isinstance(is_true := parsed(line).get("supported"), bool):
                    tallies[str(told.get("set", "all"))].add(is_true, check)
        for name, tally in sorted(tallies.items()):
            for words, figures in (*tally.lines(), *tally.comparisons()):
                self.stdout.write(f"{name}: {words}: {figures}")
        if failed:
            raise CommandError(f"{counted(failed, 'line')} could not be checked.")


def _readers(*, entailment: bool, judge: bool) -> Iterator[tuple[str, Reader]]:
    """Who reads each pair after the code, by the name of the option. Raises CommandError where nobody plays a
    role that is asked for.
    """
    if entailment:
        if (model := cross_encoders.entailment()) is None:
            raise CommandError("No model of entailment is in use: see docs/how-to/install-a-model.md.")
        yield "entailment", partial(opinion_of, model)
    if judge:
        if judge_of() is None:
            raise CommandError("No model server plays the judge: see docs/reference/settings.md.")
        yield "judge", judge_support


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


def _checked(line: str, number: int, readers: Sequence[tuple[str, Reader]]) -> Checked:
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
    told: dict[str, Any] = {"checks": [each.as_json() for each in check.checks]}
    verdict = settled_by_code(check)
    objections = [each.text for each in check.objections]
    sentence = " ".join(filter(None, (check.before, pair["quote"], check.after)))
    statement = Statement(n=1, claim=pair["claim"], quote=pair["quote"], sentence=sentence)
    for name, reader in readers:
        try:
            opinion = reader(statement)
        except ProviderError as error:
            told[name] = {"error": error.message}
            continue
        told[name] = opinion.as_json()
        verdict = settled(verdict, objections, opinion)
        objections += [opinion.doubt] if opinion.doubt else []
    said = {"supported": verdict.support == Support.SUPPORTED, "support": str(verdict.support)}
    return {
        **pair,
        **said,
        "confirmed_by": str(verdict.confirmed_by),
        "reason": verdict.reason,
        **told,
    }, check
