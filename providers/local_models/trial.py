"""Tries a model in a child process before it is accepted, so that a hostile one cannot harm the server."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext_noop

from localization.sentences import received
from localization.stored import said
from providers.gguf.memory import available
from providers.local_models.configuration import Configuration
from providers.local_models.errors import NotInstalled
from providers.local_models.roles import LocalRole

CRASHED = gettext_noop("The model crashed the process that tried it: it is damaged or malicious.")
SECONDS = 120  # for loading it and reading the longest texts
SECONDS_OF_LARGE = 600  # for a language model, whose gigabytes come from a slow disk perhaps
MOST_TOLD = 10_000  # characters of what a refusal is made of
PASSED_ON = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PYTHONPATH", "CUDA_VISIBLE_DEVICES")


def tried(
    folder: Path, graph: str, role: LocalRole, configuration: Configuration
) -> tuple[int, Configuration]:
    """The dimensions of the vectors of an embedding model, else 0, and the configuration with what the trial
    has told: it has read short and long texts within the memory that a worker may have. Raises NotInstalled.
    """
    writes = role == LocalRole.CHAT
    memory = available() if writes else settings.WORKER_MEMORY_BYTES
    seconds = SECONDS_OF_LARGE if writes else SECONDS
    asked = {
        "folder": str(folder),
        "graph": graph,
        "role": str(role),
        "configuration": configuration.as_json(),
        "memory": memory,
        "seconds": seconds,
    }
    try:
        child = _run(asked)
    except subprocess.TimeoutExpired as error:
        raise NotInstalled(
            said(
                "The model takes longer than {n} seconds to read a few texts: it is too slow for this "
                "machine.",
                n=seconds,
            )
        ) from error
    return _answer(child, memory, writes=writes)


def _run(asked: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    """Raises TimeoutExpired."""
    lifeline, kept = os.pipe()  # the kernel closes `kept` with this process, however that ends
    try:
        return subprocess.run(
            [sys.executable, "-m", "providers.local_models.trial_process", str(lifeline)],
            cwd=Path(__file__).resolve().parents[2],
            env={name: os.environ[name] for name in PASSED_ON if name in os.environ},
            pass_fds=[lifeline],
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            errors="replace",
            timeout=asked["seconds"],
            check=False,
        )
    finally:
        os.close(lifeline)
        os.close(kept)


def _answer(
    child: subprocess.CompletedProcess[str], memory: int, *, writes: bool
) -> tuple[int, Configuration]:
    """What the child has found, or why it did not. Raises NotInstalled."""
    too_large = NotInstalled(
        said("The model needs more memory than its file says, or than this machine has. Take a smaller one.")
        if writes
        else said(
            "The model needs more than the {n} MB that a worker may have. Take a smaller file of it, such as "
            "a quantised one, or raise SVQ_WORKER_MEMORY_MB.",
            n=memory // 1024**2,
        )
    )
    try:
        told = json.loads(child.stdout)
    except ValueError as error:
        if "bad_alloc" in child.stderr or "MemoryError" in child.stderr:
            raise too_large from error
        raise NotInstalled(CRASHED) from error
    if told.get("memory") or "bad_alloc" in told.get("refused", ""):
        raise too_large
    if "refused" in told:
        raise NotInstalled(received(str(told["refused"]), told.get("words"), MOST_TOLD))
    return int(told["dimensions"]), Configuration.from_json(told["configuration"])
