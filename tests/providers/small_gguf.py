"""Language models of a few thousand random weights, written as GGUF files: llama.cpp runs them, their words
mean nothing.
"""

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

UINT32, INT32, FLOAT32, STRING, ARRAY = 4, 5, 6, 8, 9
ALIGNMENT = 32
WIDTH, HEADS, HIDDEN, CONTEXT = 32, 2, 64, 8192
ORDINARY, CONTROL = 1, 3  # kinds of tokens
END = "<|end|>"
TEMPLATE = (
    "{% for message in messages %}<|{{ message.role }}|>{{ message.content }}<|end|>{% endfor %}<|assistant|>"
)


def language_model(path: Path, **changes: Any) -> Path:
    """`changes`: of what the file says of its model; None leaves it out."""
    told = {key: value for key, value in (_metadata() | changes).items() if value is not None}
    return write(path, told, _weights(len(_tokens())))


def write(path: Path, metadata: Mapping[str, Any], weights: Mapping[str, NDArray[np.float32]]) -> Path:
    header = b"GGUF" + struct.pack("<IQQ", 3, len(weights), len(metadata))
    header += b"".join(_text(key) + _value(value) for key, value in metadata.items())
    data = b""
    for name, array in weights.items():
        shape = array.shape[::-1]
        header += _text(name) + struct.pack(f"<I{len(shape)}Q", len(shape), *shape)
        header += struct.pack("<IQ", 0, len(data))
        data += _padded(array.astype("<f4").tobytes())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_padded(header) + data)
    return path


def _metadata() -> dict[str, Any]:
    tokens = _tokens()
    return {
        "general.architecture": "llama",
        "general.name": "Small",
        "llama.context_length": CONTEXT,
        "llama.embedding_length": WIDTH,
        "llama.block_count": 1,
        "llama.feed_forward_length": HIDDEN,
        "llama.attention.head_count": HEADS,
        "llama.attention.head_count_kv": HEADS,
        "llama.rope.dimension_count": WIDTH // HEADS,
        "llama.attention.layer_norm_rms_epsilon": 1e-5,
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "gpt-2",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": [CONTROL if token == END else ORDINARY for token in tokens],
        "tokenizer.ggml.merges": ["t h"],
        "tokenizer.ggml.eos_token_id": tokens.index(END),
        "tokenizer.ggml.bos_token_id": tokens.index(END),
        "tokenizer.chat_template": TEMPLATE,
    }


def _tokens() -> list[str]:
    """One for each byte, as GPT-2 writes bytes, and the few that a conversation needs."""
    printed = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printed]
    return [*map(chr, printed), *(chr(256 + n) for n in range(len(others))), "th", END]


def _weights(words: int) -> dict[str, NDArray[np.float32]]:
    random = np.random.default_rng(7)

    def drawn(*shape: int) -> NDArray[np.float32]:
        return random.normal(size=shape).astype(np.float32)

    ones = np.ones(WIDTH, np.float32)
    layer = {
        "attn_norm": ones,
        "ffn_norm": ones,
        "attn_q": drawn(WIDTH, WIDTH),
        "attn_k": drawn(WIDTH, WIDTH),
        "attn_v": drawn(WIDTH, WIDTH),
        "attn_output": drawn(WIDTH, WIDTH),
        "ffn_gate": drawn(HIDDEN, WIDTH),
        "ffn_up": drawn(HIDDEN, WIDTH),
        "ffn_down": drawn(WIDTH, HIDDEN),
    }
    spoken = drawn(words, WIDTH)
    spoken[[-1, _tokens().index('"')]] *= 3  # the end, of all and of a text in JSON, is soon at hand
    return {
        "token_embd.weight": drawn(words, WIDTH),
        **{f"blk.0.{name}.weight": array for name, array in layer.items()},
        "output_norm.weight": ones,
        "output.weight": spoken,
    }


def _text(text: str) -> bytes:
    return struct.pack("<Q", len(text.encode())) + text.encode()


def _value(value: Any) -> bytes:
    kind, packed = _packed(value)
    return struct.pack("<I", kind) + packed


def _packed(value: Any) -> tuple[int, bytes]:
    match value:
        case str():
            return STRING, _text(value)
        case float():
            return FLOAT32, struct.pack("<f", value)
        case int():
            return UINT32, struct.pack("<I", value)
        case [str(), *_]:
            return ARRAY, struct.pack("<IQ", STRING, len(value)) + b"".join(map(_text, value))
        case [int(), *_]:
            return ARRAY, struct.pack(f"<IQ{len(value)}i", INT32, len(value), *value)
    raise TypeError(value)


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % ALIGNMENT)
