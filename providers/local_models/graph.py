"""Runs an installed model in this process: texts or pairs of texts in, its outputs out."""

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnxruntime import InferenceSession
from tokenizers import Encoding, Tokenizer

from localization.sentences import worded
from providers.inference.batches import CHARACTERS_A_TOKEN, batches, padded, portions, slices
from providers.inference.sessions import fastest_providers, run, session
from providers.local_models.configuration import SHORTEST, TOKENIZER, Configuration
from providers.local_models.errors import NotInstalled
from providers.protocols import ProviderError

TOKENS_AT_ONCE = 1024  # of a batch, padding included: its memory grows with them
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
KINDS: dict[str, type[np.generic]] = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
WHOLE, TOKENS, SCORES = "sentence_embedding", ("last_hidden_state", "token_embeddings"), "logits"
FLOATS = ("tensor(float)", "tensor(float16)", "tensor(double)")
NO_WHOLE_NUMBERS = worded("The graph does not take tokens as whole numbers.")

Texts = Sequence[str] | Sequence[tuple[str, str]]


class Graph:
    """Threads may share one: their batches take turns, because each uses all processors by itself.

    max_tokens: of a text or a pair, as its files say; fewer where the graph was made for texts of one length.
    """

    def __init__(self, folder: Path, graph: str, configuration: Configuration) -> None:
        """Raises NotInstalled where SVQ cannot use such a graph, MemoryError."""
        self.configuration = configuration
        self._session = session(folder / graph, fastest_providers())
        self._kinds = _kinds(self._session)
        self._output = _output(self._session, configuration)
        self._texts, self._tokens = _made_for(self._session)
        self.max_tokens = min(configuration.max_tokens, self._tokens or configuration.max_tokens)
        self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._turn = threading.Lock()

    def batches(self, texts: Texts) -> Iterator[tuple[list[int], NDArray[np.float32], NDArray[np.int64]]]:
        """For batches of the texts: their positions, the model's output and the mask of their tokens.

        Raises ProviderError, MemoryError.
        """
        encodings = [self._encoding(text) for text in texts]
        for batch in self._grouped(encodings):
            missing = max(0, self._texts - len(batch))
            inputs = self._inputs([encodings[position] for position in [*batch, *batch[:1] * missing]])
            output = self._run({name: inputs[name] for name in self._kinds})
            if output.shape[:1] != (len(batch) + missing,):
                raise NotInstalled(
                    worded(
                        "The model gives {shape} for {n} texts.",
                        shape=str(output.shape),
                        n=len(batch) + missing,
                    )
                )
            yield batch, output[: len(batch)].astype(np.float32), inputs["attention_mask"][: len(batch)]

    def _grouped(self, encodings: Sequence[Encoding]) -> Iterator[list[int]]:
        """Positions of texts that are read at once."""
        at_once = self._texts or (self._tokens and max(1, TOKENS_AT_ONCE // self._tokens))
        if not at_once:
            most = max(TOKENS_AT_ONCE, self.max_tokens)
            yield from batches([encoding.ids for encoding in encodings], most)
        for start in range(0, len(encodings), at_once) if at_once else ():
            yield list(range(start, min(start + at_once, len(encodings))))

    def _run(self, inputs: dict[str, NDArray[Any]]) -> NDArray[Any]:
        try:
            with self._turn:
                return run(self._session, self._output, inputs)
        except MemoryError:
            raise
        except Exception as error:  # ONNX Runtime has a class of its own for each of its failures
            reason = " ".join(str(error).split())[:200]
            raise ProviderError(worded("The model cannot read this text: {reason}", reason=reason)) from error

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Of each whole text, without what the model adds."""
        at_once = CHARACTERS_A_TOKEN * self.max_tokens
        pieces = [(place, piece) for place, text in enumerate(texts) for piece in slices(text, at_once)]
        counts = [0] * len(texts)
        places = iter([place for place, _ in pieces])
        for some in portions(piece for _, piece in pieces):
            for encoding in self._tokenizer.encode_batch_fast(some, add_special_tokens=False):
                counts[next(places)] += len(encoding.ids)
        return counts

    def _encoding(self, text: str | tuple[str, str]) -> Encoding:
        """No more tokens than the model reads; the longer text of a pair is cut, down to half of them."""
        most = self.max_tokens
        parts = [text] if isinstance(text, str) else list(text)
        room = most - self._tokenizer.num_special_tokens_to_add(len(parts) == 2)
        read = [
            self._tokenizer.encode(part[: CHARACTERS_A_TOKEN * most], add_special_tokens=False)
            for part in parts
        ]
        lengths = [len(each.ids) for each in read]
        if len(read) == 2 and sum(lengths) > room:
            first = min(lengths[0], max(room - lengths[1], room - room // 2))
            read[0].truncate(first)
            read[1].truncate(max(1, room - first))
        elif sum(lengths) > room:
            read[0].truncate(max(1, room))
        return self._tokenizer.post_process(read[0], read[1] if len(read) == 2 else None)

    def _inputs(self, encodings: Sequence[Encoding]) -> dict[str, NDArray[Any]]:
        rows = {
            "input_ids": padded([each.ids for each in encodings], self.configuration.padding, self._tokens),
            "attention_mask": padded([each.attention_mask for each in encodings], least=self._tokens),
            "token_type_ids": padded([each.type_ids for each in encodings], least=self._tokens),
        }
        return {name: row.astype(self._kinds.get(name, np.int64)) for name, row in rows.items()}


def _kinds(model: InferenceSession) -> dict[str, type[np.generic]]:
    """The inputs of a graph, and the kind of number that each takes. Raises NotInstalled."""
    given = {each.name: each.type for each in model.get_inputs()}
    if strange := [name for name in given if name not in INPUTS]:
        raise NotInstalled(
            worded(
                "The graph asks for {inputs}: SVQ runs models that read tokens alone, such as those with the "
                "layout of BERT.",
                inputs=", ".join(strange[:3]),
            )
        )
    if "input_ids" not in given or not set(given.values()) <= set(KINDS):
        raise NotInstalled(NO_WHOLE_NUMBERS)
    return {name: KINDS[kind] for name, kind in given.items()}


def _made_for(model: InferenceSession) -> tuple[int, int]:
    """The number of texts and of tokens that a graph always reads, 0 where it reads any number."""
    shape = [*next(each.shape for each in model.get_inputs() if each.name == "input_ids"), None, None]
    texts, tokens = (size if isinstance(size, int) and size > 0 else 0 for size in shape[:2])
    if tokens and tokens < SHORTEST:
        raise NotInstalled(worded("The graph reads {n} tokens of a text, which is too few.", n=tokens))
    return texts, tokens


def _output(model: InferenceSession, configuration: Configuration) -> str:
    """By its usual name, else the one whose shape is that of vectors or of scores. Raises NotInstalled."""
    outputs = model.get_outputs()
    names = [each.name for each in outputs]
    if WHOLE in names:
        return WHOLE
    if configuration.whole:
        raise NotInstalled(
            worded(
                "{file} names layers behind the pooling, and the graph has no output “{output}”: SVQ would "
                "leave these layers out.",
                file="modules.json",
                output=WHOLE,
            )
        )
    if usual := next((name for name in (*TOKENS, SCORES) if name in names), ""):
        return usual
    for dimensions in (3, 2) if configuration.pooling else (2, 1):
        fitting = [each.name for each in outputs if each.type in FLOATS and len(each.shape) == dimensions]
        if len(fitting) == 1:
            return str(fitting[0])
    if len(names) == 1:
        return str(names[0])
    raise NotInstalled(
        worded(
            "The graph has the outputs {names}, and nothing tells which one to take. Name one “{output}”.",
            names=", ".join(names[:8]),
            output=TOKENS[0] if configuration.pooling else SCORES,
        )
    )
