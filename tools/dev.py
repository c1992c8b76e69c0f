"""`make dev`: SVQ that shows what was saved within about two seconds. For developers: error pages tell all.

A saved template, style sheet or script is read with the next page (SVQ_DEBUG). After any other file of an app
the web server and the worker are new processes. They are forked from this one, which has imported the
libraries and none of SVQ's own modules: that saves a third of their start. The socket is opened here, so that
a page that is asked for meanwhile waits for the new server.
"""

import atexit
import gc
import importlib
import importlib.util
import json
import os
import signal
import socket
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NoReturn
from urllib.request import urlopen

import watchfiles

ROOT = Path(__file__).resolve().parent.parent
NO_APPS = {"tests", "tools", "benchmarks"}
READ_AT_START = {".py", ".sql", ".toml", ".md", ".txt", ".yaml", ".json"}
SETTLED, TICK = 50, 500  # ms without another file saved; ms between two looks at the processes
GRACE = 8  # seconds until a process that was asked to end is killed
PATIENCE = 20  # seconds for a server that does not answer


class Processes:
    """Forked from this one, by name. They end with it, also by kill -9: see svq_site/host/parent.py."""

    def __init__(self) -> None:
        self.running: dict[str, int] = {}
        self.ending: dict[int, float] = {}  # when each is killed
        self.reading_end, self.writing_end = os.pipe()

    def start(self, name: str, run: Callable[[], object]) -> None:
        if pid := os.fork():
            self.running[name] = pid
            return
        os.close(self.writing_end)
        os.environ["SVQ_PARENT_PIPE_FD"] = str(self.reading_end)
        child(run)

    def end(self, *names: str) -> None:
        """They are asked to; new ones may start meanwhile."""
        for name in names:
            if pid := self.running.pop(name, 0):
                os.kill(pid, signal.SIGTERM)
                self.ending[pid] = time.monotonic() + GRACE

    def look(self) -> None:
        """Say which have ended by themselves, and kill those that don't end."""
        for name, pid in [*self.running.items()]:
            if os.waitpid(pid, os.WNOHANG)[0]:
                del self.running[name]
                say(f"The {name} has ended. It starts again when a file is saved.")
        for pid, killed_at in [*self.ending.items()]:
            if os.waitpid(pid, os.WNOHANG)[0]:
                del self.ending[pid]
            elif time.monotonic() > killed_at:
                os.kill(pid, signal.SIGKILL)

    def end_all(self) -> None:
        self.end(*[*self.running][::-1])  # the database last
        while self.ending:
            self.look()
            time.sleep(0.05)


def main() -> None:
    # Many containers keep no compiled modules: then each new process compiles all of ours again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    os.environ |= {"DJANGO_SETTINGS_MODULE": "svq_site.settings", "SVQ_DRAIN_SECONDS": "0"}
    os.environ.setdefault("SVQ_DEBUG", "yes")
    host, port = os.environ.get("SVQ_HOST") or "127.0.0.1", int(os.environ.get("SVQ_PORT") or 8000)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    processes = Processes()
    try:
        import_libraries(prepared(processes))
        with socket.create_server((host, port), backlog=128) as server:
            server.set_inheritable(True)
            parts = {
                "web server": lambda: serve(host, port, server.fileno()),
                "worker": lambda: work(host, port),
            }
            for name, run in parts.items():
                processes.start(name, run)
            say(f"SVQ is at http://{host}:{port}/ and shows what you save. Ctrl-C ends it.")
            for paths in saved(processes.look):
                say(f"Saved: {', '.join(paths)}")
                forget_compiled(paths)
                for name, run in parts.items():
                    processes.end(name)
                    processes.start(name, run)
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        processes.end_all()


def say(line: str) -> None:
    print(line, flush=True)


# --- in this process -------------------------------------------------------------------------------------
def prepared(processes: Processes) -> list[str]:
    """Do what `manage.py up` does before it serves; the names of the library modules that SVQ needs.

    A process stays that has done it: the embedded database ends with the last one that uses it.
    """
    reading, writing = os.pipe()

    def prepare() -> None:
        os.close(reading)
        names = prepare_and_import()
        with open(writing, "w") as pipe:
            json.dump(names, pipe)
        from svq_site.host.parent import die_with_parent

        die_with_parent()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        while True:
            signal.pause()

    processes.start("database", prepare)
    os.close(writing)
    with open(reading) as pipe:
        told = pipe.read()
    if not told:
        sys.exit(1)  # the process has said why
    return [str(name) for name in json.loads(told)]


def import_libraries(names: list[str]) -> None:
    """Those that need Django's settings are left to each process."""
    settings = os.environ.pop("DJANGO_SETTINGS_MODULE")
    for name in names:
        with suppress(Exception):
            importlib.import_module(name)
    os.environ["DJANGO_SETTINGS_MODULE"] = settings
    gc.collect()
    gc.freeze()


def saved(look: Callable[[], None]) -> Iterator[list[str]]:
    """The files of each change that needs new processes. `look` is called twice a second."""
    apps = [path.parent for path in ROOT.glob("*/__init__.py") if path.parent.name not in NO_APPS]
    for changes in watchfiles.watch(*apps, step=SETTLED, rust_timeout=TICK, yield_on_timeout=True):
        look()
        if paths := sorted(
            str(Path(path).relative_to(ROOT)) for _, path in changes if is_read_at_start(path)
        ):
            yield paths


def forget_compiled(paths: list[str]) -> None:
    """Python tells what it has compiled from a file by the file's size and its time in seconds: of two saves
    right after each other it may take the first.
    """
    for path in paths:
        if path.endswith(".py"):
            Path(importlib.util.cache_from_source(str(ROOT / path))).unlink(missing_ok=True)


def is_read_at_start(path: str) -> bool:
    return Path(path).suffix in READ_AT_START


# --- in a process of its own -----------------------------------------------------------------------------
def child(run: Callable[[], object]) -> NoReturn:
    """As a program would: with what is due at its exit, and nothing of what the parent has still to do."""
    code = 0
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        run()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
        if isinstance(ended.code, str):
            say(ended.code)
    except Exception:
        traceback.print_exc()
        code = 1
        raise
    finally:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        os._exit(code)


def prepare_and_import() -> list[str]:
    sys.argv = ["manage.py", "up"]
    from svq_site.database.database import start_embedded
    from svq_site.host.memory import load_apps

    start_embedded()
    load_apps()
    from svq_site.management.commands import up

    up.check_port()
    up.Command().prepare()
    for name in ("svq_site.urls", "svq_site.management.commands.worker", "uvicorn.main"):
        importlib.import_module(name)
    apps = {path.parent.name for path in ROOT.glob("*/__init__.py")} | {"manage", "__main__"}
    return [name for name in sys.modules if name.partition(".")[0] not in apps]


def serve(host: str, port: int, socket_number: int) -> None:
    # With SVQ_DEBUG, WhiteNoise sends files in a way of which Django says so, each time.
    warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous")
    import svq_site.asgi  # it begins with the database and the size of its pool
    import svq_site.urls  # noqa: F401  # else the first page waits for it, beside what else begins then
    from svq_site.host import web_server

    importlib.import_module("uvicorn.main").main(
        [*web_server.command(host, port)[3:], "--fd", str(socket_number)]
    )


def work(host: str, port: int) -> None:
    """Once a page is there: whoever has saved a file waits for that."""
    with suppress(OSError):
        urlopen(f"http://{host}:{port}/account/login/", timeout=PATIENCE).read()
    sys.argv = ["manage.py", "worker", "--name", "worker", "--make-way"]
    importlib.import_module("manage").main()


if __name__ == "__main__":
    main()
