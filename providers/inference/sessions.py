"""Sessions of ONNX Runtime in this process."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi.onnxruntime_pybind11_state import Fail, RuntimeException

GPU = ("CUDAExecutionProvider", "ROCMExecutionProvider", "DmlExecutionProvider")
CPU = "CPUExecutionProvider"


def session(graph: Path, providers: Sequence[str] = (CPU,)) -> onnxruntime.InferenceSession:
    """The graph, ready to run by the first of the providers that can. Raises MemoryError."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = processors()
    options.log_severity_level = 3
    # Waiting threads sleep instead of spinning, and memory of the longest batch is given back after it:
    # an ONNX session lives as long as a web server or a worker, mostly idle. Both cost next to no speed.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.enable_cpu_mem_arena = False
    try:
        return onnxruntime.InferenceSession(str(graph), options, providers=list(providers))
    except (RuntimeException, Fail) as error:
        raise _told(error) from error


def fastest_providers() -> list[str]:
    """A GPU if the installed ONNX Runtime supports one, else the CPU."""
    available = onnxruntime.get_available_providers()
    return [*(name for name in GPU if name in available), CPU]


def run(model: onnxruntime.InferenceSession, output: str, inputs: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    """One output for one batch. Raises MemoryError where ONNX Runtime finds no memory for it."""
    try:
        result: NDArray[Any] = model.run([output], dict(inputs))[0]
    except (RuntimeException, Fail) as error:
        raise _told(error) from error
    return result


def _told(error: Exception) -> Exception:
    return MemoryError("running a model") if "bad_alloc" in str(error) else error


def processors() -> int:
    """Processors that this process may use: in a container, often fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
