"""manage.py ask DATASOURCE "QUESTION": an answer with its proof, here and now, without a worker."""

import asyncio
import json
from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console

from chat.exports import answer_of, as_json
from chat.models import Mode, Turn, TurnStatus
from chat.services import ask, stop
from chat.turns.run import run_turn
from chat.wording import beside, explanation, headline, statements, without_source
from datasources.lookup import datasource_named, user_named
from datasources.models import Datasource
from datasources.numbers import number_in
from providers.protocols import ProviderError


class Command(BaseCommand):
    help = "Ask a question of a datasource."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("datasource", help="its name or number")
        parser.add_argument("question")
        parser.add_argument(
            "--documents", nargs="+", default=[], help="ask only these: titles, files, numbers"
        )
        parser.add_argument("--fast", action="store_true", help="search once, then answer")
        parser.add_argument("--fresh", action="store_true", help="answer anew, whatever was answered before")
        parser.add_argument(
            "--user", help="e-mail of the account to act for; the first administrator if unset"
        )
        parser.add_argument("--json", action="store_true", help="print the documented JSON")

    def handle(self, **options: Any) -> None:
        user = user_named(options["user"])
        datasource = datasource_named(user, options["datasource"])
        if datasource is None:
            raise CommandError(f"There is no datasource “{options['datasource']}”.")
        try:
            turn = ask(
                user,
                datasource,
                options["question"],
                document_ids=chosen(datasource, options["documents"]),
                mode=Mode.FAST if options["fast"] else Mode.AGENT,
                queued=False,
                fresh=options["fresh"],
            )
        except ValidationError as error:
            raise CommandError(error.messages[0]) from error
        try:
            asyncio.run(run_turn(turn.pk))
        except ProviderError as error:
            raise CommandError(error.message) from error
        finally:
            stop(turn)  # it has ended already, unless it was broken off: then nobody else goes on with it
        turn.refresh_from_db()
        if options["json"]:
            self.stdout.write(json.dumps(as_json(turn), indent=2, ensure_ascii=False))
        else:
            show(turn)
        if turn.status == "failed":
            raise SystemExit(1)


def chosen(datasource: Datasource, names: list[str]) -> list[int] | None:
    """Numbers of the documents that were named, None when none was. Raises CommandError for one that is not
    here.
    """
    if not names:
        return None
    ids: list[int] = []
    for name in names:
        documents = datasource.documents.current()
        matching = documents.filter(title__iexact=name) | documents.filter(filename__iexact=name)
        if number := number_in(name):
            matching = matching | documents.filter(pk=number)
        if not matching.exists():
            raise CommandError(f"There is no document “{name}” in {datasource}.")
        ids += list(matching.values_list("pk", flat=True))
    return ids


def show(turn: Turn) -> None:
    """The answer for people: text, then each source with what is known about it."""
    console = Console(highlight=False)
    if turn.status == TurnStatus.FAILED:
        console.print(f"{turn.error_message} {turn.error_hint}")
        return
    if said := explanation(turn):
        console.print(f"{headline(turn)}. {said}\n", markup=False)
    if turn.status != TurnStatus.NOT_FOUND:
        console.print(answer_of(turn), markup=False)
        for citation in turn.citations.all():
            place = ", ".join(filter(None, (citation.name or "no document", citation.where)))
            console.print(f"  [{citation.n}] {place}: {statements(citation)}", markup=False)
    if said := without_source(turn):
        console.print(f"  {said}", markup=False)
    for said in beside(turn):
        console.print(f"  {said}", markup=False)
    for passage in turn.nearest:
        console.print(f"  closest: {passage['title']}, p. {passage['pages'][0]}", markup=False)
    console.print(f"{headline(turn)}: {turn.seconds} s", markup=False, style="dim")
