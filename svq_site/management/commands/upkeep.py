"""manage.py upkeep: the worker for everything but answers and files, which makes way for these."""

import argparse
from typing import Any

from svq_site.host.health import UPKEEP_QUEUES
from svq_site.management.commands import worker


class Command(worker.Command):
    help = "Does the queued jobs that nobody waits for: deletions, evaluations, indexes, clean-ups."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        worker.add_common_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        options["name"] = options["name"] or "worker for upkeep"
        super().handle(*args, **options, queues=list(UPKEEP_QUEUES), make_way=True)
