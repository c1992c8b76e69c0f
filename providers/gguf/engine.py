"""llama.cpp in this process: its server on loopback, with what SVQ does not use switched off."""

import importlib.util
import resource
import sys
from pathlib import Path
from typing import Any

from localization.sentences import worded
from providers.gguf.memory import WORKING
from providers.inference.processors import processors
from providers.protocols import ProviderError

PACKAGE = "xllamacpp"
# Bytes beyond what a model needs by its own numbers, before it is refused more: for all, and for the stacks
# of the threads of each processor.
MARGIN, OF_PROCESSOR = WORKING, 32 * 1024**2
ANSWERING = 4  # threads that take requests
MISSING = worded(
    "llama.cpp is not installed here. It comes with the Python package xllamacpp, which is made for Linux"
    " with glibc, macOS and Windows: make llama (or pip install xllamacpp), then start SVQ again."
)

REFUSED = worded(
    "llama.cpp can't load the model: it is damaged, of a kind that this version does not know, or too large"
    " for the memory that it may have."
)


def is_here() -> bool:
    return importlib.util.find_spec(PACKAGE) is not None


def served(model: Path, context: int, token: str, name: str) -> Any:
    """The server, with `listening_address`; it lives as long as it is referred to. Raises ProviderError.

    Holds all threads of this process while it loads the model.
    """
    try:
        import xllamacpp
    except ImportError as error:
        raise ProviderError(MISSING) from error
    try:
        return xllamacpp.Server(_parameters(xllamacpp.CommonParams(), model, context, token, name))
    except RuntimeError as error:
        raise ProviderError(REFUSED) from error


def _parameters(parameters: Any, model: Path, context: int, token: str, name: str) -> Any:
    given = {
        "n_ctx": context,
        "n_parallel": 1,
        "use_jinja": True,
        "fit_params": False,
        "warmup": False,
        "hostnames": ["127.0.0.1"],
        "port": 0,
        "n_threads_http": ANSWERING,
        "api_keys": [token],
        "model_alias": {name},
        "cors_origins": "",
        "cors_methods": "",
        "cors_headers": "",
        "cors_credentials": False,
        "ui": False,
        "endpoint_slots": False,
        "endpoint_props": False,
        "endpoint_metrics": False,
        # Neither a cache of other conversations nor a second copy of the weights: the one takes up to 8 GB,
        # the other doubled the memory for no speed where it was measured.
        "cache_ram_mib": 0,
        "n_ctx_checkpoints": 0,
        "no_extra_bufts": True,
        "enable_reasoning": 0,  # thoughts take minutes on a processor, and are shown to nobody
        "offline": True,
        "verbosity": -1,
    }
    parameters.model.path = str(model)
    for key, value in given.items():
        setattr(parameters, key, value)
    for threads in (parameters.cpuparams, parameters.cpuparams_batch):
        threads.n_threads = processors()
    return parameters


def margin() -> int:
    """Bytes of data that are no part of the model."""
    return MARGIN + OF_PROCESSOR * processors()


def limit(memory: int) -> None:
    """From now on no core is dumped, and on Linux no more than so many bytes of data are given to this
    process. The weights are no data: they are read from their file.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
