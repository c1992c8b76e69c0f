"""Sessions of ONNX Runtime in this process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi.onnxruntime_pybind11_state import Fail, RuntimeException

from providers.inference.processors import processors

GPU = ("CUDAExecutionProvider", "ROCMExecutionProvider", "DmlExecutionProvider")
CPU = "CPUExecutionProvider"
# ONNX Runtime joins an addition and a layer's normalisation into one operator, whose kernel for processors
# takes 1.29 ms where the two take 0.35 (664 tokens of MiniLM, ONNX Runtime 1.31, 2026-11-28).
SLOWER_JOINED = ["SkipLayerNormFusion"]
OUT_OF_MEMORY = ("bad_alloc", "Failed to allocate memory")  # as ONNX Runtime says it

GIVING_BACK = onnxruntime.RunOptions()
GIVING_BACK.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")


def session(
    graph: Path, providers: Sequence[str] = (CPU,), *, threads: int = 0, keeps_memory: bool = False
) -> onnxruntime.InferenceSession:
    """The graph, ready to run by the first of the providers that can, with that many threads (0: all
    processors). Raises MemoryError.

    `keeps_memory`: a run leaves its memory to the next one, until one gives all of it back (see `run`).
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or processors()
    options.log_severity_level = 3
    # Waiting threads sleep instead of spinning, and memory is given back: an ONNX session lives as long as a
    # web server or a worker, mostly idle.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.enable_cpu_mem_arena = keeps_memory
    options.enable_mem_pattern = False  # it takes a third more memory where no two batches have one shape
    try:
        return onnxruntime.InferenceSession(
            str(graph),
            options,
            providers=list(providers),
            disabled_optimizers=SLOWER_JOINED if list(providers) == [CPU] else None,
        )
    except (RuntimeException, Fail) as error:
        raise _as_memory_error(error) from error


def fastest_providers() -> list[str]:
    """A GPU if the installed ONNX Runtime supports one, else the CPU."""
    available = onnxruntime.get_available_providers()
    return [*(name for name in GPU if name in available), CPU]


def run(
    model: onnxruntime.InferenceSession,
    output: str,
    inputs: Mapping[str, NDArray[Any]],
    *,
    gives_back: bool = False,
) -> NDArray[Any]:
    """One output for one batch. Raises MemoryError where ONNX Runtime finds no memory for it.

    gives_back: a session that keeps memory has none of it any more after this run.
    """
    options = GIVING_BACK if gives_back else None
    try:
        result: NDArray[Any] = model.run([output], dict(inputs), options)[0]
    except (RuntimeException, Fail) as error:
        raise _as_memory_error(error) from error
    return result


def _as_memory_error(error: Exception) -> Exception:
    return MemoryError("running a model") if any(said in str(error) for said in OUT_OF_MEMORY) else error
