"""Claims that people have judged against their evidence: a list of our own, and public collections."""

import gzip
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.perturbations.pairs import Pair

BY_HAND = Path(__file__).resolve().parent.parent / "claims_by_hand.jsonl"
SEED = 8
LONGEST = 3000  # characters of evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    pair: Pair
    supported: bool


def by_hand() -> Sequence[Judged]:
    """Short claims of contracts, medicine, finance and lecture notes, most of them nearly right."""
    rows = map(json.loads, BY_HAND.read_text(encoding="utf-8").splitlines())
    return [
        Judged(pair=Pair(claim=row["claim"], quote=row["quote"]), supported=row["supported"]) for row in rows
    ]


def by_set(folder: Path, per_set: int) -> Mapping[str, Sequence[Judged]]:
    """At most `per_set` pairs of each collection, supported and not, by its name."""
    found: dict[str, list[Judged]] = defaultdict(list)
    for path in sorted((folder / "training").glob("support_*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                if len(row["evidence"]) <= LONGEST:
                    pair = Pair(claim=row["claim"], quote=row["evidence"])
                    found[row["set"]].append(Judged(pair=pair, supported=row["label"] == "supported"))
    for pairs in found.values():
        Random(SEED).shuffle(pairs)
    return {name: pairs[:per_set] for name, pairs in found.items()}
