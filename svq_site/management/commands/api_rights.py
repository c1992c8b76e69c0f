"""`manage.py api_rights`: the table of docs/reference/api-rights.md, from the addresses of REST."""

from typing import Any

from django.core.management.base import BaseCommand

from svq_site.api_rights import table


class Command(BaseCommand):
    help = "Print which right an API token needs for each address of REST."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(table())
