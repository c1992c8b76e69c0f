"""What the user gave us: datasources, who may see them, and the documents inside. Irreplaceable."""

from datasources.models.datasources import (
    CHUNK_SIZES,
    Chunking,
    Datasource,
    DatasourceQuerySet,
    Introduction,
    Recognition,
    ScanReader,
)
from datasources.models.deletions import Deletion, DeletionQuerySet
from datasources.models.documents import (
    GONE,
    IN_PROGRESS,
    NEXT_VERSION,
    SETTLED,
    UNFINISHED,
    Document,
    DocumentQuerySet,
    DocumentStatus,
    WebPage,
    blob_name,
    documents_storage,
)
from datasources.models.matters import Matter, MatterQuerySet, MatterShare
from datasources.models.members import RANK, GroupShare, Invitation, JoinLink, Membership, Role, highest

__all__ = [
    "CHUNK_SIZES",
    "GONE",
    "IN_PROGRESS",
    "NEXT_VERSION",
    "RANK",
    "SETTLED",
    "UNFINISHED",
    "Chunking",
    "Datasource",
    "DatasourceQuerySet",
    "Deletion",
    "DeletionQuerySet",
    "Document",
    "DocumentQuerySet",
    "DocumentStatus",
    "GroupShare",
    "Introduction",
    "Invitation",
    "JoinLink",
    "Matter",
    "MatterQuerySet",
    "MatterShare",
    "Membership",
    "Recognition",
    "Role",
    "ScanReader",
    "WebPage",
    "blob_name",
    "documents_storage",
    "highest",
]
