"""A second reader on claims as people and models write them: how often it says yes, with and without code's
veto.

First an oracle over the real protocol, which is right in 95 of 100 claims by the labels: that measures the
path and no model. SVQ_BENCH_READER_URL and SVQ_BENCH_READER_MODEL name a model server that reads as well, and
SVQ_BENCH_READER_PAIRS how many pairs of each set.
"""

import asyncio
import json
import os
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "svq_site.settings")
django.setup()  # before the rows of the chat are imported

from citations.choices import Support  # noqa: E402
from citations.opinion import Opinion, Says  # noqa: E402
from citations.second_reader import read  # noqa: E402
from citations.settled import Settled, settled  # noqa: E402
from citations.statements import Statement  # noqa: E402
from citations.support import SupportCheck, check_support  # noqa: E402
from providers.openai.structured import OpenAIStructured  # noqa: E402
from providers.protocols import ProviderError, StructuredModel  # noqa: E402
from tests.openai_server import MODEL, ScriptedOpenAI, ScriptedReply, text_reply  # noqa: E402

PAIRS = Path(__file__).parent / "natural_claims"
SETS = ("open", "held_out")
AN_ANSWER = 6  # statements, as many as an answer has
RIGHT = 0.95  # of the oracle
PATIENCE = 600.0  # seconds for a call


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    claim: str
    quote: str
    context: str
    supported: bool


def run() -> dict[str, Any]:
    """The figures by their names, for the report."""
    figures: dict[str, Any] = {}
    address, name = os.environ.get("SVQ_BENCH_READER_URL", ""), os.environ.get("SVQ_BENCH_READER_MODEL", "")
    for each in SETS:
        pairs = pairs_of(each)
        with ScriptedOpenAI(oracle(pairs)) as server:
            figures |= measured(f"{each}: oracle", pairs, OpenAIStructured(server.base_url, "", MODEL))
        if address:
            most = int(os.environ.get("SVQ_BENCH_READER_PAIRS", len(pairs)))
            model = OpenAIStructured(address, os.environ.get("SVQ_BENCH_READER_KEY", ""), name, PATIENCE)
            figures |= measured(f"{each}: {Path(name).stem}", pairs[:most], model)
    return figures


def pairs_of(name: str) -> list[Pair]:
    """In an order by lot that is the same in each run."""
    lines = (PAIRS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    fields = ("claim", "quote", "context", "supported")
    pairs = [Pair(**{field: row[field] for field in fields}) for row in map(json.loads, lines)]
    random.Random(7).shuffle(pairs)
    return pairs


def measured(name: str, pairs: Sequence[Pair], model: StructuredModel) -> dict[str, Any]:
    begun = time.monotonic()
    opinions, calls, failed, tokens = asyncio.run(_opinions(pairs, model))
    took = time.monotonic() - begun
    by_code, alone, together = ([False] * len(pairs) for _ in range(3))
    for place, pair in enumerate(pairs):
        check = check_support(pair.claim, pair.quote, pair.context)
        by_code[place] = check.support == Support.SUPPORTED
        opinion = opinions.get(place)
        alone[place] = opinion is not None and opinion.says == Says.SUPPORTS
        together[place] = _verdict(check, opinion) == Support.SUPPORTED
    told = {
        "usable opinions": f"{len(opinions)} of {len(pairs)}; {failed} of {calls} calls failed",
        "code alone": _green(pairs, by_code),
        "reader alone": _green(pairs, alone),
        "code and reader, with code's veto": _green(pairs, together),
        "cost": f"{took / max(calls, 1):.1f} s and {tokens // max(calls, 1)} tokens for an answer",
    }
    return {f"{name}: {key}": value for key, value in told.items()}


def _verdict(check: SupportCheck, opinion: Opinion | None) -> str:
    if opinion is None:
        return check.support
    against = [each.text for each in check.objections]
    return settled(Settled(support=check.support), against, opinion).support


async def _opinions(
    pairs: Sequence[Pair], model: StructuredModel
) -> tuple[dict[int, Opinion], int, int, int]:
    """By the place of the pair; how many calls, how many of them failed, and tokens of all."""
    opinions: dict[int, Opinion] = {}
    calls = failed = tokens = 0
    async with model:
        for first in range(0, len(pairs), AN_ANSWER):
            some = [
                _statement(place, pairs[place]) for place in range(first, min(first + AN_ANSWER, len(pairs)))
            ]
            calls += 1
            try:
                reading = await read(model, "What do the documents say?", some)
            except ProviderError:
                failed += 1
                continue
            opinions |= reading.opinions
            tokens += reading.usage.tokens
    return opinions, calls, failed, tokens


def _statement(place: int, pair: Pair) -> Statement:
    check = check_support(pair.claim, pair.quote, pair.context)
    sentence = " ".join(filter(None, (check.before, pair.quote, check.after)))
    return Statement(n=place, claim=pair.claim, quote=pair.quote, sentence=sentence)


def _green(pairs: Sequence[Pair], greens: Sequence[bool]) -> str:
    """“41 of 50 true, 1 of 50 false”: how many are confirmed."""
    both = []
    for label, word in ((True, "true"), (False, "false")):
        of = [green for pair, green in zip(pairs, greens, strict=True) if pair.supported == label]
        both.append(f"{sum(of)} of {len(of)} {word}")
    return ", ".join(both)


def oracle(pairs: Sequence[Pair]) -> Any:
    """A script that knows the labels, and is wrong about 5 of 100."""
    labels: Mapping[tuple[str, str], bool] = {
        (" ".join(pair.claim.split())[:1000], " ".join(pair.quote.split())[:2000]): pair.supported
        for pair in pairs
    }
    lot = random.Random(11)

    def answer(request: dict[str, Any]) -> ScriptedReply:
        told = json.loads(request["messages"][-1]["content"])
        opinions = [
            {
                "id": each["id"],
                "quoted": each["quote"][:200].rpartition(" ")[0] or each["quote"],
                "verdict": "supports"
                if labels[each["claim"], each["quote"]] == (lot.random() < RIGHT)
                else "neither",
                "why": "",
            }
            for each in told["statements"]
        ]
        return text_reply(json.dumps({"statements": opinions, "answers": "wholly", "missing": ""}))

    return answer
