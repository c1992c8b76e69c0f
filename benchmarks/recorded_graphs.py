"""Recorded graphs of other extractors as files for `manage.py ingest` and `manage.py import_graph`.

    python benchmarks/recorded_graphs.py DATA OUT

DATA holds musique_train and christmas_carol_graph. Writes <set>_passages.jsonl and <set>_graph.jsonl to OUT.
"""

import csv
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MUSIQUE = "musique_train/openie_musique_train_results_ner_gpt-3.5-turbo-1106_1890.json"
_ID = re.compile(r"[0-9a-f]{64,}")


def musique(data: Path) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Each passage, and what GPT-3.5 said about it: entities without types, triples."""
    for row in json.loads((data / MUSIQUE).read_text(encoding="utf-8"))["docs"]:
        passage = {"title": row["title"], "text": row["text"]}
        found = {name: row[name] for name in ("extracted_entities", "extracted_triples")}
        yield passage, passage | found


def christmas_carol(data: Path) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Each text unit of the book, and the entities and relations that were found in it."""
    folder = data / "christmas_carol_graph"
    graphs: dict[str, dict[str, list[Any]]] = {}
    for name, part in (("entities", "entities"), ("relationships", "relations")):
        for row in _csv(folder / f"{name}.csv"):
            for unit in _ID.findall(row["text_unit_ids"]):
                graphs.setdefault(unit, {"entities": [], "relations": []})[part].append(_part(row))
    for unit in _csv(folder / "text_units.csv"):
        title = f"A Christmas Carol, part {int(unit['human_readable_id']) + 1}"
        passage = {"title": title, "text": unit["text"].strip()}
        yield passage, passage | graphs.get(unit["id"], {"entities": [], "relations": []})


def _part(row: dict[str, str]) -> dict[str, Any]:
    if "title" in row:
        return {"name": row["title"], "type": row["type"], "description": row["description"]}
    return {name: row[name] for name in ("source", "target", "description", "weight")}


def _csv(path: Path) -> list[dict[str, str]]:
    csv.field_size_limit(sys.maxsize)
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def main() -> None:
    data, out = map(Path, sys.argv[1:3])
    for name, pairs in (("musique", musique(data)), ("christmas_carol", christmas_carol(data))):
        passages, graph = zip(*pairs, strict=True)
        for kind, rows in (("passages", passages), ("graph", graph)):
            lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            (out / f"{name}_{kind}.jsonl").write_text(lines, encoding="utf-8")
        print(f"{name}: {len(passages)} passages")


if __name__ == "__main__":
    main()
