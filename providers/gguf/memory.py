"""How much memory a language model needs, and whether this machine has it."""

from pathlib import Path

import psutil

from localization.sentences import worded
from providers.protocols import ProviderError

CONTEXTS = (16_384, 8_192, 4_096)  # tokens; the first that there is room for
WORKING = 400 * 1024**2  # bytes that llama.cpp computes in; 150 MB were measured for 1.5 billion weights
LEFT = 512 * 1024**2  # bytes that stay for everything else
CGROUP = Path("/sys/fs/cgroup")


def needed(size: int, kv_bytes: int, context: int) -> int:
    """Bytes: for weights of `size` bytes, and `kv_bytes` for each token of the context."""
    return size + kv_bytes * context + WORKING


def roughly(size: int) -> int:
    """The same before the file can be read."""
    return size * 5 // 4 + 10**9


def available() -> int:
    """Bytes that a new process may have: of the machine, or of the container that SVQ runs in."""
    free = int(psutil.virtual_memory().available)
    try:
        most = int((CGROUP / "memory.max").read_text())
        used = dict(line.split() for line in (CGROUP / "memory.stat").read_text().splitlines())
        return min(free, max(0, most - int(used["anon"])))
    except (OSError, ValueError, KeyError):  # no container, or one without a limit
        return free


def context_for(name: str, size: int, kv_bytes: int, trained: int, free: int) -> int:
    """How many tokens the model reads at once here: as many as there is memory for. Raises ProviderError
    where there is too little for the fewest.
    """
    contexts = [min(trained, context) for context in CONTEXTS]
    for context in contexts:
        if needed(size, kv_bytes, context) + LEFT <= free:
            return context
    least = needed(size, kv_bytes, contexts[-1])
    raise ProviderError(
        worded(
            "{name} needs {least} of memory, and {left} must stay free: this machine has {free} available. "
            "Choose a smaller model, or close other programs.",
            name=name,
            least=gigabytes(least),
            left=gigabytes(LEFT),
            free=gigabytes(free),
        )
    )


def gigabytes(size: int) -> str:
    return f"{size / 1e9:,.1f} GB"
