"""Folders of small ONNX models, laid out as on the hub: their words have weights that tests choose."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

WORDS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "who",
    "pays",
    "the",
    "rent",
    "tenant",
    "landlord",
    "does",
    "not",
    "cat",
    "sleeps",
    "query:",
    "word",
    "The",
    "Two",
    "Nobody",
    "900",
    "bridge",
    "school.",
]
COMMIT = "0123456789abcdef0123456789abcdef01234567"


def embedding_model(folder: Path, dimensions: int = 8, *, pooling: str = "", **config: Any) -> Path:
    """Each word has a vector of its own; texts that share words are near."""
    table = np.random.default_rng(1).normal(size=(len(WORDS), dimensions)).astype(np.float32)
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])]
    shape = ["texts", "tokens", dimensions]
    _write(
        folder, nodes, {"table": table}, "last_hidden_state", shape, {"max_position_embeddings": 32, **config}
    )
    if pooling:
        (folder / "1_Pooling").mkdir()
        told = {
            "pooling_mode_mean_tokens": False,
            f"pooling_mode_{pooling}": True,
            "word_embedding_dimension": 8,
        }
        (folder / "1_Pooling/config.json").write_text(json.dumps(told))
    return folder


def scoring_model(folder: Path, weights: Mapping[str, Sequence[float]], labels: Sequence[str] = ()) -> Path:
    """A pair's outputs are the largest that any of its words has; words without weights have -4."""
    outputs = len(next(iter(weights.values())))
    table = np.full((len(WORDS), outputs), -4, np.float32)
    for word, row in weights.items():
        table[WORDS.index(word)] = row
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["words"]),
        helper.make_node("ReduceMax", ["words", "axis"], ["logits"], keepdims=0),
    ]
    constants = {"table": table, "axis": np.array([1], np.int64)}
    named = {"id2label": {str(number): label for number, label in enumerate(labels)}} if labels else {}
    _write(folder, nodes, constants, "logits", ["texts", outputs], {"max_position_embeddings": 32, **named})
    return folder


def graph(
    nodes: Sequence[onnx.NodeProto],
    constants: Mapping[str, Any],
    output: str,
    shape: Sequence[Any],
    *,
    domains: Sequence[str] = (),
) -> onnx.ModelProto:
    """A model that reads tokens and their mask."""
    takes = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"])
        for name in ("input_ids", "attention_mask")
    ]
    gives = [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)]
    weights = [numpy_helper.from_array(value, name) for name, value in constants.items()]
    opsets = [helper.make_opsetid("", 18), *(helper.make_opsetid(domain, 1) for domain in domains)]
    return helper.make_model(
        helper.make_graph(nodes, "small", takes, gives, weights), opset_imports=opsets, ir_version=10
    )


def _write(folder: Path, nodes: Any, constants: Any, output: str, shape: Any, config: dict[str, Any]) -> None:
    folder.mkdir(parents=True)
    (folder / "onnx").mkdir()
    onnx.save(graph(nodes, constants, output, shape), str(folder / "onnx/model.onnx"))
    (folder / "config.json").write_text(json.dumps({"model_type": "bert", "pad_token_id": 0, **config}))
    tokenizer = Tokenizer(models.WordLevel({word: place for place, word in enumerate(WORDS)}, "[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    tokenizer.save(str(folder / "tokenizer.json"))
