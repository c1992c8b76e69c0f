"""Writes the ONNX graphs of all-MiniLM-L6-v2, from its published weights, and of the reader made of it.

Runs once for each, as its own process (`python -m providers.minilm.onnx_graph WEIGHTS TARGET [READER]`):
building and quantising a graph takes several hundred megabytes that a process which embeds never holds.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.numpy import load_file

from providers.minilm.packing import unpacked
from providers.minilm.reader import PADDING, QUESTION, SENTENCE

LAYERS, HEADS, HEAD_SIZE, HIDDEN = 6, 12, 32, 384
OPSET, IR_VERSION = 20, 10
MASKED = -10_000.0

Weights = dict[str, NDArray[np.float32]]


class _Graph:
    """Nodes and constants in the order they are needed; every tensor is known by its name."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def constant(self, name: str, value: NDArray[np.generic]) -> str:
        self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def node(self, operator: str, inputs: list[str], output: str, **attributes: Any) -> str:
        self.nodes.append(helper.make_node(operator, inputs, [output], name=output, **attributes))
        return output

    def linear(self, tensor: str, weight: NDArray[np.float32], bias: NDArray[np.float32], output: str) -> str:
        product = self.node(
            "MatMul", [tensor, self.constant(f"{output}.weight", weight.T)], f"{output}.product"
        )
        return self.node("Add", [product, self.constant(f"{output}.bias", bias)], output)

    def normalise(self, tensor: str, weights: Weights, prefix: str, output: str) -> str:
        scale = self.constant(f"{output}.scale", weights[f"{prefix}.LayerNorm.weight"])
        bias = self.constant(f"{output}.bias", weights[f"{prefix}.LayerNorm.bias"])
        return self.node("LayerNormalization", [tensor, scale, bias], output, axis=-1, epsilon=1e-12)


def _embeddings(graph: _Graph, weights: Weights, second: str = "") -> str:
    """Word + position + segment vectors; the segment is the first, so the positions contain it, but for the
    tokens of which the tensor `second`, (n, tokens, 1), is 1.
    """
    words = graph.constant("words", weights["embeddings.word_embeddings.weight"])
    positions = (
        weights["embeddings.position_embeddings.weight"]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    graph.constant("positions", positions)
    graph.node("Gather", [words, "input_ids"], "embeddings.words")
    graph.node("Shape", ["input_ids"], "embeddings.length", start=1, end=2)
    graph.node("Slice", ["positions", "zero", "embeddings.length", "zero"], "embeddings.positions")
    total = graph.node("Add", ["embeddings.words", "embeddings.positions"], "embeddings.sum")
    if second:
        segments = weights["embeddings.token_type_embeddings.weight"]
        other = graph.node("Mul", [second, graph.constant("segment", segments[1] - segments[0])], "segments")
        total = graph.node("Add", [total, other], "embeddings.all")
    return graph.normalise(total, weights, "embeddings", "embeddings")


def _attention(graph: _Graph, weights: Weights, hidden: str, layer: int) -> str:
    """Multi-head self-attention; one multiplication makes queries, keys and values together."""
    prefix, name = f"encoder.layer.{layer}.attention", f"layer{layer}.attention"
    parts = [f"{prefix}.self.{part}" for part in ("query", "key", "value")]
    scale = np.repeat(np.array([HEAD_SIZE**-0.5, 1, 1], np.float32), HIDDEN)
    weight = np.concatenate([weights[f"{part}.weight"] for part in parts]) * scale[:, None]
    bias = np.concatenate([weights[f"{part}.bias"] for part in parts]) * scale
    projected = graph.linear(hidden, weight, bias, f"{name}.qkv")
    split = [f"{name}.{part}" for part in ("q", "k", "v")]
    graph.nodes.append(
        helper.make_node("Split", [projected], [f"{part}.flat" for part in split], axis=-1, num_outputs=3)
    )
    for part, order in zip(split, ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]), strict=True):
        heads = graph.node("Reshape", [f"{part}.flat", "heads_shape"], f"{part}.heads")
        graph.node("Transpose", [heads], part, perm=order)
    scores = graph.node("MatMul", [split[0], split[1]], f"{name}.scores")
    masked = graph.node("Add", [scores, "penalty"], f"{name}.masked")
    shares = graph.node("Softmax", [masked], f"{name}.shares", axis=-1)
    mixed = graph.node("MatMul", [shares, split[2]], f"{name}.mixed")
    joined = graph.node("Transpose", [mixed], f"{name}.joined", perm=[0, 2, 1, 3])
    flat = graph.node("Reshape", [joined, "hidden_shape"], f"{name}.flat")
    output = f"{prefix}.output"
    dense = graph.linear(
        flat, weights[f"{output}.dense.weight"], weights[f"{output}.dense.bias"], f"{name}.dense"
    )
    added = graph.node("Add", [dense, hidden], f"{name}.residual")
    return graph.normalise(added, weights, output, name)


def _feed_forward(graph: _Graph, weights: Weights, hidden: str, layer: int) -> str:
    prefix, name = f"encoder.layer.{layer}", f"layer{layer}"
    inner, outer = f"{prefix}.intermediate.dense", f"{prefix}.output.dense"
    wide = graph.linear(hidden, weights[f"{inner}.weight"], weights[f"{inner}.bias"], f"{name}.wide")
    active = graph.node("Gelu", [wide], f"{name}.active")
    narrow = graph.linear(active, weights[f"{outer}.weight"], weights[f"{outer}.bias"], f"{name}.narrow")
    added = graph.node("Add", [narrow, hidden], f"{name}.residual")
    return graph.normalise(added, weights, f"{prefix}.output", name)


def _pool(graph: _Graph, hidden: str) -> None:
    """The mean over the real tokens, scaled to length 1."""
    graph.node("Unsqueeze", ["mask", "two"], "mask.column")
    graph.node("Mul", [hidden, "mask.column"], "pool.kept")
    graph.node("ReduceSum", ["pool.kept", "one"], "pool.sum", keepdims=0)
    graph.node("LpNormalization", ["pool.sum"], "vectors", axis=-1, p=2)


def float_model(weights: Weights) -> onnx.ModelProto:
    """input_ids and attention_mask, int64 (n, tokens) -> vectors, float32 (n, 384) of length 1."""
    graph = _begun()
    graph.node("Cast", ["attention_mask"], "mask", to=TensorProto.FLOAT)
    _pool(graph, _layers(graph, weights, _embeddings(graph, weights)))
    return _model(graph, ("input_ids", "attention_mask"), "vectors", ["n", HIDDEN])


def reader_model(weights: Weights, own: Weights) -> onnx.ModelProto:
    """input_ids and place, int64 (n, tokens) -> scores, float32 (n,): of the sentence, above "none".

    place: QUESTION and SENTENCE, BETWEEN for what belongs to neither, PADDING. `own`: the reader's layers and
    heads, by the names of tools/train_reader.
    """
    graph = _begun()
    graph.constant("padding", np.array(PADDING, np.int64))
    graph.node("Greater", ["place", "padding"], "mask.real")
    graph.node("Cast", ["mask.real"], "mask", to=TensorProto.FLOAT)
    for name, number in (("question", QUESTION), ("sentence", SENTENCE)):
        graph.constant(f"{name}.number", np.array(number, np.int64))
        graph.node("Equal", ["place", f"{name}.number"], f"{name}.is")
        graph.node("Cast", [f"{name}.is"], f"{name}.flat", to=TensorProto.FLOAT)
        graph.node("Unsqueeze", [f"{name}.flat", "two"], f"{name}.mask")
    graph.node("Sub", ["unit", "question.mask"], "second")
    hidden = _layers(graph, weights | _layers_of(own), _embeddings(graph, weights, "second"))
    answers = _head(graph, own, hidden, "sentence", "answers")
    none = _head(graph, own, hidden, "question", "none")
    graph.node("Sub", [answers, none], "scores")
    return _model(graph, ("input_ids", "place"), "scores", ["n"])


def _head(graph: _Graph, own: Weights, hidden: str, part: str, head: str) -> str:
    """A number of the mean over the tokens of a part, in float: the result of all layers is weighed here."""
    kept = graph.node("Mul", [hidden, f"{part}.mask"], f"{part}.kept")
    total = graph.node("ReduceSum", [kept, "one"], f"{part}.sum", keepdims=0)
    count = graph.node("ReduceSum", [f"{part}.mask", "one"], f"{part}.count", keepdims=0)
    mean = graph.node("Div", [total, count], f"{part}.mean")
    weighed = graph.node(
        "Mul", [mean, graph.constant(f"{head}.weight", own[f"{head}.weight"][0])], f"{head}.each"
    )
    score = graph.node("ReduceSum", [weighed, "one"], f"{head}.total", keepdims=0)
    return graph.node("Add", [score, graph.constant(f"{head}.bias", own[f"{head}.bias"])], head)


def _layers_of(own: Weights) -> Weights:
    """The reader's layers by the names of the embedder's."""
    names = {
        "dense": "attention.output.dense",
        "attended": "attention.output.LayerNorm",
        "wide": "intermediate.dense",
        "narrow": "output.dense",
        "output": "output.LayerNorm",
    }
    told: Weights = {}
    for name, values in own.items():
        if not name.startswith("layers."):
            continue
        _, number, part, kind = name.split(".")
        prefix = f"encoder.layer.{number}"
        if part == "qkv":
            for each, third in zip(("query", "key", "value"), np.split(values, 3), strict=True):
                told[f"{prefix}.attention.self.{each}.{kind}"] = third
        else:
            told[f"{prefix}.{names[part]}.{kind}"] = values
    return told


def _layers(graph: _Graph, weights: Weights, hidden: str) -> str:
    """All layers; the tensor "mask" says which tokens are real."""
    graph.node("Unsqueeze", ["mask", "heads"], "mask.heads")
    graph.node("Sub", ["unit", "mask.heads"], "mask.absent")
    graph.node("Mul", ["mask.absent", "masked"], "penalty")
    for layer in range(LAYERS):
        hidden = _feed_forward(graph, weights, _attention(graph, weights, hidden, layer), layer)
    return hidden


def _begun() -> _Graph:
    """With the constants that every graph needs."""
    graph = _Graph()
    for name, values in {
        "zero": [0],
        "one": [1],
        "two": [2],
        "heads": [1, 2],
        "heads_shape": [0, 0, HEADS, HEAD_SIZE],
        "hidden_shape": [0, 0, HIDDEN],
    }.items():
        graph.constant(name, np.array(values, np.int64))
    graph.constant("unit", np.array(1, np.float32))
    graph.constant("masked", np.array(MASKED, np.float32))
    return graph


def _model(graph: _Graph, inputs: Sequence[str], output: str, shape: list[str | int]) -> onnx.ModelProto:
    tables = [helper.make_tensor_value_info(name, TensorProto.INT64, ["n", "tokens"]) for name in inputs]
    result = helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)
    body = helper.make_graph(graph.nodes, "minilm", tables, [result], list(graph.constants.values()))
    return helper.make_model(body, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)


def write(weights: Path, target: Path, reader: Path | None = None) -> None:
    """Make the int8 graph of the embedder or the reader; `target` appears whole or not at all."""
    given = load_file(weights)
    model = reader_model(given, unpacked(load_file(reader))) if reader else float_model(given)
    part = target.with_suffix(".part")
    with tempfile.TemporaryDirectory() as scratch:
        full = Path(scratch) / "float.onnx"
        onnx.save(model, full)
        # Seven bits a weight: processors without VNNI add pairs of products in 16 bits; eight would overflow.
        quantize_dynamic(full, part, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)
    part.replace(target)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("reader", type=Path, nargs="?")
    arguments = parser.parse_args()
    write(arguments.weights, arguments.target, arguments.reader)
