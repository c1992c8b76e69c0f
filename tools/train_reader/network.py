"""The network: all-MiniLM-L6-v2 with its embeddings and lower layers frozen, and heads over the mean of the
question's tokens and of each sentence's.
"""

from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

HIDDEN, HEADS, WIDE, LAYERS = 384, 12, 1536, 6
FROZEN = 2  # layers, and the embeddings
CLASSES = 3


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(HIDDEN, 3 * HIDDEN)
        self.dense = nn.Linear(HIDDEN, HIDDEN)
        self.attended = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.wide = nn.Linear(HIDDEN, WIDE)
        self.narrow = nn.Linear(WIDE, HIDDEN)
        self.output = nn.LayerNorm(HIDDEN, eps=1e-12)

    def forward(self, hidden: Tensor, penalty: Tensor) -> Tensor:
        rows, length, _ = hidden.shape
        projected = self.qkv(hidden).view(rows, length, 3, HEADS, HIDDEN // HEADS)
        query, key, value = projected.permute(2, 0, 3, 1, 4)
        # Written out: on processors it is quicker than the fused one at these lengths.
        shares = torch.softmax((query * (HIDDEN // HEADS) ** -0.5) @ key.transpose(-1, -2) + penalty, -1)
        mixed = (shares @ value).transpose(1, 2).reshape(rows, length, HIDDEN)
        hidden = self.attended(hidden + self.dense(mixed))
        return self.output(hidden + self.narrow(functional.gelu(self.wide(hidden))))


class Reader(nn.Module):
    """The heads. none: the score of "no sentence answers"; answers: of a sentence; supports: of a claim."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(30522, HIDDEN)
        self.positions = nn.Embedding(512, HIDDEN)
        self.types = nn.Embedding(2, HIDDEN)
        self.normal = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.layers = nn.ModuleList([Layer() for _ in range(LAYERS)])
        self.none = nn.Linear(HIDDEN, 1)
        self.answers = nn.Linear(HIDDEN, 1)
        self.supports = nn.Linear(2 * HIDDEN, CLASSES)

    def forward(self, ids: Tensor, types: Tensor, sentence: Tensor) -> tuple[Tensor, Tensor]:
        """Scores of "none" and of each sentence, (n, 1 + sentences); of the classes of support, (n, 3)."""
        with torch.no_grad():
            places = self.positions(torch.arange(ids.shape[1], device=ids.device))
            hidden = self.normal(self.words(ids) + places + self.types(types))
            penalty = ((ids == 0)[:, None, None, :] * -1e4).to(hidden.dtype)
            for layer in self.layers[:FROZEN]:
                hidden = layer(hidden, penalty)
        for layer in self.layers[FROZEN:]:
            hidden = layer(hidden, penalty)
        numbers = torch.arange(max(1, int(sentence.max())) + 1, device=ids.device)
        own = (sentence[:, None, :] == numbers[None, :, None]).to(hidden.dtype)
        means = (own @ hidden) / own.sum(-1, keepdim=True).clamp(min=1)
        scores = torch.cat([self.none(means[:, :1]), self.answers(means[:, 1:])], 1)[..., 0]
        return scores.float(), self.supports(means[:, :2].flatten(1)).float()

    def trained(self) -> list[nn.Parameter]:
        """Freezes what is shared with the embedder, and gives the rest."""
        for part in (self.words, self.positions, self.types, self.normal, *self.layers[:FROZEN]):
            part.requires_grad_(False)
        return [value for value in self.parameters() if value.requires_grad]


def of_embedder(weights: Path, seed: int) -> Reader:
    """The embedder's weights with new heads."""
    torch.manual_seed(seed)
    reader, given = Reader(), {name: value.float() for name, value in load_file(weights).items()}
    own = reader.state_dict()
    own["words.weight"] = given["embeddings.word_embeddings.weight"]
    own["positions.weight"] = given["embeddings.position_embeddings.weight"]
    own["types.weight"] = given["embeddings.token_type_embeddings.weight"]
    names = {"normal": "embeddings.LayerNorm"}
    for number in range(LAYERS):
        layer = f"encoder.layer.{number}"
        names |= {
            f"layers.{number}.dense": f"{layer}.attention.output.dense",
            f"layers.{number}.attended": f"{layer}.attention.output.LayerNorm",
            f"layers.{number}.wide": f"{layer}.intermediate.dense",
            f"layers.{number}.narrow": f"{layer}.output.dense",
            f"layers.{number}.output": f"{layer}.output.LayerNorm",
        }
        for kind in ("weight", "bias"):
            parts = [given[f"{layer}.attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
            own[f"layers.{number}.qkv.{kind}"] = torch.cat(parts)
    for mine, theirs in names.items():
        for kind in ("weight", "bias"):
            own[f"{mine}.{kind}"] = given[f"{theirs}.{kind}"]
    reader.load_state_dict(own)
    return reader
