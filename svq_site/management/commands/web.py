"""manage.py web: the web server alone, on a host of its own."""

import argparse
import os
from typing import Any, NoReturn

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from datasources.numbers import whole
from providers.protocols import ProviderError
from svq_site.host import model_files, static_files, web_server
from svq_site.host.checks import refuse_tables_of_left_out_desks


class Command(BaseCommand):
    help = "Serves pages, REST, MCP and event streams until it is stopped. The database has to be migrated."
    requires_system_checks = ()  # `migrate` has made them

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--host", default=settings.HOST, help="Default: SVQ_HOST.")
        parser.add_argument("--port", type=whole(1, 65535), default=settings.PORT, help="Default: SVQ_PORT.")

    def handle(self, *args: Any, host: str, port: int, **options: Any) -> NoReturn:
        refuse_tables_of_left_out_desks()
        try:
            model_files.prepare()
        except ProviderError as error:
            raise CommandError(error.message) from error
        static_files.collect()
        # In this process, so that whoever started it can stop it; anew, for a server keeps connections
        # (SVQ_DATABASE_POOL in asgi.py) and a command doesn't.
        program, *arguments = web_server.command(host, port)
        os.execv(program, [program, *arguments])
