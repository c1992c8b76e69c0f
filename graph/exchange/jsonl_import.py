"""The graph in from lines of JSON, of another datasource or of any other extractor."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, BinaryIO, TypeVar

from django.conf import settings
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
from graph.extraction.llm.schema import problems
from graph.models import Decision
from graph.values.names import key
from sql import rows
from text.json_lines import BadJson, lines, parsed
from text.normal_forms.storable import storable

DOCUMENTS_AT_ONCE = 200  # whose mentions change in one transaction
PARTS_AT_ONCE = 100_000  # rows, entities and relations in memory, and the most of one document
ENTITIES = ("entities", "extracted_entities")
RELATIONS = ("relations", "triples", "extracted_triples")

T = TypeVar("T")
Part = TypeVar("Part", GivenEntity, GivenRelation)


class NobodyWaits(Exception):
    """Whoever asked for the import has left. What was imported until then stays, whole documents of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where a row stands in the file: its line's number, and its bytes."""

    number: int
    start: int
    size: int


def import_graph(
    datasource: Datasource, file: BinaryIO, nobody_waits: Callable[[], bool] = lambda: False
) -> Imported:
    """Let the graph say of the documents that a file's lines are about what they say, and nothing else.

    Twice is the same as once. Malformed and overlong rows are counted and passed over. The file is read
    twice: first which documents its rows are about, then the rows of some documents at a time. Raises
    NobodyWaits.
    """
    done = Imported()
    documents = DocumentLookup(datasource)
    by_document: dict[int, list[_Place]] = defaultdict(list)
    decisions: list[DecisionRow] = []
    file.seek(0)
    for line in lines(file, settings.MAX_LINE_BYTES):
        if nobody_waits():
            raise NobodyWaits
        done.rows += 1
        if line.content is None:
            done.refuse(line.number, f"{line.size:,} bytes; a line may have {settings.MAX_LINE_BYTES:,}")
            continue
        refuse = partial(done.refuse, line.number)
        row = _head(_value(line.content, refuse), refuse)
        if isinstance(row, DecisionRow):
            _append(decisions, row, refuse)
        elif row and (document := documents.of(row)):
            stands = _Place(number=line.number, start=line.start, size=line.size)
            _append(by_document[document], stands, refuse)
        elif row:
            done.unknown += 1
    _take_decisions(datasource, decisions, documents, done)
    for number, portion in enumerate(_portions(file, by_document, done), start=1):
        if nobody_waits():
            raise NobodyWaits
        replace(datasource.pk, place(portion, done))
        done.documents += len(portion)
        if number.bit_count() == 1:
            _analyze_tables()
    if decisions:
        update.reconsider(datasource.pk, [k for row in decisions for k in (row.key, row.other_key) if k])
    return done


def _append(items: list[T], item: T, refuse: Callable[[str], None]) -> None:
    if len(items) < PARTS_AT_ONCE:
        items.append(item)
    else:
        refuse(f"more than {PARTS_AT_ONCE:,} rows of a document, or decisions")


def _portions(
    file: BinaryIO, by_document: Mapping[int, Sequence[_Place]], done: Imported
) -> Iterator[dict[int, list[GraphRow]]]:
    """The rows of some documents at a time, so many that they fit in memory."""
    portion: dict[int, list[GraphRow]] = {}
    parts = 0
    for document in sorted(by_document):
        rows_, count = _rows_of(file, by_document[document], done)
        if portion and (len(portion) == DOCUMENTS_AT_ONCE or parts + count > PARTS_AT_ONCE):
            yield portion
            portion, parts = {}, 0
        portion[document] = rows_
        parts += count
    if portion:
        yield portion


def _rows_of(file: BinaryIO, places: Sequence[_Place], done: Imported) -> tuple[list[GraphRow], int]:
    """The whole rows of one document, and how many entities and relations they have."""
    rows_: list[GraphRow] = []
    parts = 0
    for where in places:
        refuse = partial(done.refuse, where.number)
        file.seek(where.start)
        value = _value(file.read(where.size), refuse)
        row = _head(value, refuse)
        assert isinstance(row, GraphRow)
        row.entities = _valid(GivenEntity, _listed(value, ENTITIES, refuse)[: PARTS_AT_ONCE - parts], refuse)
        parts += len(row.entities)
        said = _listed(value, RELATIONS, refuse)[: PARTS_AT_ONCE - parts]
        row.relations = _valid(GivenRelation, said, refuse)
        parts += len(row.relations)
        rows_.append(row)
        parts += 1
        if parts >= PARTS_AT_ONCE:
            refuse(f"a document may have {PARTS_AT_ONCE:,} entities and relations; the rest was passed over")
            break
    return rows_, parts


def _analyze_tables() -> None:
    """Tell the planner how the tables have grown, at every doubling: it would take them for empty."""
    for table in ("entitymention", "relationmention", "entityname", "entity", "relation", "nameblock"):
        rows(f"ANALYZE graph_{table}")


# --- reading a line --------------------------------------------------------------------------------------
def _value(line: bytes, refuse: Callable[[str], None]) -> Any:
    """None for what is no JSON that can be kept."""
    try:
        return storable(parsed(line))
    except (BadJson, RecursionError) as error:
        refuse(str(error))
        return None


def _head(value: Any, refuse: Callable[[str], None]) -> GraphRow | DecisionRow | None:
    """The row without its entities and relations; None for what is no row."""
    if not isinstance(value, dict):
        if value is not None:
            refuse("not a JSON object")
        return None
    try:
        if "decision" in value:
            return DecisionRow.model_validate(value)
        return GraphRow.model_validate({**value, "entities": [], "relations": []})
    except ValidationError as error:
        refuse(problems(error).replace("\n", "; "))
        return None


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
