"""Reads what a GGUF file says of its model, and believes none of its numbers.

The layout: github.com/ggml-org/ggml, docs/gguf.md. A file that lies about a length ends the reading with
words, before anything of that length is asked for.
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from localization.sentences import Sentence, worded
from providers.protocols import ProviderError

MAGIC, VERSIONS = b"GGUF", (2, 3)
MOST_KEYS, MOST_TENSORS = 10_000, 50_000
LONGEST_NAME, LONGEST_TEXT = 65_535, 4 * 1024**2  # bytes; the longest text is a chat template
MOST_ELEMENTS = 2_000_000  # of a list: vocabularies have some 300,000 words
KEPT_ELEMENTS = 1_000  # lists of numbers that are longer are vocabularies, which nobody asks for
LARGEST_HEADER = 256 * 1024**2  # bytes
MOST_DIMENSIONS = 4
LARGEST = 2**31  # of any number that the shape of a model is computed from
NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
TEXT, LIST = 8, 9
NO_CONVERSATION = ("clip", "bert", "nomic-bert", "jina-bert-v2", "t5encoder")  # they write nothing
IMPOSSIBLE = worded("The file names impossible numbers for the parts of its model.")
BYTES_OF_NUMBER = 2  # in the memory of a conversation, which llama.cpp keeps with 16 bits


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What SVQ needs to know before it runs a model.

    context: how many tokens it was made to read at once. kv_bytes: memory for each token of a conversation.
    size: bytes of the file.
    """

    architecture: str
    name: str
    context: int
    kv_bytes: int
    size: int


def read(path: Path) -> Header:
    """Raises ProviderError, in words, for a file that is damaged or no language model."""
    size = path.stat().st_size
    with path.open("rb") as file:
        try:
            told = _Reader(file, size).metadata()
        except (struct.error, UnicodeDecodeError, EOFError) as error:
            raise _damaged(path, worded("it ends in the middle of its header")) from error
        except _Impossible as error:
            raise _damaged(path, error.why) from error
    return _header(told, path, size)


class _Impossible(Exception):
    """What no such file says. why: for the end of a sentence."""

    def __init__(self, why: Sentence) -> None:
        super().__init__(why)
        self.why = why


def _damaged(path: Path, why: Sentence) -> ProviderError:
    return ProviderError(worded("{name} is damaged or is no GGUF file: {why}.", name=path.name, why=why))


def _header(told: Mapping[str, Any], path: Path, size: int) -> Header:
    architecture = told.get("general.architecture")
    if not isinstance(architecture, str) or not architecture:
        raise _damaged(path, worded("it does not name its architecture"))
    if architecture in NO_CONVERSATION or f"{architecture}.pooling_type" in told:
        raise ProviderError(
            worded(
                "{name} ({architecture}) is not a model that writes.",
                name=path.name,
                architecture=architecture,
            )
        )
    if _number(told, "split.count") > 1:
        raise ProviderError(
            worded("{name} is one of several parts. SVQ runs models of a single file.", name=path.name)
        )
    if not told.get("tokenizer.chat_template"):
        raise ProviderError(
            worded(
                "{name} has no chat template: it was not made to answer questions. Take the model's "
                "“instruct” or “it” version.",
                name=path.name,
            )
        )
    layers, context = (_number(told, f"{architecture}.{name}") for name in ("block_count", "context_length"))
    if not layers or not context:
        raise _damaged(path, worded("it does not say how many layers it has or how much it reads"))
    return Header(
        architecture=architecture[:60],
        name=str(told.get("general.name") or "")[:200],
        context=context,
        kv_bytes=_kv_bytes(told, architecture, layers),
        size=size,
    )


def _kv_bytes(told: Mapping[str, Any], architecture: str, layers: int) -> int:
    """Each layer keeps a key and a value for each of its heads. At most: some layers keep less."""
    heads = told.get(f"{architecture}.attention.head_count", 1)
    most = max(heads) if isinstance(heads, list) and heads else heads
    width = _number(told, f"{architecture}.embedding_length") // max(1, most if isinstance(most, int) else 1)
    key = _number(told, f"{architecture}.attention.key_length") or width
    value = _number(told, f"{architecture}.attention.value_length") or width
    kept = told.get(f"{architecture}.attention.head_count_kv", heads)
    of_layers = kept if isinstance(kept, list) else [kept] * min(layers, KEPT_ELEMENTS)
    if not all(isinstance(each, int) and 0 <= each < LARGEST for each in of_layers):
        raise ProviderError(IMPOSSIBLE)
    return sum(of_layers) * (key + value) * BYTES_OF_NUMBER


def _number(told: Mapping[str, Any], name: str) -> int:
    """0 where there is none."""
    value = told.get(name)
    if isinstance(value, list):
        value = max((each for each in value if isinstance(each, int)), default=0)
    return value if isinstance(value, int) and 0 <= value < LARGEST else 0


class _Reader:
    """Raises _Impossible, EOFError, struct.error, UnicodeDecodeError."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file, self._size = file, size

    def metadata(self) -> dict[str, Any]:
        """All values but long lists. The places of the weights are looked at too."""
        if self._file.read(4) != MAGIC:
            raise _Impossible(worded("it does not begin as such a file does"))
        version = self._one("I")
        if version not in VERSIONS:
            raise _Impossible(worded("its version is {version}, and SVQ knows 2 and 3", version=version))
        tensors, keys = self._one("Q"), self._one("Q")
        if keys > MOST_KEYS or not 0 < tensors <= MOST_TENSORS:
            raise _Impossible(
                worded(
                    "it announces {keys} settings and {tensors} groups of weights", keys=keys, tensors=tensors
                )
            )
        told = {self._text(LONGEST_NAME): self._value(self._one("I")) for _ in range(keys)}
        furthest = max(self._tensor() for _ in range(tensors))
        if self._file.tell() + furthest > self._size:
            raise _Impossible(
                worded("its weights end before they should, as after a transfer that broke off")
            )
        return told

    def _tensor(self) -> int:
        """Where its weights begin, counted from the end of the header."""
        self._text(LONGEST_NAME)
        dimensions = self._one("I")
        if dimensions > MOST_DIMENSIONS:
            raise _Impossible(worded("a group of weights has {n} dimensions", n=dimensions))
        self._file.read(8 * dimensions + 4)
        offset: int = self._one("Q")
        return offset

    def _value(self, kind: int) -> Any:
        if kind == TEXT:
            return self._text(LONGEST_TEXT)
        if kind == LIST:
            return self._list(self._one("I"), self._one("Q"))
        return self._one(NUMBERS.get(kind, ""))

    def _list(self, kind: int, length: int) -> list[Any]:
        if length > MOST_ELEMENTS or kind == LIST:
            raise _Impossible(worded("it announces a list of {n}", n=length))
        if kind == TEXT:
            for _ in range(length):
                self._skip(self._one("Q"))
            return []
        code = NUMBERS.get(kind, "")
        if length > KEPT_ELEMENTS:
            self._skip(struct.calcsize(f"<{code}") * length)
            return []
        return [self._one(code) for _ in range(length)]

    def _text(self, most: int) -> str:
        length = self._one("Q")
        if length > most:
            raise _Impossible(worded("it announces a text of {n} bytes", n=length))
        return self._bytes(length).decode()

    def _one(self, code: str) -> Any:
        if not code:
            raise _Impossible(worded("it has a value of an unknown kind"))
        (value,) = struct.unpack(f"<{code}", self._bytes(struct.calcsize(f"<{code}")))
        return value

    def _bytes(self, length: int) -> bytes:
        read = self._file.read(length)
        if len(read) < length:
            raise EOFError
        return read

    def _skip(self, length: int) -> None:
        there = self._file.tell() + length
        if there > min(self._size, LARGEST_HEADER):
            raise EOFError
        self._file.seek(there)
