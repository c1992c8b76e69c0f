"""The kinds of work in whose middle something happens."""

import io
import json
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from accounts.models import User
from datasources.models import Datasource
from datasources.services import create_datasource
from desks.compliance.checks.services import start_check
from desks.compliance.models import Check, Finding
from desks.evaluation.models import Result
from desks.evaluation.models import Run as EvaluationRow
from desks.research.arxiv_api.identifiers import ArxivId
from desks.research.models import ImportedPaper
from desks.research.services import start_import
from desks.tables import services as tables
from desks.tables.models import Cell
from graph.models import Entity
from ingestion.adding.upload import accept_upload
from ingestion.indexes import reembedding
from ingestion.lifecycle import deletion
from tests.compliance.world import assessor, vendor
from tests.conftest import run_jobs
from tests.evaluation import world as evaluation
from tests.factories import SAMPLE, make_document
from tests.openai_server import ScriptedOpenAI
from tests.people import person
from tests.research.world import TITLES, arxiv_here
from tests.tables.world import LAW, NOTICE, reads, table_of

LLM = {"SVQ_LLM_MODEL": "scripted"}


@dataclass(slots=True, kw_only=True)
class Stage:
    """Where a scenario runs. environment: of the process that something happens to."""

    settings: Any
    monkeypatch: Any
    folder: Path
    cleanup: ExitStack
    alice: User = field(init=False)
    datasource: Datasource = field(init=False)
    environment: dict[str, str] = field(default_factory=dict)
    server: ScriptedOpenAI | None = None

    def __post_init__(self) -> None:
        self.alice = person("alice")
        self.datasource = create_datasource(self.alice, "Contracts")

    def model(self, script: Any = ()) -> ScriptedOpenAI:
        """A model server, for this process and for the other."""
        self.server = self.cleanup.enter_context(ScriptedOpenAI(script, dimensions=48))
        return self.server

    def chat_model(self, script: Any) -> None:
        server = self.model(script)
        self.settings.LLM_BASE_URL, self.settings.LLM_MODEL = server.base_url, "scripted"
        self.environment |= LLM | {"SVQ_LLM_BASE_URL": server.base_url}

    def paid(self) -> Counter[str]:
        """How often each request was sent to the language model."""
        requests = self.server.requests if self.server else []
        return Counter(json.dumps(request, sort_keys=True) for request in requests)


def read(stage: Stage) -> None:
    """A document is added."""
    accept_upload(stage.datasource, stage.alice, SAMPLE.name, io.BytesIO(SAMPLE.read_bytes()))


def read_again(stage: Stage) -> None:
    """The datasource gets another model of embeddings: all vectors are made again, then they take over."""
    read(stage)
    run_jobs()
    server = stage.model()
    stage.settings.EMBEDDING_BASE_URL, stage.settings.EMBEDDING_MODEL = server.base_url, "larger"
    stage.environment |= {"SVQ_EMBEDDING_BASE_URL": server.base_url, "SVQ_EMBEDDING_MODEL": "larger"}
    reembedding.follow_configured()


def evaluate(stage: Stage) -> None:
    """A question set is asked and scored."""
    evaluation.started(evaluation.question_set(stage.datasource, stage.alice), stage.alice)


def fill_table(stage: Stage) -> None:
    """A table of two documents and two questions is filled by a model."""
    stage.chat_model(
        [
            reads("Arden agreement", {"1": ("sixty days' written notice", NOTICE), "2": ("Denmark", LAW)}),
            reads("Brook agreement", {"2": ("the laws of Denmark", LAW)}),
        ]
    )
    tables.fill(stage.alice, table_of(stage.datasource, stage.alice))


def check_gaps(stage: Stage) -> None:
    """Three requirements are checked against two documents by a model."""
    stage.chat_model(assessor)
    made, subject = vendor(stage.datasource, stage.alice)
    start_check(stage.alice, made, subject)


def delete(stage: Stage) -> None:
    """Two of three documents are deleted, with their files, vectors and pictures of pages."""
    read(stage)
    run_jobs()
    gone = [make_document(stage.datasource, title, title).pk for title in ("A", "B")]
    stage.monkeypatch.setattr(deletion, "UNDO_SECONDS", 0)
    deletion.delete_documents(stage.datasource, gone, stage.alice)


def import_papers(stage: Stage) -> None:
    """Two papers come from arXiv."""
    arxiv = stage.cleanup.enter_context(arxiv_here(stage.settings, stage.monkeypatch, stage.folder))
    stage.environment |= {
        "SVQ_ARXIV_API_URL": f"{arxiv.url}/api/query",
        "SVQ_ARXIV_PDF_URL": f"{arxiv.url}/pdf",
        "SVQ_ARXIV_PAUSE": "0",
    }
    start_import(stage.datasource, stage.alice, [ArxivId(number=number) for number in list(TITLES)[:2]])


def import_graph(stage: Stage) -> None:
    """A graph that was made elsewhere takes the place of a document's."""
    read(stage)
    run_jobs()
    document = stage.datasource.documents.get()
    stage.alice.is_superuser = True
    stage.alice.save()
    words = sorted({e.name for e in Entity.objects.filter(datasource=stage.datasource)})[:6]
    rows = [{"document": document.pk, "entities": words, "triples": [[words[0], "names", words[1]]]}]
    file = stage.folder / "graph.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    stage.environment["COMMAND"] = json.dumps(["import_graph", stage.datasource.name, str(file)])


def results(stage: Stage) -> Iterable[Any]:
    """What the work itself has written, besides the documents."""
    yield from Result.objects.values_list("question__text", "scores__completeness", "error")
    yield from EvaluationRow.objects.values_list("status", "error_message")
    yield from Cell.objects.values_list("row__document__title", "column__name", "state", "value", "quote")
    yield from Check.objects.values_list("status", "counts__covered", "counts__to_judge")
    yield from Finding.objects.values_list("requirement__ref", "verdict")
    yield from ImportedPaper.objects.values_list("title", "status")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """functions: the moments at which something happens in every run of the tests: module, name, before or
    after, which call. under_way: requests to a model that may be sent again, being under way at that moment.
    """

    name: str
    begin: Callable[[Stage], None]
    functions: tuple[tuple[str, str, str, int], ...] = ()
    under_way: int = 0


STEPS = {
    "fetch": "Fetch",
    "extract": "Extract",
    "attachments": "Attachments",
    "recognise": "Recognise",
    "split": "Split",
    "embed": "Embed",
}
READING = (
    *((f"ingestion.steps.{module}", f"{name}.run", "after", 1) for module, name in STEPS.items()),
    ("ingestion.steps.extract", "store_pages", "after", 1),
    ("graph.steps", "FindMentions.run", "before", 1),
    ("graph.steps", "FindMentions.run", "after", 1),
    ("ingestion.pipeline", "publish", "after", 1),
)
SCENARIOS = {
    scenario.name: scenario
    for scenario in (
        Scenario(name="reading", begin=read, functions=READING),
        Scenario(
            name="re-embedding",
            begin=read_again,
            functions=(("ingestion.indexes.reembedding", "_switch", "before", 1),),
        ),
        Scenario(
            name="evaluation",
            begin=evaluate,
            functions=(("desks.evaluation.runs.run", "_record", "before", 2),),
        ),
        Scenario(
            name="table",
            begin=fill_table,
            under_way=2,
            functions=(("desks.tables.filling.run", "_write_part", "before", 2),),
        ),
        Scenario(
            name="gap check",
            begin=check_gaps,
            under_way=3,
            functions=(("desks.compliance.checks.run", "_record", "before", 2),),
        ),
        Scenario(
            name="deletion",
            begin=delete,
            functions=(("ingestion.lifecycle.purging", "purge_rows", "before", 2),),
        ),
        Scenario(
            name="papers",
            begin=import_papers,
            functions=(("desks.research.importing", "_store", "after", 1),),
        ),
        Scenario(
            name="graph import",
            begin=import_graph,
            functions=(("graph.exchange.jsonl_import", "_rows_of", "after", 1),),
        ),
    )
}
