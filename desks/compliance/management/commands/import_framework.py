"""manage.py import_framework FILE: makes a framework of a file and prints what it has."""

import argparse
import json
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from datasources.lookup import datasource_named, user_named
from datasources.models import Role
from desks.compliance.frameworks.counts import Counts, counts_of
from desks.compliance.frameworks.importing import KINDS, read_file
from desks.compliance.frameworks.services import attach, change_framework, store
from desks.compliance.frameworks.text import add_text
from desks.compliance.models import Framework


class Command(BaseCommand):
    help = f"Imports a framework: {KINDS}."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--name", default="", help="What to call it; by default what its file says.")
        parser.add_argument("--user", help="Its owner's e-mail address; the first administrator without it.")
        parser.add_argument("--attach", metavar="DATASOURCE", help="Use it there at once.")
        parser.add_argument(
            "--text", action="store_true", help="Put its text among the documents there, to be quoted."
        )
        parser.add_argument("--shared", action="store_true", help="Let all accounts read and attach it.")
        parser.add_argument("--json", action="store_true", dest="as_json", help="Print JSON.")

    def handle(self, *args: Any, **options: Any) -> None:
        person = user_named(options["user"])
        datasource = None
        if options["attach"]:
            datasource = datasource_named(person, options["attach"])
            if datasource is None or not datasource.allows(person, Role.EDITOR):
                raise CommandError(f"There is no datasource “{options['attach']}” that {person} may edit.")
        try:
            with options["file"].open("rb") as file:
                draft = read_file(options["file"].name, file)
            framework = store(person, draft, options["name"])
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be read: {error.strerror}.") from error
        except ValidationError as refusal:
            raise CommandError(refusal.messages[0]) from refusal
        if options["shared"]:
            change_framework(framework, is_shared=True)
        if datasource is not None:
            attach(framework, datasource, person)
            if options["text"]:
                add_text(framework, datasource, person)
        counts = counts_of(framework)
        if options["as_json"]:
            told = {
                "id": framework.pk,
                "name": framework.name,
                "ref": framework.ref,
                "source": framework.source,
            }
            self.stdout.write(json.dumps(told | counts.as_json(), indent=2, ensure_ascii=False))
        else:
            self.stdout.write(_summary(framework, counts))


def _summary(framework: Framework, counts: Counts) -> str:
    lines = [
        f"{framework.name} ({framework.source}): {counts.requirements:,} requirements, "
        f"{counts.assessable:,} of them can be assessed.",
        *(
            f"  {chapter.requirements:>5}  {chapter.assessable:>5} assessable  "
            + ": ".join(filter(None, (chapter.ref, chapter.title)))
            for chapter in counts.chapters
        ),
        "Languages: " + ", ".join(f"{name} {count:,}" for name, count in counts.languages.items()),
        "Domains: " + ", ".join(f"{name} {count:,}" for name, count in counts.domains.items()),
    ]
    return "\n".join(lines)
