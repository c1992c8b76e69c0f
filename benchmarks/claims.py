"""What the check of claims lets through: contradictions and restatements that code made, and
pairs that people judged.

    SVQ_BENCH_DATA=folder SVQ_BENCH_ENTAILMENT=name python benchmarks/claims.py [kind ...]

The sample documents are always used; the folder adds filings, encyclopedia articles and judged pairs. An
installed model of entailment that is named reads judged pairs too, beside the rules and by itself.
Named kinds are shown with examples of what goes wrong.
"""

import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "svq_site.settings")

from benchmarks.perturbations import corpora, labelled, tables
from benchmarks.perturbations.pairs import Pair
from benchmarks.perturbations.registry import KINDS
from citations.support import check_support
from citations.tally import Tally
from providers.local_models import store
from providers.local_models.cross_encoder import LocalEntailment
from providers.local_models.roles import LocalRole
from providers.protocols import Entailment

PER_KIND = 60  # pairs of each kind and corpus, at most
PER_SET = 300  # judged pairs of each collection
PER_SET_OF_MODEL = 100  # of them, for a model of entailment: it takes some 50 ms each
SEED = 8
NATURAL = Path(__file__).parent / "natural_claims"


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    kind: str
    faithful: bool
    held_back: bool  # the kind or the corpus was kept from those who wrote the rules
    corpus: str
    pair: Pair
    support: str
    reason: str

    @property
    def is_wrong(self) -> bool:
        return (self.support == "supported") != self.faithful


def run() -> dict[str, Any]:
    folder = data_folder()
    found = list(checked(corpora.read(folder), frozenset()))
    by_set = labelled.by_set(folder, PER_SET) if folder else {}
    sets = {"list of short claims": labelled.by_hand(), **by_set}
    return natural() | table(found) | judged(sets) | with_model(sets, named_model())


def natural() -> dict[str, Any]:
    """Pairs in natural prose, half of them subtly false: those by which the rules were written, and those
    that were kept from that; and how often each comparison objected.
    """
    figures: dict[str, Any] = {}
    for name in ("open", "held_out"):
        tally = Tally()
        for line in (NATURAL / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            tally.add(row["supported"], check_support(row["claim"], row["quote"], row["context"]))
        shown = f"natural prose, {name.replace('_', ' ')}"
        figures |= {f"{shown}: {words}": told for words, told in tally.lines()}
        figures |= {f"{shown}: objections, {words}": told for words, told in tally.comparisons()}
    return figures


def data_folder() -> Path | None:
    root = os.environ.get("SVQ_BENCH_DATA")
    return Path(root) if root and Path(root).is_dir() else None


def checked(sources: Sequence[corpora.Corpus], only: frozenset[str]) -> Iterator[Checked]:
    """Every pair with what the check says of it."""
    for name, faithful, held_back, corpus, pair in made(sources, only):
        result = check_support(pair.claim, pair.quote, pair.context)
        yield Checked(
            kind=name,
            faithful=faithful,
            held_back=held_back,
            corpus=corpus,
            pair=pair,
            support=result.support,
            reason=result.reason,
        )


def made(
    sources: Sequence[corpora.Corpus], only: frozenset[str]
) -> Iterator[tuple[str, bool, bool, str, Pair]]:
    """Kind, whether it is faithful, whether kind or corpus is held back, the corpus, and the pair."""
    for kind in KINDS:
        for corpus in sources if not only or kind.name in only else ():
            pairs = (kind.make(s, Random(f"{SEED} {kind.name} {s.text}")) for s in corpus.sentences)
            for pair in islice(filter(None, pairs), PER_KIND):
                yield kind.name, kind.faithful, kind.held_back or corpus.held_back, corpus.name, pair
    for corpus in sources:
        counts: dict[str, int] = defaultdict(int)
        for name, faithful, pair in tables.claims(corpus.rows, Random(SEED)):
            counts[name] += 1
            if counts[name] <= PER_KIND and (not only or name in only):
                yield name, faithful, False, corpus.name, pair


def table(found: Iterable[Checked]) -> dict[str, Any]:
    """The green share of each kind, and of all that was held back."""
    groups: dict[str, list[Checked]] = defaultdict(list)
    for one in found:
        group = "restatement" if one.faithful else "contradiction"
        groups[f"{group}: {one.kind}"].append(one)
        if one.held_back:
            groups[f"{group}, all that was held back"].append(one)
        groups[f"{group}, all in {one.corpus}"].append(one)
        groups[f"{group}, all"].append(one)
    return {name: green(ones) for name, ones in sorted(groups.items())}


def green(ones: Sequence[Checked]) -> str:
    return f"{100 * share(ones):.1f} % of {len(ones)}"


def share(ones: Sequence[Checked]) -> float:
    return sum(one.support == "supported" for one in ones) / len(ones)


def judged(sets: Mapping[str, Sequence[labelled.Judged]]) -> dict[str, Any]:
    """What the check says of each collection that people judged: of supported claims, and of the others."""
    figures: dict[str, Any] = {}
    for name, ones in sets.items():
        tally = Tally()
        for one in ones:
            tally.add(one.supported, check_support(one.pair.claim, one.pair.quote))
        figures |= {f"judged by people: {name}: {words}": told for words, told in tally.lines()}
    return figures


def named_model() -> Entailment | None:
    name = os.environ.get("SVQ_BENCH_ENTAILMENT")
    return LocalEntailment(store.matching(LocalRole.ENTAILMENT, name)[0]) if name else None


def with_model(sets: Mapping[str, Sequence[labelled.Judged]], model: Entailment | None) -> dict[str, Any]:
    """Of the first judged pairs of each collection: what is green by the rules, by the model, by both."""
    figures: dict[str, Any] = {}
    if model is None:
        return figures
    for name, ones in sets.items():
        asked = ones[:PER_SET_OF_MODEL]
        rules = [check_support(one.pair.claim, one.pair.quote).support == "supported" for one in asked]
        follows = [model.opinion(one.pair.quote, one.pair.claim).agrees for one in asked]
        both = [a and b for a, b in zip(rules, follows, strict=True)]
        for by, greens in (("rules", rules), ("model", follows), ("both", both)):
            figures[f"judged by people, {by}: {name}"] = balanced([one.supported for one in asked], greens)
    return figures


def balanced(supported: Sequence[bool], greens: Sequence[bool]) -> str:
    """Balanced accuracy where there are both kinds of pairs, and the green share of each."""
    of = {
        kind: [green for green, truth in zip(greens, supported, strict=True) if truth == kind]
        for kind in (True, False)
    }
    shares = {kind: sum(ones) / len(ones) for kind, ones in of.items() if ones}
    told = ", ".join(
        f"{100 * share:.1f} % of {len(of[kind])} {'supported' if kind else 'not supported'}"
        for kind, share in shares.items()
    )
    accuracy = f"{(shares[True] + 1 - shares[False]) / 2:.2f}; " if len(shares) == 2 else ""
    return f"{accuracy}green: {told}"


def main() -> None:
    """Prints the named kinds, with what goes wrong."""
    found = list(checked(corpora.read(data_folder()), frozenset(sys.argv[1:])))
    for name, share in table(found).items():
        print(f"{name}: {share}")
    for one in found:
        if one.is_wrong:
            print(f"\n{one.kind} ({one.corpus}): {one.reason or one.support}")
            print(f"  {one.pair.quote}\n  {one.pair.claim}")


if __name__ == "__main__":
    main()
