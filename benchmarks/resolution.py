"""One thing, one entity: precision and recall of pairs, and homonyms, through the product's own linking.

    SVQ_BENCH_DATA=folder python -m benchmarks resolution

The folder holds entity_resolution/DBLP-ACM and musique_train. Works in a data folder of its own.
Thresholds were chosen on DBLP-ACM's train and valid pairs; its test pairs and MuSiQue are held out.
"""

import json
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from typing import Any

from benchmarks import throwaway

BATCH = 500
PAIRS = Path(__file__).parent / "resolution_pairs.json"
_COLUMN = re.compile(r"COL (\w+) VAL (.*?)(?= COL |$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A document of one chunk, with what was extracted from it: see graph.values.extraction."""

    title: str
    text: str
    extract: Callable[[str, str], list[Any]]


def run() -> dict[str, Any]:
    """Measures in a process with a data folder of its own; nothing without SVQ_BENCH_DATA."""
    if not os.environ.get("SVQ_BENCH_DATA"):
        return {}
    return throwaway.figures_of("benchmarks.resolution")


def main() -> None:
    throwaway.set_up()
    figures: dict[str, Any] = {}
    for name, measure in (
        ("entity_resolution/DBLP-ACM", dblp_acm),
        ("musique_train", musique),
    ):
        folder = Path(os.environ["SVQ_BENCH_DATA"]) / name
        if folder.is_dir():
            figures |= measure(folder)
    print(json.dumps(figures, indent=2))


# --- DBLP-ACM: which records are one paper ---------------------------------------------------------------
def dblp_acm(folder: Path) -> dict[str, Any]:
    """The test pairs: each record is a document, two are one when their titles are of one entity."""
    pairs = [line.split("\t") for line in (folder / "test.txt").read_text(encoding="utf-8").splitlines()]
    records = {side: dict(_COLUMN.findall(side.strip())) for pair in pairs for side in pair[:2]}
    passages = {side: _record(record) for side, record in records.items()}
    with built(list({p.text: p for p in passages.values()}.values())) as datasource:
        entity = entities_by_title(datasource)
        asked = queued(datasource)
        counts: Counter[tuple[bool, bool]] = Counter()
        open_ = 0
        for a, b, gold in pairs:
            one, two = (entity[passages[side].text] for side in (a, b))
            counts[one == two, gold.strip() == "1"] += 1
            open_ += one != two and frozenset((one, two)) in asked and gold.strip() == "1"
    return {"DBLP-ACM_test_pairs": scores(counts) | {"missed_but_in_the_review_queue": open_}}


def _record(record: dict[str, str]) -> Passage:
    title = record["title"].strip()
    said = f"By {record['authors'].strip()}. {record['venue'].strip()}, {record['year'].strip()}."
    return Passage(title=title, text=f"{title}\n{said}", extract=_paper)


def _paper(title: str, text: str) -> list[Any]:
    from graph.values.extraction import ExtractedEntity, Extraction

    said = text[len(title) + 1 :]
    entity = ExtractedEntity(
        name=title[:300],
        types=("WORK",),
        description=said,
        start=0,
        end=min(len(title), 300),
        said=(0, len(text)),
        defines=True,
    )
    return [Extraction(entities=(entity,))]


def entities_by_title(datasource: Any) -> dict[str, int]:
    """The entity that each passage defines, by the passage's text."""
    from graph.models import EntityMention

    mentions = EntityMention.objects.filter(datasource=datasource, defines=True, start=0)
    return dict(mentions.values_list("chunk__text", "named__entity_id"))


def queued(datasource: Any) -> set[frozenset[int]]:
    found = datasource.merge_candidates.values_list("a__entity_id", "b__entity_id")
    return {frozenset(pair) for pair in found}


def scores(counts: Counter[tuple[bool, bool]]) -> dict[str, Any]:
    """Of pairs counted by (found, gold)."""
    right, wrong, missed = counts[True, True], counts[True, False], counts[False, True]
    precision, recall = right / max(1, right + wrong), right / max(1, right + missed)
    return {
        "pairs": sum(counts.values()),
        "precision": round(precision, 3),
        "recall": round(recall, 3),
        "F1": round(2 * precision * recall / max(1e-9, precision + recall), 3),
    }


# --- MuSiQue: recorded triples, and passages whose titles tell homonyms apart ----------------------------
def musique(folder: Path) -> dict[str, Any]:
    return homonyms(folder) | recorded(folder)


def homonyms(folder: Path) -> dict[str, Any]:
    """Wikipedia's titles, their brackets taken off: passages of one title are of one thing."""
    from graph.values.names import key, qualifier, qualifier_of_key

    rows = json.loads((folder / "musique_train_corpus.json").read_text(encoding="utf-8"))
    titles = {f"{qualifier(row['title'])[0]}\n{row['text']}": key(row["title"]) for row in rows}
    passages = [Passage(title=t.partition("\n")[0], text=t, extract=_rules) for t in titles]
    counts: Counter[tuple[bool, bool]] = Counter()
    with built(passages) as datasource:
        entity = entities_by_title(datasource)
        by_name: dict[str, list[str]] = defaultdict(list)
        for text, title in titles.items():
            if text in entity:
                by_name[qualifier_of_key(title)[0]].append(text)
        for texts in by_name.values():
            for a, b in combinations(texts, 2):
                counts[entity[a] == entity[b], titles[a] == titles[b]] += 1
    together, torn, mixed, parted = (
        counts[found, gold] for found, gold in ((True, True), (False, True), (True, False), (False, False))
    )
    return {
        "MuSiQue_passages_of_one_name": {
            "of_one_thing,_kept_together": f"{together} of {together + torn}",
            "of_two_things,_parted": f"{parted} of {parted + mixed}",
        }
    }


def recorded(folder: Path) -> dict[str, Any]:
    """The names that GPT-3.5 and the rules found: pairs judged by hand, and titles, all of them different."""
    from graph.models import EntityName
    from graph.resolution.resolve import SURE, Name, score
    from graph.values.names import key

    rows = json.loads(next(folder.glob("openie_*.json")).read_text(encoding="utf-8"))["docs"]
    judged = json.loads(PAIRS.read_text(encoding="utf-8"))
    by_score: Counter[tuple[bool, bool]] = Counter()
    by_graph: Counter[tuple[bool, bool]] = Counter()
    with built(list({p.text: p for p in map(_triples, rows)}.values())) as datasource:
        names = EntityName.objects.filter(datasource=datasource, sense="")
        entity = dict(names.values_list("key", "entity_id"))
        types = dict(names.values_list("key", "types"))
        for gold in ("same", "different"):
            for a, b in (pair for pair in judged[gold] if set(pair) <= entity.keys()):
                alike = score(*(Name(key=name, types=tuple(types[name])) for name in (a, b)))
                by_score[alike >= SURE, gold == "same"] += 1
                by_graph[entity[a] == entity[b], gold == "same"] += 1
        titles = {key(row["title"]) for row in rows} & entity.keys()
        shared = Counter(entity[title] for title in titles)
    return {
        "MuSiQue_look-alike_names,_by_score_alone": scores(by_score),
        "MuSiQue_look-alike_names,_with_what_is_said": scores(by_graph),
        "MuSiQue_titles_that_share_an_entity": f"{sum(n for n in shared.values() if n > 1)} of {len(titles)}",
    }


def _triples(row: dict[str, Any]) -> Passage:
    from benchmarks.recorded import extraction

    def both(title: str, text: str) -> list[Any]:
        said = extraction(title, text, row["extracted_entities"], row["extracted_triples"])
        return [*_rules(title, text), said]

    return Passage(title=row["title"], text=f"{row['title']}\n{row['text']}", extract=both)


def _rules(title: str, text: str) -> list[Any]:
    from graph.extraction.rules.extractor import Rules

    return Rules().extract(title, [text])


# --- building --------------------------------------------------------------------------------------------
@contextmanager
def built(passages: Sequence[Passage]) -> Iterator[Any]:
    """A datasource with these passages in its graph, deleted at the end."""
    from accounts.models import User
    from datasources.services import create_datasource
    from ingestion.lifecycle.purging import purge_datasource

    user = User.objects.create_user(f"bench-{os.getpid()}@example.org", None, name="Bench")
    datasource = create_datasource(user, "Resolution")
    try:
        for start in range(0, len(passages), BATCH):
            _link(datasource, passages[start : start + BATCH])
        yield datasource
    finally:
        purge_datasource(datasource)
        user.delete()


def _link(datasource: Any, passages: Sequence[Passage]) -> None:
    from datasources.models import Document, DocumentStatus
    from graph.aggregate import mentions, update
    from ingestion.models import Chunk
    from tests.factories import chunk_of

    documents = Document.objects.bulk_create(
        Document(
            datasource=datasource,
            title=p.title[:200],
            filename="passages.jsonl",
            mime="text/plain",
            size=len(p.text),
            sha256=sha256(p.text.encode()).hexdigest(),
            status=DocumentStatus.READY,
        )
        for p in passages
    )
    chunks = Chunk.objects.bulk_create(
        chunk_of(document, p.text) for document, p in zip(documents, passages, strict=True)
    )
    for chunk, passage in zip(chunks, passages, strict=True):
        for extraction in passage.extract(passage.title, passage.text):
            mentions.store([chunk], [extraction], "benchmark")
    update.change(datasource.pk, added=[document.pk for document in documents])


if __name__ == "__main__":
    main()
