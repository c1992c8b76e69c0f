"""What a bundle holds of a datasource, table by table, and what stays behind, each with the reason.

Every table that belongs to a datasource is in one of the two lists; a test looks for those that are in none.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import models
from django.db.models import Field, ForeignKey, Q, QuerySet

from accounts.models import User
from datasources.models import Datasource, Document, DocumentStatus
from ingestion.models import SpaceStatus
from jobs.models import FencedRow

DATASOURCE, DOCUMENT, CHUNK = "datasources.Datasource", "datasources.Document", "ingestion.Chunk"
FRAMEWORK = "compliance.Framework"
SPACE, ENTITY, RELATION, TURN = "ingestion.VectorSpace", "graph.Entity", "graph.Relation", "chat.Turn"
READ = (DocumentStatus.READY, DocumentStatus.SUPERSEDED)
# Whose run a row is in, what only administrators read of it, and what its failure is told from: another host
# shows the sentence that goes along.
OF_RUNS = {
    "run_token": None,
    "job_id": None,
    "attempts": 0,
    "unended": 0,
    "error_detail": "",
    "error_words": None,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Of which datasource, for whom. conversations: whether the person's own come along."""

    datasource: int
    person: int
    conversations: bool

    @property
    def documents(self) -> QuerySet[Document]:
        kept = Document.objects.filter(datasource=self.datasource)
        return kept.exclude(status=DocumentStatus.DELETED).order_by()

    @property
    def read(self) -> QuerySet[Document]:
        """Those of which pages and passages come along."""
        return self.documents.filter(status__in=READ)

    @property
    def frameworks(self) -> QuerySet[Any]:
        """In use there, and the person's to hand on: see FrameworkQuerySet.attachable_by."""
        here = Q(attachments__datasource=self.datasource) | Q(assessments__datasource=self.datasource)
        own = Q(owner=self.person) | Q(is_shared=True)
        return apps.get_model(FRAMEWORK).objects.filter(here, own).order_by().distinct()


Rows = Callable[[Scope], Q]


def here(path: str = "datasource") -> Rows:
    return lambda scope: Q(**{path: scope.datasource})


def of_documents(path: str = "document") -> Rows:
    return lambda scope: Q(**{f"{path}__in": scope.documents})


def of_read(path: str = "document") -> Rows:
    return lambda scope: Q(**{f"{path}__in": scope.read})


def of_frameworks(path: str) -> Rows:
    return lambda scope: Q(**{f"{path}__in": scope.frameworks})


def of_assessments(path: str) -> Rows:
    return lambda scope: here(f"{path}__datasource")(scope) & of_frameworks(f"{path}__framework")(scope)


def own_conversations(path: str = "") -> Rows:
    def rows(scope: Scope) -> Q:
        own = Q(**{f"{path}datasource": scope.datasource, f"{path}user": scope.person})
        return own if scope.conversations else Q(pk__in=[])

    return rows


@dataclass(frozen=True, kw_only=True, eq=False)
class Table:
    """A table whose rows are carried along.

    rows: which. fresh: columns that stay behind, with what they are in the new place. ids: columns that hold
    numbers of another table's rows without being foreign keys. json_ids: JSON in which documents and passages
    are named by number. settled: the status that work under way gets. only_vectors: its rows are a number and
    a vector each, which are written as arrays.
    """

    label: str
    rows: Rows = field(default_factory=here)
    fresh: Mapping[str, Any] = field(default_factory=dict)
    ids: Mapping[str, str] = field(default_factory=dict)
    json_ids: tuple[str, ...] = ()
    settled: str = ""
    only_vectors: bool = False

    @cached_property
    def model(self) -> type[models.Model]:
        return apps.get_model(self.label)

    @property
    def name(self) -> str:
        """Of its part in the bundle."""
        return f"rows/{self.label}.jsonl"

    def chosen(self, scope: Scope) -> QuerySet[Any]:
        return self.model._default_manager.filter(self.rows(scope)).order_by()

    @cached_property
    def stays(self) -> Mapping[str, Any]:
        """The columns that are not in the bundle, by their names, with their values in the new place."""
        return {**(OF_RUNS if issubclass(self.model, FencedRow) else {}), **self.fresh}

    @cached_property
    def fields(self) -> "list[Field[Any, Any]]":
        """The columns that are in the bundle."""
        return [
            column
            for column in self.model._meta.local_concrete_fields
            if column.name not in self.stays and not self.is_datasource(column)
        ]

    @cached_property
    def columns(self) -> list[str]:
        """Their names there: those of the database, but for people, who are told by their names."""
        return [column.name if is_person(column) else str(column.column) for column in self.fields]

    @property
    def vectors_of(self) -> str:
        """The column of a table of vectors that says what they are of."""
        return next(str(column.column) for column in self.fields if column.name not in ("space", "vector"))

    @property
    def key(self) -> str:
        """The column of the table's primary key."""
        return str(self.model._meta.pk.column)

    @property
    def has_numbers(self) -> bool:
        """Whether its rows have numbers of their own, not those of other rows."""
        return not isinstance(self.model._meta.pk, ForeignKey)

    def is_datasource(self, column: "Field[Any, Any]") -> bool:
        return isinstance(column, ForeignKey) and column.related_model is Datasource


def is_person(column: "Field[Any, Any]") -> bool:
    return isinstance(column, ForeignKey) and column.related_model is User


def refers_to(table: Table, column: "Field[Any, Any]") -> str:
    """The label of the table whose rows the column names; empty for none."""
    if isinstance(column, ForeignKey):
        return str(column.related_model._meta.label)
    return table.ids.get(column.name, "")


def is_left_out(label: str) -> bool:
    """Whether the table belongs to a desk that this server does without."""
    return label.partition(".")[0] in settings.LEFT_OUT


_INDEX = {
    "indexed": False,
    "recall": None,
    "recall_tested": None,
    "recall_queries": 0,
    "short_answers": 0,
    "exact_ms": None,
    "index_ms": None,
}

# What refers to others stands after them.
_ALL = (
    Table(
        label=DATASOURCE,
        rows=here("pk"),
        fresh={
            "paused": False,
            "documents_at_most": 0,
            "size_at_most": 0,
            "matter": None,
            "archived": None,
        },
    ),
    Table(
        label=DOCUMENT,
        rows=lambda scope: Q(pk__in=scope.documents),
        fresh={"status_before": "", "read_elsewhere": True},
        settled=DocumentStatus.CANCELLED,
    ),
    Table(label="datasources.WebPage", rows=of_documents(), fresh={"outcome_words": None}),
    Table(label="datasources.Introduction", ids={"documents": DOCUMENT}, json_ids=("questions",)),
    Table(label="ingestion.Page", rows=of_read()),
    Table(label="ingestion.Annotation", rows=of_read("page__document")),
    Table(label="ingestion.Doubt", rows=of_read("page__document")),
    Table(label="ingestion.Section", rows=of_read()),
    Table(label="ingestion.Table", rows=of_read()),
    Table(label="ingestion.TableRow", rows=of_read()),
    Table(label="ingestion.Attachment", rows=of_read("mail"), fresh={"refusal_words": None}),
    Table(label=CHUNK, rows=of_read()),
    Table(
        label=SPACE,
        rows=lambda scope: Q(datasource=scope.datasource, status=SpaceStatus.CURRENT),
        fresh=_INDEX,
    ),
    Table(
        label="ingestion.ChunkEmbedding",
        rows=lambda scope: of_read("chunk__document")(scope) & Q(space__status=SpaceStatus.CURRENT),
        only_vectors=True,
    ),
    Table(label=ENTITY, ids={"passages": CHUNK, "sources": CHUNK}),
    Table(label="graph.EntityName"),
    Table(label="graph.EntityMention", rows=of_read()),
    Table(label="graph.RelationMention", rows=of_read()),
    Table(label=RELATION, ids={"passages": CHUNK}),
    Table(
        label="graph.NameEmbedding",
        rows=lambda scope: Q(entity__datasource=scope.datasource, space__status=SpaceStatus.CURRENT),
        only_vectors=True,
    ),
    Table(
        label="graph.EntityEmbedding",
        rows=lambda scope: Q(entity__datasource=scope.datasource, space__status=SpaceStatus.CURRENT),
        only_vectors=True,
    ),
    Table(
        label="graph.RelationEmbedding",
        rows=lambda scope: Q(relation__datasource=scope.datasource, space__status=SpaceStatus.CURRENT),
        only_vectors=True,
    ),
    Table(
        label="graph.EntityPosition",
        rows=lambda scope: Q(entity__in=apps.get_model(ENTITY).objects.filter(datasource=scope.datasource)),
    ),
    Table(label="graph.MergeCandidate"),
    Table(
        label="graph.Decision",
        rows=lambda scope: (
            Q(datasource=scope.datasource) & (Q(document=None) | Q(document__in=scope.documents))
        ),
    ),
    Table(label="graph.PairVerdict", ids={"documents": DOCUMENT}),
    Table(label="graph.ChunkExtraction", rows=of_read(), fresh={"cached": None}),
    Table(label="graph.ExtractionSpend"),
    Table(label="graph.GraphSettings"),
    Table(label="summaries.SummarySettings", fresh={"problem": ""}),
    Table(label="summaries.ChunkSummary", rows=of_read()),
    Table(label="summaries.DocumentSummary", rows=of_read()),
    Table(label="research.Paper", rows=of_documents()),
    Table(label="research.Reference", rows=of_read()),
    Table(label="chat.AnswerSettings"),
    Table(label="chat.Note", json_ids=("sources",)),
    Table(label="memos.Memo", json_ids=("sources",)),
    Table(label="evaluation.QuestionSet", json_ids=("ordered", "made"), settled="ready"),
    Table(label="evaluation.Question", rows=here("question_set__datasource"), ids={"about": DOCUMENT}),
    Table(label="evaluation.GoldQuote", rows=here("question__question_set__datasource")),
    Table(label="evaluation.Run", fresh={"is_scheduled": False}, settled="stopped"),
    Table(
        label="evaluation.Result",
        fresh={"error_words": None},
        rows=here("run__datasource"),
        json_ids=("citations", "passages", "trace"),
    ),
    Table(
        label="evaluation.Verdict",
        rows=lambda scope: Q(result__run__datasource=scope.datasource, person=scope.person),
    ),
    Table(label="tables.ReviewTable", settled="stopped"),
    Table(label="tables.Column", rows=here("table__datasource")),
    Table(
        label="tables.Row",
        rows=lambda scope: Q(table__datasource=scope.datasource, document__in=scope.documents),
    ),
    Table(
        label="tables.Cell",
        fresh={"reason_words": None},
        rows=lambda scope: Q(row__table__datasource=scope.datasource, row__document__in=scope.documents),
    ),
    Table(
        label=FRAMEWORK,
        rows=lambda scope: Q(pk__in=scope.frameworks.values("pk")),
        fresh={"is_shared": False},
    ),
    Table(label="compliance.Requirement", rows=of_frameworks("framework")),
    Table(
        label="compliance.Attachment",
        rows=lambda scope: Q(datasource=scope.datasource, framework__in=scope.frameworks),
    ),
    Table(label="compliance.Subject"),
    Table(
        label="compliance.Subject_documents",
        rows=lambda scope: Q(subject__datasource=scope.datasource, document__in=scope.documents),
    ),
    Table(
        label="compliance.Assessment",
        rows=lambda scope: Q(datasource=scope.datasource, framework__in=scope.frameworks),
    ),
    Table(label="compliance.Check", rows=of_assessments("assessment"), settled="stopped"),
    Table(
        label="compliance.Finding",
        rows=of_assessments("assessment"),
        ids={"read": DOCUMENT},
        fresh={"error_words": None},
    ),
    Table(
        label="compliance.Evidence",
        rows=lambda scope: of_assessments("finding__assessment")(scope) & of_documents()(scope),
    ),
    Table(label="compliance.Review", rows=of_assessments("assessment")),
    Table(
        label="chat.Conversation",
        rows=own_conversations(),
        fresh={"api_token": None},
        ids={"document_ids": DOCUMENT},
    ),
    Table(
        label=TURN,
        rows=own_conversations("conversation__"),
        fresh={"chosen_model": None, "cache_key": "", "imported": True},
        ids={"document_ids": DOCUMENT},
        json_ids=(
            "steps",
            "trace",
            "nearest",
            "search",
            "follow_ups",
            "notices",
            "differ",
            "verdict",
        ),
        settled="stopped",
    ),
    Table(
        label="chat.Citation",
        rows=own_conversations("turn__conversation__"),
        ids={"chunk_id_hint": CHUNK},
    ),
    Table(label="chat.Feedback", rows=own_conversations("turn__conversation__")),
    Table(label="chat.Instructions", rows=own_conversations()),
)
CARRIED = tuple(table for table in _ALL if not is_left_out(table.label))

MADE_ANEW = "made anew from what is in the bundle"
PEOPLE = "who may see a datasource is decided where it is"
OF_A_MOMENT = "work of a moment, or what a run has paid until its end"
TOLD = "it has a secret, and its server was asked to watch another datasource"
LEFT_OUT = {
    "datasources.Membership": PEOPLE,
    "datasources.Invitation": PEOPLE,
    "datasources.JoinLink": PEOPLE,
    "datasources.GroupShare": PEOPLE,
    "datasources.Deletion": "a receipt of what is gone, for who was there",
    "ingestion.ChunkTerms": MADE_ANEW,
    "ingestion.DocumentTerms": MADE_ANEW,
    "ingestion.TermCount": MADE_ANEW,
    "ingestion.Word": MADE_ANEW,
    "graph.NameBlock": MADE_ANEW,
    "graph.DocumentNode": MADE_ANEW,
    "evaluation.Schedule": "it spends money as a person who is not there",
    "evaluation.PaidReply": OF_A_MOMENT,
    "evaluation.PaidVector": OF_A_MOMENT,
    "evaluation.PaidWriting": OF_A_MOMENT,
    "compliance.PaidReply": OF_A_MOMENT,
    "tables.PaidReply": OF_A_MOMENT,
    "chat.PaidReply": OF_A_MOMENT,
    "research.PaperImport": OF_A_MOMENT,
    "research.ImportedPaper": OF_A_MOMENT,
    "shares.ShareRule": PEOPLE,
    "shares.ShareLink": PEOPLE,
    "connectors.Connector": "it has a password",
    "connectors.FollowedFile": "it belongs to a connected source",
    "connectors.Counterpart": "it belongs to a connected source",
    "connectors.Brought": "it belongs to connected sources",
    "webhooks.Webhook": TOLD,
    "webhooks.Delivery": TOLD,
    "outside_tools.AttachedTool": "its server is one that an administrator allows there",
    "svq_site.Welcome": "a person's first page",
    "connections.Connection": "it has a key",
    "connections.Assignment": "it belongs to a key",
    "spending.Spending": "what was spent was spent there",
    "spending.MonthlyBudget": "what may be spent is decided where it is spent",
    "jobs.ServedLane": OF_A_MOMENT,
    "accounts.AuditEntry": "the log of a deployment stays with it",
    "bundles.BundleImport": "how the datasource came here",
}


def table_of(label: str) -> Table:
    return next(table for table in CARRIED if table.label == label)
