"""The rows of the graph and of what is derived from it; Django looks for an app's models here."""

from graph.models.curation import (
    OF_RELATIONS,
    Decision,
    DecisionKind,
    MergeCandidate,
    PairVerdict,
    Verdict,
)
from graph.models.document_map import DocumentNode
from graph.models.extraction import CachedExtraction, ChunkExtraction, ExtractionSpend, ExtractionState
from graph.models.graph import (
    Entity,
    EntityEmbedding,
    EntityMention,
    EntityName,
    EntityPosition,
    Mention,
    NameBlock,
    NameEmbedding,
    Relation,
    RelationEmbedding,
    RelationMention,
)
from graph.models.settings import GraphExtractor, GraphSettings

__all__ = [
    "OF_RELATIONS",
    "CachedExtraction",
    "ChunkExtraction",
    "Decision",
    "DecisionKind",
    "DocumentNode",
    "Entity",
    "EntityEmbedding",
    "EntityMention",
    "EntityName",
    "EntityPosition",
    "ExtractionSpend",
    "ExtractionState",
    "GraphExtractor",
    "GraphSettings",
    "Mention",
    "MergeCandidate",
    "NameBlock",
    "NameEmbedding",
    "PairVerdict",
    "Relation",
    "RelationEmbedding",
    "RelationMention",
    "Verdict",
]
