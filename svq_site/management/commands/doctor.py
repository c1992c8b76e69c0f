"""manage.py doctor: tries everything that SVQ needs and says what to do about what fails."""

import argparse
import json as json_module
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand

from svq_site.host import doctor
from svq_site.host.doctor import EXAMINATIONS
from svq_site.host.findings import Finding
from svq_site.host.reader_report import reader

NAMED = 20  # items of a finding that are listed for people


class Command(BaseCommand):
    help = "Examines database, storage, models, workers and disk. Exit status 1 when something fails."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="Print a JSON list of the findings.")
        parser.add_argument(
            "--delete-orphans", action="store_true", help="Delete files of no document first."
        )

    def handle(self, *args: Any, json: bool, delete_orphans: bool, **options: Any) -> None:
        if delete_orphans:
            doctor.delete_orphans()
        findings = [*(examine() for examine in EXAMINATIONS), *reader()]
        if json:
            self.stdout.write(json_module.dumps([asdict(finding) for finding in findings], indent=2))
        else:
            for finding in findings:
                self.stdout.write(line(finding))
        if not all(finding.ok for finding in findings):
            raise SystemExit(1)


def line(finding: Finding) -> str:
    word = "FAILED" if not finding.ok else "note" if finding.advice else "ok"
    told = [f"{word:<8}{finding.subject:<21}{finding.detail}"]
    told += [f"{'':<29}{text}" for text in (*finding.items[:NAMED], finding.advice) if text]
    if len(finding.items) > NAMED:
        told.insert(-1, f"{'':<29}and {len(finding.items) - NAMED:,} more, see --json")
    return "\n".join(told)
