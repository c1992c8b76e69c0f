"""Claims that people have judged against their evidence: public collections, read from a folder."""

import gzip
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.perturbations.pairs import Pair

SEED = 8
LONGEST = 3000  # characters of evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    pair: Pair
    supported: bool


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
