"""The reader: says how well a sentence answers a question, having read both together.

Its upper layers are ours (reader.safetensors, made by tools/train_reader); all below them is the embedder's.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from providers.inference.batches import CHARACTERS_A_TOKEN, batches, padded
from providers.inference.sessions import run, session
from providers.minilm.embedder import prepared_graph, tokenizer

WEIGHTS = Path(__file__).with_name("reader.safetensors")
RECIPE = 1  # Raise it when its weights or onnx_graph.py change: installations rebuild their graph.
LONGEST, LONGEST_QUESTION, LONGEST_HEADING = 160, 64, 16  # tokens, as it has learned
TOKENS_AT_ONCE = 8 * LONGEST
UNKNOWN, CLS, SEP = 100, 101, 102
QUESTION, SENTENCE, BETWEEN, PADDING = 0, 1, -1, -2  # what a token belongs to


def prepare(folder: Path) -> Path:
    """The graph's path in `folder`; makes the graph first when it is not there. Raises ProviderError."""
    return prepared_graph(folder, "reader", RECIPE, WEIGHTS)


class MiniLMReader:
    """Reads English. Threads may share one: their batches take turns."""

    def __init__(self, folder: Path) -> None:
        """Load the graph kept in `folder`, making it first if need be. Raises ProviderError."""
        self._session = session(prepare(folder), keeps_memory=True)
        self._turn = threading.Lock()
        self._tokenizer = tokenizer()

    def scores(self, question: str, sentences: Sequence[tuple[str, str]]) -> list[float]:
        """Of each sentence, behind its heading: log odds that it answers, against that nothing there does."""
        rows = self._rows(question, sentences)
        scores = np.empty(len(rows), np.float32)
        for batch in batches([ids for ids, _ in rows], TOKENS_AT_ONCE):
            inputs = {
                "input_ids": padded([rows[position][0] for position in batch]),
                "place": padded([rows[position][1] for position in batch], PADDING),
            }
            with self._turn:
                scores[batch] = run(self._session, "scores", inputs)
        return [float(score) for score in scores]

    def _rows(self, question: str, sentences: Sequence[tuple[str, str]]) -> list[tuple[list[int], list[int]]]:
        """Token ids, and what each token belongs to."""
        texts = [question, *(text for pair in sentences for text in pair)]
        asked, *others = self._tokens(texts)
        first = [CLS, *asked[:LONGEST_QUESTION], SEP]
        rows = []
        for heading, sentence in zip(others[::2], others[1::2], strict=True):
            ids = [*first, *heading[:LONGEST_HEADING], *(sentence or [UNKNOWN])][: LONGEST - 1]
            between = len(first) + min(len(heading), LONGEST_HEADING)
            place = [QUESTION] * len(first) + [BETWEEN] * (between - len(first))
            rows.append(([*ids, SEP], [*place, *[SENTENCE] * (len(ids) - between), BETWEEN]))
        return rows

    def _tokens(self, texts: Sequence[str]) -> list[list[int]]:
        cut = [text[: CHARACTERS_A_TOKEN * LONGEST] for text in texts]
        return [row.ids for row in self._tokenizer.encode_batch_fast(cut, add_special_tokens=False)]
