"""manage.py up: prepares everything, then serves the site and its workers in the foreground."""

import os
import shutil
import signal
import socket
import sys
import time
from typing import Any, NoReturn

from django.conf import settings
from django.core.checks import Tags
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, SystemCheckError

from metrics import TOGETHER
from providers.protocols import ProviderError
from providers.roles import ModelRole, of_environment
from svq_site.database import data_folder, database, postgres
from svq_site.host import disk, first_start, model_files, static_files, web_server
from svq_site.host.health import UPKEEP_QUEUES
from svq_site.host.heartbeats import Heartbeats
from svq_site.host.language_model import LanguageModel
from svq_site.host.readiness import Readiness
from svq_site.host.schema import comparison
from svq_site.host.supervisor import Supervisor
from svq_site.serving.open_files import raise_limit


class Command(BaseCommand):
    help = "Prepares everything on the first start, then serves the site and its workers until Ctrl-C."
    requires_system_checks = ()  # the database is checked before `migrate`

    def handle(self, *args: Any, **options: Any) -> None:
        signal.signal(signal.SIGTERM, end_in_good_order)
        raise_limit()
        try:
            check_disk()
            check_port()
            account = self.prepare()
            self.say(f"Starting the server and {len(workers())} workers ...")
            if settings.METRICS_TOKEN:
                count_together()
            os.environ["SVQ_DRAIN_SECONDS"] = "0"  # nobody takes over: all of it ends
            supervisor = Supervisor(commands(), self.say)
            readiness = Readiness(self.say, is_new=account is not None, on_terminal=self.stdout.isatty())
            heartbeats = Heartbeats(supervisor)
            language_model = LanguageModel(supervisor, self.say)
            supervisor.run(readiness.look, heartbeats.look, language_model.look)
        except KeyboardInterrupt:
            sys.exit(130)
        self.say("SVQ has stopped.")

    def say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()

    def prepare(self) -> first_start.NewAccount | None:
        """Everything that has to be there before the first request. The account, when it is new."""
        begun = time.monotonic()
        try:
            if of_environment(ModelRole.EMBEDDINGS) is None:
                self.say("Preparing the local model ...")
                model_files.prepare()
            self.say("Preparing the database ...")
            self.check(tags=[Tags.database], databases=["default"])
            call_command("migrate", interactive=False, verbosity=0)
            if items := comparison.differences():
                self.say(differing(items))
            self.say("Preparing the pages ...")
            static_files.collect()
            account = first_start.first_account()
            if line := where_elsewhere():
                self.say(line)
        except ProviderError as error:
            raise CommandError(error.message) from error
        except SystemCheckError as error:
            raise CommandError(" ".join(str(error).split())) from error
        except ValidationError as error:
            raise CommandError(f"SVQ_ADMIN_EMAIL: {' '.join(error.messages)}") from error
        self.say(f"Prepared in {time.monotonic() - begun:.1f} s.")
        return account


def count_together() -> None:
    """Have the children count in files of one folder, from which the web server tells what all have counted.
    What an earlier start has counted goes: a counter that begins anew is nothing new to Prometheus.
    """
    folder = settings.DATA_DIR / "metrics" / str(settings.PORT)
    shutil.rmtree(folder, ignore_errors=True)
    data_folder.make(folder)
    os.environ[TOGETHER] = str(folder)


def differing(items: list[str]) -> str:
    """What to say about a database that differs: SVQ starts all the same, for most of it may work."""
    more = f", and {len(items) - 1:,} more" if len(items) > 1 else ""
    return (
        f"The database is not as this version of SVQ needs it: {items[0]}{more}. No stored row was"
        " changed, and what needs none of this works. `manage.py doctor` lists all and says what to do."
    )


def where_elsewhere() -> str:
    """A line when the embedded database is not in the data folder."""
    if not database.is_embedded():
        return ""
    server = postgres.places(database.embedded_dir())
    if not server.is_elsewhere:
        return ""
    return (
        f"The database is in {server.data_dir}: {server.run_as}, who runs it for root, cannot reach"
        f" {settings.DATA_DIR}."
    )


def end_in_good_order(number: int, frame: object) -> NoReturn:
    """What is due at exit is done: the embedded database stops."""
    sys.exit(128 + number)


def commands() -> dict[str, list[str]]:
    """The child processes by name."""
    web = web_server.command(settings.HOST, settings.PORT)
    return {"web server": web} | {name: worker(name, *queues) for name, queues in workers().items()}


def workers() -> dict[str, tuple[str, ...]]:
    """The queues of each worker by its name; deletions are done by either of the last two."""
    answers = [f"worker {number + 1} for answers" for number in range(settings.ANSWER_WORKERS)]
    return dict.fromkeys(answers, ("agent",)) | {
        "worker for files": ("ingest", "upkeep"),
        "worker for upkeep": UPKEEP_QUEUES,
    }


def worker(name: str, *queues: str) -> list[str]:
    options = [f"--queue={queue}" for queue in queues]
    if "heavy" in queues:
        options.append("--make-way")
    return [sys.executable, str(settings.BASE_DIR / "manage.py"), "worker", "--name", name, *options]


def check_disk() -> None:
    free = disk.free()
    if free < disk.LEAST:
        raise CommandError(
            f"The disk of {settings.DATA_DIR} has {free / 2**20:,.0f} MB left and SVQ needs 1 GB to start."
            " Nothing is lost. Free some space, or set SVQ_DATA_DIR to a folder on another disk."
        )


def check_port() -> None:
    """Raises CommandError when another program listens there already."""
    family, kind, protocol, _, address = socket.getaddrinfo(
        settings.HOST, settings.PORT, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    with socket.socket(family, kind, protocol) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
        except OSError as error:
            raise CommandError(
                f"Port {settings.PORT} on {settings.HOST} can't be used ({error.strerror}). Stop the program"
                f" that has it, or choose another port: SVQ_PORT={settings.PORT + 1} make run"
            ) from error
