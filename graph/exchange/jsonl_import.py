"""The graph in from lines of JSON, of another datasource or of any other extractor."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, TypeVar

from pydantic import ValidationError

from datasources.models import Datasource, Document
from graph.aggregate import update
from graph.aggregate.replacement import replace
from graph.exchange.documents import DocumentLookup
from graph.exchange.placing import place
from graph.exchange.rows import (
    DecisionRow,
    GivenEntity,
    GivenRelation,
    GraphRow,
    Imported,
    translated_sense,
)
from graph.extraction.llm.schema import problems, storable
from graph.models import Decision
from graph.values.names import key
from sql import rows

DOCUMENTS_AT_ONCE = 200  # whose mentions change in one transaction
ENTITIES = ("entities", "extracted_entities")
RELATIONS = ("relations", "triples", "extracted_triples")

Part = TypeVar("Part", GivenEntity, GivenRelation)


def import_graph(datasource: Datasource, lines: Iterable[str | bytes]) -> Imported:
    """Let the graph say of the documents that the lines are about what the lines say, and nothing else.

    Twice is the same as once. Malformed rows are counted and passed over.
    """
    done = Imported()
    documents = DocumentLookup(datasource)
    by_document: dict[int, list[GraphRow]] = defaultdict(list)
    decisions: list[DecisionRow] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        done.rows += 1
        row = _parsed(line, partial(done.refuse, number))
        if isinstance(row, DecisionRow):
            decisions.append(row)
        elif row:
            if document := documents.of(row):
                by_document[document].append(row)
            else:
                done.unknown += 1
    _take_decisions(datasource, decisions, documents, done)
    ids = sorted(by_document)
    for portion, start in enumerate(range(0, len(ids), DOCUMENTS_AT_ONCE), start=1):
        portion_ids = ids[start : start + DOCUMENTS_AT_ONCE]
        replace(datasource.pk, place({pk: by_document[pk] for pk in portion_ids}, done))
        done.documents += len(portion_ids)
        if portion.bit_count() == 1:
            _analyze_tables()
    if decisions:
        update.reconsider(datasource.pk, [k for row in decisions for k in (row.key, row.other_key) if k])
    return done


def _analyze_tables() -> None:
    """Tell the planner how the tables have grown, at every doubling: it would take them for empty."""
    for table in ("entitymention", "relationmention", "entityname", "entity", "relation", "nameblock"):
        rows(f"ANALYZE graph_{table}")


# --- reading a line --------------------------------------------------------------------------------------
def _parsed(line: str | bytes, refuse: Callable[[str], None]) -> GraphRow | DecisionRow | None:
    """The row, without those of its entities and relations that are malformed; None when all of it is."""
    try:
        value = storable(json.loads(line))
    except ValueError as error:
        refuse(f"not JSON ({error})")
        return None
    if not isinstance(value, dict):
        refuse("not a JSON object")
        return None
    try:
        if "decision" in value:
            return DecisionRow.model_validate(value)
        row = GraphRow.model_validate({**value, "entities": [], "relations": []})
    except ValidationError as error:
        refuse(problems(error).replace("\n", "; "))
        return None
    row.entities = _valid(GivenEntity, _listed(value, ENTITIES, refuse), refuse)
    row.relations = _valid(GivenRelation, _listed(value, RELATIONS, refuse), refuse)
    return row


def _listed(value: dict[str, Any], names: Sequence[str], refuse: Callable[[str], None]) -> list[Any]:
    """All that stands under any of these names."""
    given = [(name, value.get(name) or []) for name in names]
    for name, items in given:
        if not isinstance(items, list):
            refuse(f"{name}: not a list")
    return [item for _, items in given if isinstance(items, list) for item in items]


def _valid(kind: type[Part], items: Sequence[Any], refuse: Callable[[str], None]) -> list[Part]:
    parts = []
    for item in items:
        try:
            parts.append(kind.model_validate(item))
        except ValidationError as error:
            refuse(problems(error).replace("\n", "; "))
    return parts


def _take_decisions(
    datasource: Datasource, decisions: Sequence[DecisionRow], documents: DocumentLookup, done: Imported
) -> None:
    """Remember the decisions that are not known here yet, in their order."""
    numbers = {sha256: str(pk) for sha256, pk in documents.hashes.items()}
    for row in decisions:
        if row.sha256 and row.sha256 not in documents.hashes:
            done.unknown += 1
            continue
        _, new = Decision.objects.get_or_create(
            datasource=datasource,
            kind=row.decision,
            key=key(row.key),
            sense=translated_sense(row.sense, numbers),
            other_key=key(row.other_key),
            other_sense=translated_sense(row.other_sense, numbers),
            document=Document(pk=documents.hashes[row.sha256]) if row.sha256 else None,
            name=row.name,
            types=row.types,
        )
        done.decisions += new
