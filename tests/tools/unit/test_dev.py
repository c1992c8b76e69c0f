"""`make dev` serves what was saved. A small site stands for SVQ, with a copy of tools/dev.py beside it."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from tools import dev

PATIENCE = 40  # seconds, beside much other work
STANDING_FOR_SVQ = {
    "svq_site/__init__.py": "",
    "svq_site/urls.py": "",
    "svq_site/management/__init__.py": "",
    "svq_site/management/commands/__init__.py": "",
    "svq_site/management/commands/worker.py": "",
    "svq_site/management/commands/up.py": """
def check_port(): pass
class Command:
    def prepare(self): print("prepared", flush=True)
""",
    "svq_site/host/__init__.py": "",
    "svq_site/database/database.py": "def start_embedded(): pass",
    "svq_site/host/memory.py": "def load_apps(): pass",
    "svq_site/host/parent.py": "def die_with_parent(): pass",
    "svq_site/host/web_server.py": """
def command(host, port):
    return ["python", "-m", "uvicorn", "svq_site.asgi:application", "--log-level", "warning"]
""",
    "svq_site/asgi.py": """
from svq_site.words import WORDS
async def application(scope, receive, send):
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": WORDS.encode()})
""",
    "svq_site/words.py": "WORDS = 'first'",
    "manage.py": """
import os, signal
def main():
    from svq_site.words import WORDS
    print("worker of", WORDS, flush=True)
    signal.pause()
""",
}


@dataclass
class Site:
    folder: Path
    port: int
    process: subprocess.Popen[bytes]

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text()

    def page(self) -> str:
        try:
            return urlopen(f"http://127.0.0.1:{self.port}/", timeout=PATIENCE).read().decode()
        except URLError:
            return ""

    def save(self, text: str) -> None:
        (self.folder / "svq_site" / "words.py").write_text(text)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    for name, text in STANDING_FOR_SVQ.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "tools").mkdir()
    shutil.copy(dev.__file__, tmp_path / "tools" / "dev.py")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    around = os.environ | {"SVQ_PORT": str(port)}
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "tools.dev"],
            cwd=tmp_path,
            env=around,
            stdout=log,
            stderr=log,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # shells ignore it behind an &
        )
    yield Site(tmp_path, port, process)
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 0
    with pytest.raises(ProcessLookupError):  # neither the server nor the worker is left
        os.killpg(process.pid, 0)


def until(true: Callable[[], bool], site: Site) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, site.log
        time.sleep(0.05)


def test_saved_module_is_served_and_the_worker_is_a_new_one(site):
    until(lambda: site.page() == "first", site)
    until(lambda: "worker of first" in site.log, site)
    site.save("WORDS = 'second'")
    until(lambda: site.page() == "second", site)
    until(lambda: "worker of second" in site.log, site)
    assert "Saved: svq_site/words.py" in site.log
    assert site.log.count("prepared") == 1


def test_mistake_is_told_and_the_next_save_starts_it_again(site):
    until(lambda: site.page() == "first", site)
    site.save("WORDS = 'with a mistake")
    until(lambda: "SyntaxError" in site.log and "The web server has ended." in site.log, site)
    site.save("WORDS = 'third'")
    until(lambda: site.page() == "third", site)


@pytest.mark.parametrize(
    ("path", "is_read"),
    [
        ("chat/urls.py", True),
        ("retrieval/sql/dense.sql", True),
        ("answering/extractive/usual_words.toml", True),
        ("compliance/checks/prompts/check.md", True),
        ("chat/__pycache__/urls.cpython-311.pyc", False),
        ("chat/.urls.py.swp", False),
    ],
)
def test_what_is_read_at_the_start_needs_new_processes(path, is_read):
    assert dev.is_read_at_start(path) is is_read


def test_settings_for_developers_keep_no_template():
    """A saved template and style sheet show with the next page, without new processes."""
    code = "from django.conf import settings as s; print(s.TEMPLATES[0]['OPTIONS']['loaders'], s.DEBUG)"
    around = os.environ | {"SVQ_DEBUG": "yes", "DJANGO_SETTINGS_MODULE": "svq_site.settings"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=dev.ROOT, env=around, capture_output=True, text=True, check=True
    )
    assert "cached" not in done.stdout
    assert "filesystem.Loader" in done.stdout
    assert done.stdout.rstrip().endswith("True")
