"""Does the queued jobs in a process that is killed (SIGKILL) at a function of the product.

python -m tests.killed MODULE NAME before|after [which call, from 1]
"""

import os
import signal
import sys
from importlib import import_module
from typing import Any

from svq_site.host.memory import load_apps


def main(module: str, name: str, moment: str, call: str = "1") -> None:
    load_apps()
    from procrastinate.contrib.django import app

    from ingestion.lifecycle import deletion

    deletion.AT_ONCE = 1
    home: Any = import_module(module)
    original, calls = getattr(home, name), 0

    def deadly(*args: Any, **kwargs: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls < int(call):
            return original(*args, **kwargs)
        if moment == "after":
            original(*args, **kwargs)
        os.kill(os.getpid(), signal.SIGKILL)

    setattr(home, name, deadly)
    with app.replace_connector(app.connector.get_worker_connector()):  # type: ignore[attr-defined]
        app.run_worker(wait=False, install_signal_handlers=False, listen_notify=False, concurrency=1)


if __name__ == "__main__":
    main(*sys.argv[1:])
