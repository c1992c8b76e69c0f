"""A client of SVQ: ask an SVQ server about your documents, and get the proof."""

from svq_client.async_client import AsyncClient
from svq_client.client import Client
from svq_client.errors import SvqError
from svq_client.options import QuestionOptions, SearchOptions
from svq_client.values import (
    Answer,
    Box,
    Chunk,
    Citation,
    CitedDocument,
    Datasource,
    Deletion,
    Document,
    Fault,
    Notice,
    Passage,
    Piece,
    Proof,
    ReadingProgress,
    Retrieval,
    StageProgress,
    Step,
    Upload,
    Verdict,
)
from svq_client.webhooks import is_from_svq

__all__ = [
    "Answer",
    "AsyncClient",
    "Box",
    "Chunk",
    "Citation",
    "CitedDocument",
    "Client",
    "Datasource",
    "Deletion",
    "Document",
    "Fault",
    "Notice",
    "Passage",
    "Piece",
    "Proof",
    "QuestionOptions",
    "ReadingProgress",
    "Retrieval",
    "SearchOptions",
    "StageProgress",
    "Step",
    "SvqError",
    "Upload",
    "Verdict",
    "is_from_svq",
]
