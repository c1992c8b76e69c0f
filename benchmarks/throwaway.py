"""An SVQ for one benchmark: a data folder and a database of its own, which are thrown away at the end."""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
EMAIL = "bench@localhost"
START = 400  # seconds for a first start with the samples read, beside other work
# What this machine may have set for an SVQ that people use: its data is not written to, its models not asked.
NOT_OURS = ("DATABASE_URL", "SVQ_S3_", "SVQ_LLM_", "SVQ_EMBEDDING_", "SVQ_RERANK_", "SVQ_OCR_BASE_URL")

Process = subprocess.Popen[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """The folder has its data in `var`, and room for a benchmark's files."""

    folder: Path
    environment: dict[str, str]

    def manage(self, *arguments: str) -> str:
        """What `manage.py` prints. Raises CalledProcessError."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            text=True,
            stdout=subprocess.PIPE,
            check=True,
        )
        return done.stdout

    def figures(self, code: str) -> dict[str, Any]:
        """The JSON in the last line that the code prints, run in `manage.py shell`."""
        return dict(json.loads(self.shell(code).splitlines()[-1]))

    def shell(self, code: str) -> str:
        """What it prints."""
        return self.manage("shell", "-v", "0", "-c", code)

    def started(self, *arguments: str, stdout: Any = None) -> Process:
        """Python with these arguments."""
        return subprocess.Popen(
            [sys.executable, *arguments], cwd=ROOT, env=self.environment, stdout=stdout, text=True
        )

    @contextmanager
    def running(self, *arguments: str) -> Iterator[Process]:
        """The same until the block ends."""
        process = self.started(*arguments)
        try:
            yield process
        finally:
            process.terminate()
            process.wait()

    def web(self) -> AbstractContextManager[Process]:
        """The web server at SVQ_PORT until the block ends."""
        port = self.environment["SVQ_PORT"]
        return self.running(
            "-m", "uvicorn", "svq_site.asgi:application", "--port", port, "--log-level", "warning"
        )

    def worker(self, queue: str) -> AbstractContextManager[Process]:
        """A worker of that queue until the block ends."""
        return self.running("manage.py", "worker", "--queue", queue, "--queue", "upkeep")


@contextmanager
def app(**settings: str) -> Iterator[App]:
    """With its tables, an administrator and the local model: no benchmark measures how those are made."""
    from providers.minilm.embedder import prepare

    with folder() as own:
        made = App(folder=own, environment=environment(own / "var", SVQ_ADMIN_EMAIL=EMAIL, **settings))
        made.manage("migrate", "--verbosity", "0")
        made.manage("make_account", EMAIL, "--admin")
        prepare(own / "var" / "models")
        yield made


@contextmanager
def up(**settings: str) -> Iterator[tuple[App, str]]:
    """A whole SVQ (`manage.py up`) until the block ends, once its samples are read; and its address."""
    with folder() as own, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        made = App(folder=own, environment=environment(own / "var", SVQ_PORT=str(port), **settings))
        log = own / "up.log"
        with log.open("w") as output:
            process = subprocess.Popen(
                [sys.executable, "manage.py", "up"],
                cwd=ROOT,
                env=made.environment,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        try:
            end = time.monotonic() + START
            while "sample datasource is ready" not in (told := log.read_text()):
                if time.monotonic() > end or process.poll() is not None:
                    raise RuntimeError(f"SVQ did not start: {told[-2000:]}")
                time.sleep(0.5)
            yield made, f"http://localhost:{port}"
        finally:
            os.killpg(process.pid, signal.SIGINT)
            process.wait(30)


@contextmanager
def folder() -> Iterator[Path]:
    # A Postgres that is about to end may still write there.
    with tempfile.TemporaryDirectory(prefix="svq-bench-", ignore_cleanup_errors=True) as name:
        path = Path(name)
        path.chmod(0o755)  # the embedded Postgres may run as another account
        yield path


def environment(data: Path, **settings: str) -> dict[str, str]:
    """For processes whose data is in that folder."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(NOT_OURS)}
    return kept | {"SVQ_DATA_DIR": str(data)} | settings


def figures_of(module: str, data: Path | None = None) -> dict[str, Any]:
    """The JSON that a module prints, run as a process of its own; `data`: a folder that is kept instead."""
    with folder() as own:
        done = subprocess.run(
            [sys.executable, "-m", module],
            cwd=ROOT,
            env=environment(data or own / "var"),
            text=True,
            stdout=subprocess.PIPE,
            check=True,
        )
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def set_up() -> None:
    """Django in this process, with the tables of the database."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "svq_site.settings")
    from svq_site.database.database import start_embedded

    start_embedded()
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
