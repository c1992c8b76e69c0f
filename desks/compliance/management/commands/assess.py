"""manage.py assess: holds documents against a framework in this process, and prints what was found."""

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
from datasources.numbers import LARGEST, amount, number_in, whole
from desks.compliance.checks.run import carry_on
from desks.compliance.checks.scope import find_scope, requirements_in
from desks.compliance.checks.services import start_check
from desks.compliance.checks.standing import Standing, counts_of, standings
from desks.compliance.checks.subjects import create_subject
from desks.compliance.frameworks.services import attach
from desks.compliance.models import Check, CheckStatus, Framework, Subject
from desks.compliance.reports.lines import line_of


class Command(BaseCommand):
    help = "Checks each requirement of a framework against documents of a datasource."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("datasource", help="Its name or number.")
        parser.add_argument(
            "framework", help="Its name, reference or number. It is attached where it is not yet."
        )
        parser.add_argument("--vendor", default="", help="A vendor by name; without it all documents.")
        parser.add_argument("--scope", default="", metavar="REF", help="Such as “Article 30” or “30.2”.")
        parser.add_argument("--user", help="E-mail address; the first administrator without it.")
        parser.add_argument(
            "--tokens", type=whole(1, LARGEST), help="Start no call of the model beyond so many."
        )
        parser.add_argument("--money", type=amount(MOST_MONEY), help="Nor beyond so much.")
        parser.add_argument("--json", action="store_true", dest="as_json", help="Print JSON.")

    def handle(self, *args: Any, **options: Any) -> None:
        person = user_named(options["user"])
        datasource = datasource_to_edit(person, options["datasource"], "assess it")
        try:
            framework = self._framework(datasource, person, options["framework"])
            scope = find_scope(framework, options["scope"])
            subject = self._subject(datasource, options["vendor"])
            check = start_check(
                person,
                framework,
                subject,
                scope=scope,
                token_budget=options["tokens"],
                money_budget=options["money"],
                queued=False,
            )
        except ValidationError as refusal:
            raise CommandError(refusal.messages[0]) from refusal
        asyncio.run(carry_on(check.pk))
        check.refresh_from_db()
        if check.status not in (CheckStatus.DONE, CheckStatus.HELD):
            raise CommandError(f"{check} ended as {check.get_status_display()}: {check.error_message}")
        rows = standings(check.assessment, requirements_in(framework, scope), whole=True)
        self.stdout.write(_json(check, rows) if options["as_json"] else _summary(check, rows))

    def _framework(self, datasource: Datasource, person: User, named: str) -> Framework:
        mine = Framework.objects.visible_to(person)
        found = [
            *mine.filter(attachments__datasource=datasource, name__iexact=named),
            *mine.filter(name__iexact=named),
            *mine.filter(ref__iexact=named),
            *mine.filter(pk=number_in(named) or 0),
        ]
        if not found:
            raise CommandError(f"There is no framework “{named}” that {person} may read. Import it first.")
        if not found[0].attachments.filter(datasource=datasource).exists():
            if not Framework.objects.attachable_by(person).filter(pk=found[0].pk).exists():
                raise CommandError(
                    f"“{found[0]}” belongs to somebody else, who does not share it with everybody."
                )
            attach(found[0], datasource, person)
        return found[0]

    def _subject(self, datasource: Datasource, named: str) -> Subject:
        name = named or datasource.name
        if found := datasource.subjects.filter(name__iexact=name).first():
            return found
        if named:
            names = ", ".join(datasource.subjects.values_list("name", flat=True)) or "none"
            raise CommandError(f"There is no vendor “{named}”. There are: {names}.")
        return create_subject(datasource, name, has_all=True)


def _json(check: Check, rows: list[Standing]) -> str:
    told = {
        "check": check.number,
        "status": check.status,
        "framework": check.assessment.framework.name,
        "vendor": check.assessment.subject.name,
        "model": check.model,
        "requirements": check.total,
        "unchanged": check.unchanged,
        "reused": check.reused,
        "calls": check.calls,
        "counts": counts_of(rows),
        "findings": [line_of(row).as_json() for row in rows],
    }
    return json.dumps(told, indent=2, ensure_ascii=False)


def _summary(check: Check, rows: list[Standing]) -> str:
    head = (
        f"{check.assessment}: {check.total:,} requirements, {check.unchanged:,} unchanged since the last, "
        f"{check.calls:,} calls of {check.model or 'no model'}."
    )
    counts = ", ".join(f"{name} {count:,}" for name, count in counts_of(rows).items())
    lines = [head, counts]
    for row in rows:
        line = line_of(row)
        lines.append(f"{line.verdict:<15} {line.ref:<12} {line.text[:90]}")
        lines += [f"{'':<16}“{each.quote[:160]}” {each.title}, p. {each.page}" for each in line.evidence[:3]]
    if check.status == CheckStatus.HELD:
        lines.append("Stopped at its budget. Go on with it, or check again.")
    return "\n".join(lines)
