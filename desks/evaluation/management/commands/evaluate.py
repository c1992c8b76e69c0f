"""manage.py evaluate: runs a question set in this process, prints its scores, and fails below a threshold."""

import argparse
import asyncio
import json
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from batches.budget import MOST_MONEY
from datasources.lookup import datasource_to_edit, user_named
from datasources.models import Datasource
from datasources.numbers import LARGEST, amount, whole
from desks.evaluation.generation.making import make
from desks.evaluation.models import Kind, QuestionSet, Run, RunStatus
from desks.evaluation.questions.services import MOST_MADE, create_set, set_order
from desks.evaluation.reports.summary import Summary, summary_of
from desks.evaluation.reports.thresholds import Threshold, failures
from desks.evaluation.reports.words import text_report
from desks.evaluation.runs.run import carry_on
from desks.evaluation.runs.services import start_runs
from desks.evaluation.runs.variants import HELP

WRONG_ARGUMENT = 2  # the exit status where nothing was run; 1: a run did not reach what it must


class Command(BaseCommand):
    help = "Asks all questions of a set, and prints how well they were answered."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("datasource", help="Its name or number.")
        parser.add_argument("--set", required=True, dest="name", help="The question set.")
        parser.add_argument("--user", help="E-mail address; the first administrator without it.")
        parser.add_argument("--variant", action="append", default=[], help=f"May be repeated. {HELP}")
        parser.add_argument(
            "--generate",
            type=whole(1, MOST_MADE),
            metavar="N",
            help="First add N made questions of each kind to the set.",
        )
        parser.add_argument("--by-model", action="store_true", help="Have the model write them.")
        parser.add_argument("--judge", action="store_true", help="Ask the judge model as well.")
        parser.add_argument("--tokens", type=whole(1, LARGEST), help="Start no question after so many.")
        parser.add_argument("--money", type=amount(MOST_MONEY), help="Start no question after so much.")
        parser.add_argument(
            "--fail-under",
            action="append",
            default=[],
            metavar="METRIC=VALUE",
            help="End with an error below it, as adherence=0.97 or multi.completeness=0.5. May be repeated.",
        )
        parser.add_argument("--json", action="store_true", dest="as_json", help="Print JSON.")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            person = user_named(options["user"])
            datasource = datasource_to_edit(person, options["datasource"], "evaluate it")
        except CommandError as refusal:
            refusal.returncode = WRONG_ARGUMENT
            raise
        try:
            thresholds = [Threshold.parse(text) for text in options["fail_under"]]
            question_set = self._set(datasource, person, options)
            runs = start_runs(
                person,
                question_set,
                options["variant"],
                judged=options["judge"],
                token_budget=options["tokens"],
                money_budget=options["money"],
                queued=False,
            )
        except ValidationError as refusal:
            raise CommandError(refusal.messages[0], returncode=WRONG_ARGUMENT) from refusal
        summaries = [self._carried_on(run) for run in runs]
        if options["as_json"]:
            self.stdout.write(json.dumps([each.as_json() for each in summaries], indent=2))
        else:
            self.stdout.write("\n\n".join(map(text_report, summaries)))
        broken = [line for each in summaries for line in failures(each, thresholds)]
        if broken:
            raise CommandError("\n".join(broken))

    def _set(self, datasource: Datasource, person: User, options: dict[str, Any]) -> QuestionSet:
        found = datasource.question_sets.filter(name__iexact=options["name"]).first()
        if not options["generate"]:
            if found is None:
                names = ", ".join(datasource.question_sets.values_list("name", flat=True)) or "none"
                raise CommandError(
                    f"There is no question set “{options['name']}”. There are: {names}. "
                    "Make one here with --generate N.",
                    returncode=WRONG_ARGUMENT,
                )
            return found
        question_set = found or create_set(datasource, options["name"], person)
        counts = dict.fromkeys(Kind.values, options["generate"])
        set_order(question_set, counts, by_model=options["by_model"], token_budget=options["tokens"])
        make(question_set.pk)
        question_set.refresh_from_db()
        if question_set.error_message:
            raise CommandError(f"{question_set.error_message} {question_set.error_hint}")
        return question_set

    def _carried_on(self, run: Run) -> Summary:
        asyncio.run(carry_on(run.pk))
        run.refresh_from_db()
        if run.status not in (RunStatus.DONE, RunStatus.HELD):
            raise CommandError(f"{run} ended as {run.get_status_display()}: {run.error_message}")
        return summary_of(run)
