"""manage.py language_model: runs the installed language model, where nothing is started by `up`."""

import sys
from typing import Any

from django.core.management.base import BaseCommand

from svq_site.host.language_model import LanguageModel
from svq_site.host.supervisor import Supervisor


class Command(BaseCommand):
    help = (
        "Runs the installed language model that is in use, beside `web` and `worker`. `up` does it by itself."
    )
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        supervisor = Supervisor({}, self.say)
        supervisor.run(LanguageModel(supervisor, self.say).look)
        sys.exit(0)

    def say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
