"""Trains the reader, or goes on with it; README.md has the command."""

import argparse
from pathlib import Path

import torch
from tokenizers import Tokenizer

from tools.train_reader import examples
from tools.train_reader.plan import Plan
from tools.train_reader.training import Run

SEED = 16


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder of answers_*.jsonl.gz and support_*.jsonl.gz")
    parser.add_argument("--embedder", type=Path, required=True, help="folder with model.safetensors")
    parser.add_argument("--checkpoints", type=Path, required=True)
    parser.add_argument("--blocks", type=int, default=150, help="of 2,048 examples, in all")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    options.checkpoints.mkdir(parents=True, exist_ok=True)
    learned = examples.read(options.data, [*examples.ANSWERS, *examples.SUPPORTS])
    for name, some in learned.items():
        print(f"{name}: {len(some):,}", flush=True)
    unseen = examples.read(options.data, [*examples.UNSEEN_ANSWERS, *examples.UNSEEN_SUPPORTS])
    tokenizer = Tokenizer.from_file(str(options.embedder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    Run(
        folder=options.checkpoints,
        plan=Plan(sets=learned, seed=SEED),
        unseen=unseen,
        tokenizer=tokenizer,
        weights=options.embedder / "model.safetensors",
        blocks=options.blocks,
        device=options.device,
        say=lambda line: print(line, flush=True),
    ).go()


main()
