"""All that SVQ holds of a datasource, without numbers and times: two that were treated alike look alike."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from datasources.models import Datasource, Deletion
from datasources.storage import stored_files
from graph.models import Entity, EntityMention, Relation, RelationMention
from ingestion.models import Chunk, ChunkEmbedding, ChunkTerms, Page

ALIKE = 0.9999  # cosine: a batch of other sizes rounds otherwise


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """rows: how often each row occurs; vectors: one for each (model, state, text of a chunk)."""

    rows: Counter[Any]
    vectors: dict[tuple[str, ...], Any]

    def difference(self, other: "Picture") -> list[str]:
        """What differs, in words; empty when nothing does."""
        found = [f"missing: {each}" for each in (other.rows - self.rows).elements()]
        found += [f"too many: {each}" for each in (self.rows - other.rows).elements()]
        found += [f"vector of {key}" for key in self.vectors.keys() ^ other.vectors.keys()]
        both = self.vectors.keys() & other.vectors.keys()
        return found + [f"vector of {k}" for k in both if cosine(self.vectors[k], other.vectors[k]) < ALIKE]


def cosine(a: Any, b: Any) -> float:
    return float(np.dot(a, b) / (np.linalg.norm(a) * np.linalg.norm(b)))


def picture(datasource: Datasource, more: Any = ()) -> Picture:
    """more: what else a scenario compares."""
    of = {"datasource": datasource}
    rows: list[Any] = [("more", each) for each in more]
    for name, found in {
        "document": datasource.documents.values_list("title", "status", "page_count", "chunk_count"),
        "page": Page.objects.filter(document__datasource=datasource).values_list(
            "document__title", "number", "text"
        ),
        "chunk": Chunk.objects.filter(**of).values_list("document__title", "index", "text", "start", "end"),
        "terms": ChunkTerms.objects.filter(**of).values_list("document__title", "chunk__index"),
        "mention": EntityMention.objects.filter(**of).values_list("chunk__text", "name", "start", "live"),
        "said": RelationMention.objects.filter(**of).values_list(
            "chunk__text", "source_key", "target_key", "said_start", "live"
        ),
        "entity": Entity.objects.filter(**of).values_list("name", "mention_count", "document_count"),
        "relation": Relation.objects.filter(**of).values_list(
            "source__name", "target__name", "mention_count"
        ),
    }.items():
        rows += [(name, *row) for row in found]
    embedded = ChunkEmbedding.objects.filter(space__datasource=datasource).values_list(
        "space__model", "space__status", "chunk__document__title", "chunk__text", "vector"
    )
    vectors = {tuple(row): np.asarray(vector) for *row, vector in embedded}
    return Picture(rows=Counter(rows), vectors=vectors)


def left_over() -> list[str]:
    """What belongs to nothing, and deletions that say too much or have not ended."""
    found = [f"file without a document: {name}" for name in stored_files.orphans()]
    found += [f"folder without a document: {folder}" for folder in stored_files.orphaned_folders()]
    found += [f"document without a file: {each}" for each in stored_files.documents_without_file()]
    unended = Deletion.objects.filter(completed=None) | Deletion.objects.exclude(left={})
    return found + [f"deletion not at its end: {each.name}, {each.left}" for each in unended]
