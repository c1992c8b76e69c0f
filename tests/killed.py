"""Does the queued jobs in a process to which something happens at a function, or at a database statement.

python -m tests.killed MODULE NAME before|after [which call, from 1]
python -m tests.killed statement NUMBER

FAULT says what happens, see `tests.faults.happenings`; as a rule the process is killed. COMMAND is a command
of manage.py that runs instead of the jobs. CLOCK: seconds by which the clock of the process is ahead.
"""

import atexit
import json
import os
import sys
from importlib import import_module
from typing import Any

from svq_site.host.memory import load_apps


def main(module: str, *where: str) -> None:
    load_apps()
    from django.core.management import call_command
    from procrastinate.contrib.django import app

    from ingestion.lifecycle import deletion, uploads
    from tests.faults.happenings import HAPPENINGS, count_statements, set_clock, watch_disk

    watch_disk()
    deletion.AT_ONCE = 1
    deletion.UNDO_SECONDS = uploads.QUIET_SECONDS = 0
    happens = HAPPENINGS[os.environ.get("FAULT", "kill")]
    if ahead := float(os.environ.get("CLOCK", 0)):
        set_clock(ahead)
    if module == "statement":
        seen = count_statements(int(where[0]), lambda: strike(happens))
        atexit.register(lambda: print(seen()))
    else:
        at_function(module, where[0], where[1], int(where[2]) if where[2:] else 1, happens)
    if command := json.loads(os.environ.get("COMMAND", "[]")):
        call_command(*command)
        return
    with app.replace_connector(app.connector.get_worker_connector()):  # type: ignore[attr-defined]
        app.run_worker(wait=False, install_signal_handlers=False, listen_notify=False, concurrency=1)


def at_function(module: str, name: str, moment: str, call: int, happens: Any) -> None:
    """`name` may be a method: `Split.run`."""
    home: Any = import_module(module)
    *owners, name = name.split(".")
    for owner in owners:
        home = getattr(home, owner)
    original, calls = getattr(home, name), 0

    def struck(*args: Any, **kwargs: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls != call:
            return original(*args, **kwargs)
        if moment == "before":
            strike(happens)
        result = original(*args, **kwargs)
        if moment == "after":
            strike(happens)
        return result

    setattr(home, name, struck)


def strike(happens: Any) -> None:
    """`tests.faults.harness` reads that it happened."""
    print("struck", flush=True)
    happens()


if __name__ == "__main__":
    main(*sys.argv[1:])
