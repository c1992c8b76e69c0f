"""The graph as lines of JSON: out of a datasource, and in from another one or from any other extractor.

docs/reference/graph.md has the format. What goes out are mentions and decisions, not what is folded from
them: so it comes in again unchanged.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from pydantic import ValidationError

from datasources.models import Datasource, Document
from graph.aggregate import update
from graph.aggregate.replacement import replace
from graph.exchange.rows import DecisionRow, GivenEntity, GivenRelation, GraphRow
from graph.extraction.extract import ExtractedChunks
from graph.extraction.grounding import NamedThing, Statement, Text, anchor
from graph.extraction.llm.schema import problems, storable
from graph.models import Decision, EntityMention, Mention, RelationMention
from graph.values.extraction import ExtractedEntity, ExtractedRelation, Extraction
from graph.values.names import key
from graph.values.ontology import type_name
from ingestion.models import Chunk
from sql import rows as sql_rows

ELSEWHERE = "import"  # the extractor's name where a row gives none
DOCUMENTS_AT_ONCE = 200  # whose mentions change in one transaction
ENTITIES = ("entities", "extracted_entities")
RELATIONS = ("relations", "triples", "extracted_triples")
TOLD = 20  # malformed lines that are named; all are counted
OF_DOCUMENT = "document "  # how a sense begins that people have split off, see link.document_sense


# --- out -------------------------------------------------------------------------------------------------
def export_rows(datasource: Datasource) -> Iterator[dict[str, Any]]:
    """Every ready document's mentions, a row per chunk and extractor, then people's decisions."""
    documents = list(datasource.documents.ready().order_by("sha256"))
    for document in documents:
        rows = list(_rows_of(document))
        yield from rows or [_row(document)]
    hashes = {str(document.pk): document.sha256 for document in documents}
    for decision in Decision.objects.filter(datasource=datasource).order_by("pk"):
        yield _decision_row(decision, hashes)


def _row(document: Document) -> dict[str, Any]:
    return {"document": document.title, "sha256": document.sha256, "entities": [], "relations": []}


def _rows_of(document: Document) -> Iterator[dict[str, Any]]:
    """The rows of one document; its chunks are read once."""
    chunks = {chunk.pk: chunk for chunk in document.chunks.order_by("index")}
    entities = _grouped(EntityMention.objects.filter(document=document, live=True).order_by("pk"))
    relations = _grouped(RelationMention.objects.filter(document=document, live=True).order_by("pk"))
    for chunk_id, extractor in sorted({*entities, *relations}, key=lambda k: (chunks[k[0]].index, k[1])):
        chunk = chunks[chunk_id]
        named = entities[chunk_id, extractor]
        names: dict[str, str] = {}
        for mention in named:
            names.setdefault(mention.key, mention.name)
        yield {
            **_row(document),
            "chunk": chunk.index,
            "chunk_sha256": digest(chunk.text),
            "extractor": extractor,
            "entities": [_entity(mention) for mention in named],
            "relations": [_relation(mention, names) for mention in relations[chunk_id, extractor]],
        }


def _grouped(mentions: Iterable[Any]) -> dict[tuple[int, str], list[Any]]:
    found: dict[tuple[int, str], list[Any]] = defaultdict(list)
    for mention in mentions:
        found[mention.chunk_id, mention.extractor].append(mention)
    return found


def _statement(mention: Mention) -> dict[str, Any]:
    return {"description": mention.description, "said": [mention.said_start, mention.said_end]}


def _entity(mention: EntityMention) -> dict[str, Any]:
    return {
        "name": mention.name,
        "types": mention.types,
        **_statement(mention),
        "at": [mention.start, mention.end],
        "defines": mention.defines,
    }


def _relation(mention: RelationMention, names: dict[str, str]) -> dict[str, Any]:
    return {
        "source": names.get(mention.source_key, mention.source_key),
        "target": names.get(mention.target_key, mention.target_key),
        **_statement(mention),
        "keywords": mention.keywords,
        "strength": mention.strength,
    }


def _decision_row(decision: Decision, hashes: dict[str, str]) -> dict[str, Any]:
    return {
        "decision": decision.kind,
        "key": decision.key,
        "sense": _sense(decision.sense, hashes),
        "other_key": decision.other_key,
        "other_sense": _sense(decision.other_sense, hashes),
        "sha256": hashes.get(str(decision.document_id), ""),
        "name": decision.name,
        "types": decision.types,
    }


def _sense(sense: str, names: dict[str, str]) -> str:
    """A sense that speaks of a document, with the document's number and hash exchanged."""
    if not sense.startswith(OF_DOCUMENT):
        return sense
    of = sense.removeprefix(OF_DOCUMENT)
    return OF_DOCUMENT + names.get(of, of)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


# --- in --------------------------------------------------------------------------------------------------
@dataclass(slots=True, kw_only=True)
class Imported:
    """What an import did. `malformed` counts rows and parts of rows that were passed over; `problems` names
    the first of them. `unknown` are rows about documents that are not here or not ready.
    """

    rows: int = 0
    documents: int = 0
    entities: int = 0
    relations: int = 0
    decisions: int = 0
    malformed: int = 0
    unknown: int = 0
    unplaced: int = 0
    problems: list[str] = field(default_factory=list)

    def refuse(self, line: int, problem: str) -> None:
        self.malformed += 1
        if len(self.problems) < TOLD:
            self.problems.append(f"line {line}: {problem}")


def import_graph(datasource: Datasource, lines: Iterable[str | bytes]) -> Imported:
    """Let the graph say of the documents that the lines are about what the lines say, and nothing else.

    Twice is the same as once. Malformed rows are counted and passed over.
    """
    done = Imported()
    place = _Documents(datasource)
    by_document: dict[int, list[GraphRow]] = defaultdict(list)
    decisions: list[DecisionRow] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        done.rows += 1
        row = _parsed(line, number, done)
        if isinstance(row, DecisionRow):
            decisions.append(row)
        elif row:
            if document := place.of(row):
                by_document[document].append(row)
            else:
                done.unknown += 1
    _take_decisions(datasource, decisions, place, done)
    ids = sorted(by_document)
    for start in range(0, len(ids), DOCUMENTS_AT_ONCE):
        some = ids[start : start + DOCUMENTS_AT_ONCE]
        replace(datasource.pk, _found({pk: by_document[pk] for pk in some}, done))
        done.documents += len(some)
        portion = start // DOCUMENTS_AT_ONCE + 1
        if portion & (portion - 1) == 0:
            _count_rows()
    if decisions:
        update.reconsider(datasource.pk, [k for row in decisions for k in (row.key, row.other_key) if k])
    return done


def _count_rows() -> None:
    """Tell the planner how the tables have grown, at every doubling: it would take them for empty."""
    for table in ("entitymention", "relationmention", "entityname", "entity", "relation", "nameblock"):
        sql_rows(f"ANALYZE graph_{table}")


def _parsed(line: str | bytes, number: int, done: Imported) -> GraphRow | DecisionRow | None:
    """The row, without those of its entities and relations that are malformed; None when all of it is."""
    try:
        value = storable(json.loads(line))
    except ValueError as error:
        done.refuse(number, f"not JSON ({error})")
        return None
    if not isinstance(value, dict):
        done.refuse(number, "not a JSON object")
        return None
    try:
        if "decision" in value:
            return DecisionRow.model_validate(value)
        entities = _listed(value, ENTITIES, number, done)
        relations = _listed(value, RELATIONS, number, done)
        row = GraphRow.model_validate({**value, "entities": [], "relations": []})
    except ValidationError as error:
        done.refuse(number, problems(error).replace("\n", "; "))
        return None
    for one in entities:
        _part(row.entities, GivenEntity, one, number, done)
    for one in relations:
        _part(row.relations, GivenRelation, one, number, done)
    return row


def _listed(value: dict[str, Any], names: Sequence[str], line: int, done: Imported) -> list[Any]:
    """All that stands under any of these names."""
    found: list[Any] = []
    for name in names:
        given = value.get(name) or []
        if isinstance(given, list):
            found += given
        else:
            done.refuse(line, f"{name}: not a list")
    return found


def _part(
    into: list[Any], kind: type[GivenEntity | GivenRelation], value: Any, line: int, done: Imported
) -> None:
    try:
        into.append(kind.model_validate(value))
    except ValidationError as error:
        done.refuse(line, problems(error).replace("\n", "; "))


class _Documents:
    """Which ready document a row is about: by hash, by text, by number, by title or file name."""

    def __init__(self, datasource: Datasource) -> None:
        self.hashes: dict[str, int] = {}
        self.numbers: set[int] = set()
        self.names: dict[str, list[int]] = defaultdict(list)
        columns = datasource.documents.ready().values_list("pk", "sha256", "title", "filename", "passage")
        for pk, sha256, title, filename, passage in columns:
            self.hashes[sha256] = pk
            self.numbers.add(pk)
            for name in {title.lower(), filename.lower() if passage is None else title.lower()}:
                self.names[name].append(pk)

    def of(self, row: GraphRow) -> int | None:
        """None when there is no such document, or several of that name."""
        if row.sha256:
            return self.hashes.get(row.sha256)
        if row.text:
            title = row.title.strip()
            body = f"{title}\n{row.text.strip()}" if title else row.text.strip()
            if found := self.hashes.get(digest(body)):
                return found
        if isinstance(row.document, int):
            return row.document if row.document in self.numbers else None
        named = self.names.get((row.document or row.title).strip().lower(), [])
        return named[0] if len(named) == 1 else None


# --- placing ---------------------------------------------------------------------------------------------
def _found(by_document: dict[int, list[GraphRow]], done: Imported) -> list[ExtractedChunks]:
    """What the rows say, for every chunk of the documents, by extractor; one without rows gets nothing."""
    chunks = Chunk.objects.filter(document__in=by_document).select_related("document")
    found: dict[str, list[tuple[Chunk, Extraction]]] = defaultdict(list)
    for document_id, some in groupby(chunks.order_by("document_id", "index"), lambda c: c.document_id):
        own = list(some)
        found[ELSEWHERE] += [(chunk, Extraction()) for chunk in own]
        for extractor, chunk, extraction in _placed(own, by_document[document_id], done):
            found[extractor].append((chunk, extraction))
    return [(name, [c for c, _ in pairs], [e for _, e in pairs]) for name, pairs in found.items()]


def _placed(
    chunks: Sequence[Chunk], rows: Sequence[GraphRow], done: Imported
) -> Iterator[tuple[str, Chunk, Extraction]]:
    """Rows of a chunk that is the same here keep their places; all others are looked for in the words."""
    by_index = {chunk.index: chunk for chunk in chunks}
    loose: dict[str, list[GraphRow]] = defaultdict(list)
    for row in rows:
        chunk = by_index.get(-1 if row.chunk is None else row.chunk)
        if chunk and row.chunk_sha256 == digest(chunk.text) and row.fits(len(chunk.text)):
            extraction = _exact(row)
            _count(extraction, done)
            yield row.extractor or ELSEWHERE, chunk, extraction
        else:
            loose[row.extractor or ELSEWHERE].append(row)
    for extractor, some in loose.items():
        for chunk, extraction in _looked_for(chunks, by_index, some, done):
            _count(extraction, done)
            yield extractor, chunk, extraction


def _count(extraction: Extraction, done: Imported) -> None:
    done.entities += len(extraction.entities)
    done.relations += len(extraction.relations)


def _exact(row: GraphRow) -> Extraction:
    return Extraction(
        entities=tuple(
            ExtractedEntity(
                name=e.name, types=tuple(e.types), description=e.description, start=e.at[0], end=e.at[1],
                said=e.said, defines=e.defines,
            )
            for e in row.entities
            if e.at and e.said  # as row.fits has seen
        ),
        relations=tuple(
            ExtractedRelation(
                source=r.source, target=r.target, description=r.description, keywords=tuple(r.keywords),
                strength=r.strength, start=r.said[0], end=r.said[1],
            )
            for r in row.relations
            if r.said
        ),
    )  # fmt: skip


def _looked_for(
    chunks: Sequence[Chunk], by_index: dict[int, Chunk], rows: Sequence[GraphRow], done: Imported
) -> Iterator[tuple[Chunk, Extraction]]:
    """Tie each thing to every chunk that names it, each relation to every chunk that names both its ends."""
    texts = {chunk.pk: Text(chunk.text) for chunk in chunks}
    things: dict[int, list[NamedThing]] = defaultdict(list)
    said: dict[int, list[Statement]] = defaultdict(list)
    for row in rows:
        within = [by_index[row.chunk]] if row.chunk in by_index else chunks
        for entity in row.entities:
            thing = NamedThing(
                name=entity.name.strip(),
                types=tuple(filter(None, map(type_name, entity.types))),
                description=entity.description.strip(),
            )
            places = _chunks_with([thing.name], within, texts)
            done.unplaced += not places
            for chunk in places:
                things[chunk.pk].append(thing)
        for relation in row.relations:
            statement = _statement_of(relation)
            places = _chunks_with([statement.source, statement.target], within, texts)
            done.unplaced += not places
            for chunk in places:
                said[chunk.pk].append(statement)
    for chunk in chunks:
        if things[chunk.pk] or said[chunk.pk]:
            yield chunk, anchor(texts[chunk.pk], things[chunk.pk], said[chunk.pk], chunk.document.title)


def _statement_of(relation: GivenRelation) -> Statement:
    words = tuple(dict.fromkeys(filter(None, map(str.strip, [relation.type, *relation.keywords]))))
    return Statement(
        source=relation.source.strip(),
        target=relation.target.strip(),
        description=relation.description.strip() or " ".join([relation.source, *words[:1], relation.target]),
        keywords=words,
        strength=relation.strength,
    )


def _chunks_with(names: Sequence[str], chunks: Sequence[Chunk], texts: dict[int, Text]) -> list[Chunk]:
    """The chunks with all these names as written, else the one with most of their words; none with none."""
    if len(chunks) == 1:
        return list(chunks)
    named = [chunk for chunk in chunks if all(texts[chunk.pk].place(name) for name in names)]
    if named:
        return named
    shared = {chunk.pk: texts[chunk.pk].nearest(" ".join(names))[0] for chunk in chunks}
    best = max(chunks, key=lambda chunk: shared[chunk.pk])
    return [best] if shared[best.pk] else []


# --- decisions -------------------------------------------------------------------------------------------
def _take_decisions(
    datasource: Datasource, rows: Sequence[DecisionRow], place: _Documents, done: Imported
) -> None:
    """Remember the decisions that are not known here yet, in their order."""
    numbers = {sha256: str(pk) for sha256, pk in place.hashes.items()}
    for row in rows:
        if row.sha256 and row.sha256 not in place.hashes:
            done.unknown += 1
            continue
        document = place.hashes[row.sha256] if row.sha256 else None
        _, new = Decision.objects.get_or_create(
            datasource=datasource, kind=row.decision, key=key(row.key), sense=_sense(row.sense, numbers),
            other_key=key(row.other_key), other_sense=_sense(row.other_sense, numbers),
            document=Document(pk=document) if document else None, name=row.name, types=row.types,
        )  # fmt: skip
        done.decisions += new
