"""manage.py doctor: tries everything that SVQ needs and says what to do about what fails."""

import argparse
import json as json_module
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand

from svq_site.host.doctor import EXAMINATIONS, Finding


class Command(BaseCommand):
    help = "Examines database, storage, models, workers and disk. Exit status 1 when something fails."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="Print a JSON list of the findings.")

    def handle(self, *args: Any, json: bool, **options: Any) -> None:
        findings = [examine() for examine in EXAMINATIONS]
        if json:
            self.stdout.write(json_module.dumps([asdict(finding) for finding in findings], indent=2))
        else:
            for finding in findings:
                self.stdout.write(line(finding))
        if not all(finding.ok for finding in findings):
            raise SystemExit(1)


def line(finding: Finding) -> str:
    text = f"{'ok' if finding.ok else 'FAILED':<8}{finding.subject:<17}{finding.detail}"
    return f"{text}\n{'':<25}{finding.advice}" if finding.advice else text
