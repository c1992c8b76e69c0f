"""How well the reader does on sources that it does not learn from."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer

from tools.train_reader.batches import LONGEST, Batch, batches
from tools.train_reader.examples import UNSEEN_ANSWERS, UNSEEN_SUPPORTS, Example
from tools.train_reader.network import Reader

PER_SET = 200  # examples
SEED = 1


def measure(
    reader: Reader, tokenizer: Tokenizer, sets: Mapping[str, Sequence[Example]], per_set: int = PER_SET
) -> dict[str, float]:
    """first: the share of questions whose best sentence is right. answerable: the area under the curve of
    answered against unanswered. supports: balanced accuracy. mean: of all that.
    """
    told: dict[str, float] = {}
    for name in UNSEEN_ANSWERS:
        some = _some(sets[name], per_set)
        told[f"{name} first"] = _first(reader, tokenizer, [each for each in some if each.right])
        answered, unanswered = with_and_without(some)
        yes, no = sureness(reader, tokenizer, answered), sureness(reader, tokenizer, unanswered)
        told[f"{name} answerable"] = area(yes, no)
    for name in UNSEEN_SUPPORTS:
        some = _some(sets[name], per_set)
        told[f"{name} supports"] = _balanced(reader, tokenizer, some)
    told["mean answers"] = float(np.mean([told[name] for name in told if "first" in name or "able" in name]))
    told["mean supports"] = float(np.mean([told[name] for name in told if "supports" in name]))
    told["mean"] = (told["mean answers"] + told["mean supports"]) / 2
    return told


def with_and_without(some: Sequence[Example]) -> tuple[list[Example], list[Example]]:
    """Passages that answer, and passages that do not: where a set has no such, those without their right
    sentences.
    """
    answered = [each for each in some if each.right]
    unanswered = [each for each in some if not each.right]
    if len(unanswered) < len(answered) / 2:
        cut = [each for each in answered if len(each.sentences) > len(each.right)]
        unanswered = [_without_right(each) for each in cut]
    return answered, unanswered


def _without_right(example: Example) -> Example:
    kept = tuple(text for place, text in enumerate(example.sentences) if place not in example.right)
    return replace(example, sentences=kept, right=frozenset(), left_out=frozenset())


def area(yes: Sequence[float], no: Sequence[float]) -> float:
    """The chance that one of `yes` is above one of `no`."""
    high, low = np.array(yes)[:, None], np.array(no)[None, :]
    return float(((high > low) + 0.5 * (high == low)).mean())


def sureness(reader: Reader, tokenizer: Tokenizer, some: Sequence[Example]) -> list[float]:
    """Of each passage, by how much its best sentence is above "none"."""
    return [float(row[1:].max() - row[0]) for row, _ in _scores(reader, tokenizer, some)]


def _first(reader: Reader, tokenizer: Tokenizer, some: Sequence[Example]) -> float:
    rows = _scores(reader, tokenizer, some)
    return float(np.mean([int(row[1:].argmax()) in example.right for row, example in rows]))


def _balanced(reader: Reader, tokenizer: Tokenizer, some: Sequence[Example]) -> float:
    """The mean share of right ones among the classes that the set has."""
    told: list[int] = []
    labels: list[int] = []
    classes = sorted({example.label for example in some})
    with torch.no_grad():
        for batch in batches(tokenizer, some):
            _, supports = _read(reader, batch)
            told += supports[:, classes].argmax(1).tolist()
            labels += [classes.index(int(label)) for label in batch.label]
    right = np.array(told) == np.array(labels)
    return float(np.mean([right[np.array(labels) == label].mean() for label in range(len(classes))]))


def _scores(
    reader: Reader, tokenizer: Tokenizer, some: Sequence[Example]
) -> list[tuple[NDArray[np.float32], Example]]:
    """Of each example, by length, the score of "none" and of each sentence that was read."""
    told: list[tuple[NDArray[np.float32], Example]] = []
    with torch.no_grad():
        for batch in batches(tokenizer, some):
            scores, _ = _read(reader, batch)
            read = batch.sentence.max(1)
            for row, last, example in zip(scores.cpu().numpy(), read, batch.examples, strict=True):
                told.append((row[: 1 + last], example))
    return told


def _read(reader: Reader, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
    device = reader.words.weight.device
    ids, types, sentence = (
        torch.as_tensor(array, device=device) for array in (batch.ids, batch.types, batch.sentence)
    )
    scores, supports = reader(ids, types, sentence)
    return scores, supports


def _some(examples: Sequence[Example], count: int) -> list[Example]:
    """Some that are read to their end."""
    fitting = [each for each in examples if len(each.asked) + sum(map(len, each.sentences)) < 3 * LONGEST]
    return Random(SEED).sample(fitting, min(count, len(fitting)))
