"""The run: blocks of examples, AdamW in bfloat16 with float copies, and a checkpoint after each."""

import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

import torch
from safetensors.numpy import save_file
from tokenizers import Tokenizer
from torch.nn import functional

from providers.minilm.packing import packed
from tools.train_reader import curves
from tools.train_reader.batches import Batch, batches
from tools.train_reader.examples import Example
from tools.train_reader.network import Reader, of_embedder
from tools.train_reader.plan import BLOCK, Plan

RATE = 2e-4
WARM_UP = 1.0  # blocks
COOLING = 0.25  # the last share of a run, in which the rate falls to nothing
DECAY, CLIP = 0.01, 1.0
CURVE_EVERY = 4  # blocks
SUPPORT_LOSS = 0.7  # what a claim counts beside a question
OUT = -1e4


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """folder: of checkpoints. blocks: in all, those of an earlier run that is gone on with included."""

    folder: Path
    plan: Plan
    unseen: Mapping[str, Sequence[Example]]
    tokenizer: Tokenizer
    weights: Path  # of the embedder
    blocks: int
    device: str = "cpu"
    say: Callable[[str], None] = print

    def go(self) -> Reader:
        """Trains from the last checkpoint on to the end; gives the network in float."""
        master = of_embedder(self.weights, self.plan.seed).to(self.device)
        reader = of_embedder(self.weights, self.plan.seed).to(self.device, torch.bfloat16)
        pairs = list(zip(master.trained(), reader.trained(), strict=True))
        optimizer = torch.optim.AdamW([own for own, _ in pairs], RATE, weight_decay=DECAY, fused=True)
        first = self._resume(master, optimizer)
        _copy(pairs)
        for number in range(first, self.blocks):
            begun = time.monotonic()
            loss = self._block(number, reader, pairs, optimizer)
            last = number + 1 == self.blocks
            pace = BLOCK / (time.monotonic() - begun)
            self.say(f"block {number + 1} of {self.blocks}: loss {loss:.4f}, {pace:.0f} examples a second")
            self._keep(number + 1, master, optimizer)
            if (number + 1) % CURVE_EVERY == 0 or last:
                self._curve(number + 1, reader, master)
        self._write(master, "reader")
        return master

    def _block(
        self,
        number: int,
        reader: Reader,
        pairs: Sequence[tuple[torch.nn.Parameter, torch.nn.Parameter]],
        optimizer: torch.optim.Optimizer,
    ) -> float:
        parts = list(batches(self.tokenizer, self.plan.block(number)))
        Random(number).shuffle(parts)
        losses = []
        for place, batch in enumerate(parts):
            rate = self._rate(number + place / len(parts))
            for group in optimizer.param_groups:
                group["lr"] = rate
            loss = loss_of(reader, batch)
            loss.backward()
            for own, shown in pairs:
                own.grad = None if shown.grad is None else shown.grad.float()
                shown.grad = None
            torch.nn.utils.clip_grad_norm_([own for own, _ in pairs], CLIP)
            optimizer.step()
            _copy(pairs)
            losses.append(float(loss.detach()))
        return sum(losses) / len(losses)

    def _rate(self, block: float) -> float:
        """Rises, stays, and falls as a cosine does in the end."""
        rising = min(1.0, (block + 0.02) / WARM_UP)
        falling = max(0.0, (block / self.blocks - (1 - COOLING)) / COOLING)
        return RATE * rising * (0.02 + 0.98 * (1 + math.cos(math.pi * falling)) / 2)

    def _curve(self, number: int, reader: Reader, master: Reader) -> None:
        """Measured on unseen sources; what does best there is kept as the file to hand on."""
        measured = curves.measure(reader, self.tokenizer, self.unseen)
        told = {name: round(value, 4) for name, value in measured.items()}
        curve = self.folder / "curves.jsonl"
        before = curve.read_text(encoding="utf-8").splitlines() if curve.exists() else []
        best = max((json.loads(line)["mean"] for line in before), default=0.0)
        line = json.dumps({"examples": number * BLOCK, **told})
        self.say(line)
        curve.write_text("\n".join([*before, line]) + "\n", encoding="utf-8")
        if told["mean"] > best:
            self._write(master, "best")

    def _write(self, master: Reader, name: str) -> None:
        """The file that SVQ reads: layers and heads of its own, but for that of claims."""
        arrays = {
            name: value.detach().cpu().numpy()
            for name, value in master.named_parameters()
            if value.requires_grad and not name.startswith("supports")
        }
        save_file(packed(arrays), self.folder / f"{name}.safetensors")

    def _keep(self, number: int, master: Reader, optimizer: torch.optim.Optimizer) -> None:
        falls = number > self.blocks * (1 - COOLING)
        state = {
            "block": number,
            "ends": self.blocks if falls else 0,
            "reader": master.state_dict(),
            "optimizer": optimizer.state_dict(),
        }
        for name in ("last",) if falls else ("last", "before_falling"):
            torch.save(state, self.folder / f"{name}.part")
            (self.folder / f"{name}.part").replace(self.folder / f"{name}.pt")

    def _resume(self, master: Reader, optimizer: torch.optim.Optimizer) -> int:
        """The number of the block that is due. A longer run goes on from before the rate fell."""
        path = self.folder / "last.pt"
        if not path.exists():
            return 0
        state = torch.load(path, map_location=self.device, weights_only=True)
        if state["ends"] not in (0, self.blocks):
            state = torch.load(self.folder / "before_falling.pt", map_location=self.device, weights_only=True)
        master.load_state_dict(state["reader"])
        optimizer.load_state_dict(state["optimizer"])
        return int(state["block"])


def loss_of(reader: Reader, batch: Batch) -> torch.Tensor:
    """Cross-entropy: of the right sentences together, or of "none", among all; of a claim's class."""
    on = partial(torch.as_tensor, device=reader.words.weight.device)
    scores, supports = reader(on(batch.ids), on(batch.types), on(batch.sentence))
    label = on(batch.label)
    scores = scores.masked_fill(on(batch.left_out), OUT)
    right = scores.masked_fill(~on(batch.right), OUT)
    lacking = scores.logsumexp(1) - right.logsumexp(1)
    claims = functional.cross_entropy(supports, label.clamp(min=0), reduction="none")
    return torch.where(label < 0, lacking, SUPPORT_LOSS * claims).mean()


def _copy(pairs: Sequence[tuple[torch.nn.Parameter, torch.nn.Parameter]]) -> None:
    with torch.no_grad():
        for own, shown in pairs:
            shown.copy_(own)
