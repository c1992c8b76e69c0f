"""Documents that answer one question differently: how many pairs are shown, and how many false alarms.

SVQ_BENCH_READER_URL and SVQ_BENCH_READER_MODEL name a model that looks at each pair as the second reader.
"""

import asyncio
import json
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "svq_site.settings")
django.setup()  # before the rows of the chat are imported

from answering.differing.akin import Akin, share_a_name  # noqa: E402
from answering.differing.governs import Place, governing  # noqa: E402
from answering.differing.second_look import second_look  # noqa: E402
from answering.differing.sides import Sides, differing, excerpt_of  # noqa: E402
from answering.extractive.candidates import Candidate, Passage, candidates  # noqa: E402
from english.contracts.amendments import BEGINNING  # noqa: E402
from providers.minilm.loaded import local_embedder  # noqa: E402
from providers.openai.structured import OpenAIStructured  # noqa: E402
from providers.protocols import ProviderError  # noqa: E402

PAIRS = Path(__file__).parent / "differing_documents"
SETS = ("open", "other_fields", "held_out")
PATIENCE = 600.0  # seconds for a call


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    question: str
    one: tuple[Candidate, ...]
    other: tuple[Candidate, ...]
    third: tuple[Candidate, ...]  # of one of the two documents
    differs: bool
    values: tuple[str, str]
    ranks: str  # words that say which document governs; empty without such


def run() -> dict[str, Any]:
    """The figures by their names, for the report."""
    figures: dict[str, Any] = {}
    address, name = os.environ.get("SVQ_BENCH_READER_URL", ""), os.environ.get("SVQ_BENCH_READER_MODEL", "")
    for each in SETS:
        pairs = pairs_of(each)
        akin = _akin(pairs)
        found = [_sides(pair, akin) for pair in pairs]
        sure = [sides if sides and sides.sure else None for sides in found]
        figures |= _figures(each, "code alone", pairs, sure) | _ranked(each, pairs)
        if address:
            model = OpenAIStructured(address, os.environ.get("SVQ_BENCH_READER_KEY", ""), name, PATIENCE)
            begun = time.monotonic()
            looked = asyncio.run(_looked(model, pairs, found))
            figures |= _figures(each, f"and {Path(name).stem}", pairs, looked)
            asked = sum(sides is not None and not sides.sure for sides in found)
            took = (time.monotonic() - begun) / max(asked, 1)
            figures[f"{each}: {Path(name).stem}, cost"] = f"asked about {asked}, {took:.1f} s each"
    return figures


def pairs_of(name: str) -> list[Pair]:
    lines = (PAIRS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [
        Pair(
            question=row["question"],
            one=_parts("c1", row["a"]),
            other=_parts("c2", row["b"]),
            third=_parts("c3", row["c"]) if "c" in row else (),
            differs=row["differs"],
            ranks=row.get("ranks", ""),
            values=(row.get("a_value", ""), row.get("b_value", "")),
        )
        for row in map(json.loads, lines)
    ]


def _ranked(name: str, pairs: Sequence[Pair]) -> dict[str, Any]:
    """How often the sentence that ranks two documents is found, and one where there is none."""
    right = wrong = 0
    for pair in pairs:
        parts = [*pair.one, *pair.other, *pair.third]
        places = [Place(title=part.passage.document, text=part.text) for part in parts]
        sides = [Place(title=some[0].passage.document, text=some[0].text) for some in (pair.one, pair.other)]
        number = governing(sides, places)
        right += number is not None and bool(pair.ranks) and _overlap(pair.ranks, places[number].text)
        wrong += number is not None and not pair.ranks
    ranked = sum(bool(pair.ranks) for pair in pairs)
    return {
        f"{name}: the sentence that ranks the two is found": f"{right} of {ranked}",
        f"{name}: a sentence is taken for one where there is none": f"{wrong} of {len(pairs) - ranked}",
    }


def _overlap(one: str, other: str) -> bool:
    return " ".join(one.split()) in " ".join(other.split()) or " ".join(other.split()) in " ".join(
        one.split()
    )


def _parts(key: str, row: dict[str, str]) -> tuple[Candidate, ...]:
    return tuple(candidates([Passage(key=key, document=row["title"], text=row["text"], score=0.5)]))


def _akin(pairs: Sequence[Pair]) -> Akin:
    """As an answer asks it, by titles and how documents begin: here, by all that the set has of each."""
    texts: dict[str, list[str]] = {}
    for pair in pairs:
        for part in (*pair.one, *pair.other, *pair.third):
            texts.setdefault(part.passage.document, []).append(part.passage.text)
    told = {title: "\n".join((title, *dict.fromkeys(some)))[:BEGINNING] for title, some in texts.items()}
    return lambda one, other, but: share_a_name(told[one], told[other], but)


def _sides(pair: Pair, akin: Akin) -> Sides | None:
    """As if any sentence of the first document were quoted by the answer."""
    return differing(pair.question, list(product(pair.one, pair.other)), local_embedder(), akin)


async def _looked(
    model: OpenAIStructured, pairs: Sequence[Pair], found: Sequence[Sides | None]
) -> list[Sides | None]:
    """Those of which code is sure, or else the model says that they differ."""
    kept: list[Sides | None] = []
    async with model:
        for pair, sides in zip(pairs, found, strict=True):
            stands = sides is not None and sides.sure
            if sides is not None and not stands:
                with suppress(ProviderError):
                    stands, _ = await second_look(model, pair.question, *map(excerpt_of, sides.both))
            kept.append(sides if stands else None)
    return kept


def _figures(name: str, by: str, pairs: Sequence[Pair], shown: Sequence[Sides | None]) -> dict[str, Any]:
    both = list(zip(pairs, shown, strict=True))
    differ = [each for each in both if each[0].differs]
    agree = [each for each in both if not each[0].differs]
    right = sum(_is_right(pair, sides) for pair, sides in differ if sides)
    return {
        f"{name}: {by}, shown": f"{_count(differ)} of {len(differ)}, {right} of them with the right values",
        f"{name}: {by}, false alarms": f"{_count(agree)} of {len(agree)}",
    }


def _count(some: Sequence[tuple[Pair, Sides | None]]) -> int:
    return sum(sides is not None for _, sides in some)


def _is_right(pair: Pair, sides: Sides) -> bool:
    """Whether the values are those that a person marked, or stand within them."""
    stated = [part.text[start:end] for part, (start, end) in zip(sides.both, sides.how.spans, strict=True)]
    return all(value in found or found in value for value, found in zip(pair.values, stated, strict=True))
