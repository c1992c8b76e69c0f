"""The process that runs the language model of this server: `python -m providers.gguf.serving JSON`.

JSON: an object with folder, model, identity, context, memory. Without Django, so that it starts at once and
keeps little. It tells in `folder` where it listens, for whoever may read that. Signals end it at once, also
while it loads the model: what it has begun to write has nobody to go to any more.
"""

import json
import os
import secrets
import sys
import time
from pathlib import Path
from typing import NoReturn

from providers.gguf import engine, lifeline, running
from providers.gguf.running import AlreadyRunning, Running, State
from providers.protocols import ProviderError

PIPE_VARIABLE = "SVQ_PARENT_PIPE_FD"  # as `svq_site.host.parent` has it
REFUSED, BUSY = 3, 4  # statuses
LOOK = 3600.0  # seconds


def main() -> None:
    """Until it is stopped, or its parent is gone."""
    if (pipe := os.environ.pop(PIPE_VARIABLE, "")).isdigit():
        lifeline.end_with_parent(int(pipe))
        lifeline.be_killed_with_parent()
    asked = json.loads(sys.argv[1])
    folder, identity = Path(asked["folder"]), asked["identity"]
    try:
        with running.held(folder):
            _serve(folder, identity, asked)
    except AlreadyRunning:
        sys.stderr.write("A language model runs here already, and one runs at a time.\n")
        sys.exit(BUSY)
    except ProviderError as error:
        running.tell(folder, Running(identity=identity, state=State.FAILED, why=error.message))
        sys.stderr.write(f"{error.message}\n")
        sys.exit(REFUSED)


def _serve(folder: Path, identity: str, asked: dict[str, object]) -> NoReturn:
    """Raises ProviderError."""
    context, token = int(str(asked["context"])), secrets.token_urlsafe(32)
    running.tell(folder, Running(identity=identity, state=State.STARTING, context=context))
    engine.limit(int(str(asked["memory"])))
    server = engine.served(Path(str(asked["model"])), context, token, identity)
    address = f"{server.listening_address}/v1"
    running.tell(
        folder,
        Running(identity=identity, state=State.READY, address=address, token=token, context=context),
    )
    while True:
        time.sleep(LOOK)


if __name__ == "__main__":
    main()
