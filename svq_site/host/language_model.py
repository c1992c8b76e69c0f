"""The language model of this server, kept running while it has a job: one, in a process of its own."""

import json
import sys
import time
from collections.abc import Callable
from typing import Protocol

from django.db import DatabaseError, InterfaceError, connection

from providers.connections.dialects import is_known
from providers.gguf import engine, memory, running
from providers.gguf.running import Running, State
from providers.gguf.trial import memory_limit
from providers.local_models import choice, store
from providers.local_models.store import Installed
from providers.measuring import defer_measuring
from providers.protocols import ProviderError
from svq_site.host.supervisor import Child

LOOK_SECONDS = 2
MOST_DEATHS = 5  # in a row; then it is left alone until another one is chosen, or SVQ starts again
NAME = "language model"


class Children(Protocol):
    """What the supervisor offers."""

    def keep(self, name: str, command: list[str]) -> Child: ...

    def drop(self, child: Child) -> None: ...


class LanguageModel:
    """Starts the model that is wanted, ends one that is not, gives up on one that dies again and again."""

    def __init__(self, children: Children, say: Callable[[str], None]) -> None:
        self._children, self._say = children, say
        self._folder = store.running_folder()
        self._identity = ""
        self._child: Child | None = None
        self._measured = False
        self._looked = 0.0
        if not running.is_held(self._folder):
            running.forget(self._folder)  # what an earlier start has left

    def look(self) -> None:
        """Called about every half second."""
        if time.monotonic() - self._looked < LOOK_SECONDS:
            return
        self._looked = time.monotonic()
        try:
            self._follow(choice.wanted())
            self._measure()
        except (DatabaseError, InterfaceError):
            connection.close()  # the next look opens another

    def _follow(self, wanted: Installed | None) -> None:
        identity = wanted.identity if wanted else ""
        if self._child is None and running.is_held(self._folder):
            return  # another command runs it
        if identity != self._identity:
            self._end()
            self._identity, self._measured = identity, False
            if wanted:
                self._start(wanted)
        elif self._child and self._child.deaths:
            self._after_death(self._child)

    def _start(self, model: Installed) -> None:
        """Or say why not."""
        try:
            if not engine.is_here():
                raise ProviderError(engine.MISSING)
            context = choice.context_of(model)
        except ProviderError as error:
            return self._give_up(error.message)
        told = model.configuration
        takes = memory.gigabytes(memory.needed(model.size, told.kv_bytes, context))
        self._say(f"Starting {model.identity}: about {takes} of memory, {context:,} tokens at once.")
        asked = {
            "folder": str(self._folder),
            "model": str(model.folder / model.graph),
            "identity": model.identity,
            "context": context,
            "memory": memory_limit(told.kv_bytes, context),
        }
        command = [sys.executable, "-m", "providers.gguf.serving", json.dumps(asked)]
        self._child = self._children.keep(NAME, command)

    def _after_death(self, child: Child) -> None:
        now = running.last_known(self._folder)
        if now and now.state == State.FAILED:  # it has said why
            self._give_up(now.why)
        elif child.deaths >= MOST_DEATHS:
            self._give_up(f"{self._identity} has ended {child.deaths} times soon after its start.")
        elif child.process is None:
            running.forget(self._folder)

    def _give_up(self, why: str) -> None:
        self._end()
        self._say(f"The language model does not run: {why} Questions are answered with quotes.")
        running.tell(self._folder, Running(identity=self._identity, state=State.FAILED, why=why))

    def _end(self) -> None:
        if self._child:
            self._children.drop(self._child)
        self._child = None
        running.forget(self._folder)

    def _measure(self) -> None:
        """Once it is ready, unless its speed is known."""
        now = running.last_known(self._folder)
        if self._measured or now is None or now.state != State.READY or now.identity != self._identity:
            return
        self._measured = True
        self._say(f"{self._identity} is ready.")
        if not is_known("", self._identity):
            defer_measuring()


def state() -> str:
    """For /healthz: "ok" also where no language model was to run here."""
    now = running.last_known(store.running_folder())
    if now is None or now.state == State.READY:
        return "ok"
    return now.why if now.state == State.FAILED else "is being loaded"
