"""Every page, in both themes and at both widths: no broken accessibility rule, nothing beyond the edge of the
window, no script error, nothing that the content security policy blocks.
"""

import hashlib
import json
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser
from playwright.sync_api import Page as Tab

from accounts.api_tokens import make_token
from accounts.models import TokenScope, User
from datasources import matters
from datasources.models import Datasource, Document, DocumentStatus
from datasources.services import create_datasource
from datasources.settings.sections import SECTIONS
from desks.evaluation.models import Result, RunStatus
from desks.evaluation.runs.services import start_runs
from graph.curation import services
from graph.extraction.llm.budget import record
from graph.layout import node_positions
from graph.models import ChunkExtraction, ExtractionState
from ingestion.adding.upload import accept_upload
from providers.protocols import Usage
from tests import axe
from tests.browser import DESKTOP, PHONE, Live, wait_until
from tests.evaluation.world import BACKUPS, question_set
from tests.factories import SAMPLE, make_document, make_turn
from tests.graph.corpus import PAIRS, named, upload
from tests.people import person

pytest_plugins = ["tests.browser"]
pytestmark = pytest.mark.django_db

OF_DATASOURCE, OF_DOCUMENT = ["datasource"], ["datasource", "document"]
OF_ENTITY = ["datasource", "entity"]
OF_SET, OF_RUN = ["datasource", "question_set"], ["datasource", "run"]
# Name, URL name, its arguments in the world below, query, whether somebody is signed in.
PAGES: list[tuple[str, str, list[str], str, bool]] = [
    ("sign in", "account_login", [], "", False),
    ("sign up", "account_signup", [], "", False),
    ("new password", "account_reset_password", [], "", False),
    ("home", "home", [], "", True),
    ("new datasource", "new_datasource", [], "", True),
    ("matters", "matters", [], "", True),
    ("matter", "matter", ["matter"], "", True),
    ("put into a matter", "put_in_matter", ["matter"], "", True),
    ("documents", "documents", OF_DATASOURCE, "", True),
    ("documents of an empty datasource", "documents", ["empty"], "", True),
    ("new chat", "chat", OF_DATASOURCE, "", True),
    ("conversation", "conversation", ["datasource", "conversation"], "", True),
    ("conversation with a source", "conversation", ["datasource", "conversation"], "?cite=1", True),
    ("evidence pack", "conversation_pack", ["datasource", "conversation"], "", True),
    ("reader", "reader", OF_DOCUMENT, "", True),
    ("words found", "reader", OF_DOCUMENT, "?q=bakcups", True),
    ("words not found", "reader", OF_DOCUMENT, "?q=zebra", True),
    ("chunk in the reader", "reader", OF_DOCUMENT, "?chunk={chunk}", True),
    ("text that has no page", "reader", ["datasource", "passage"], "?q=harbour", True),
    ("failed document", "reader", ["datasource", "failed"], "", True),
    ("chunks", "chunks", OF_DATASOURCE, "?document={document}", True),
    ("opened chunk", "chunks", OF_DATASOURCE, "?chunk={chunk}", True),
    ("all chunks", "chunks", OF_DATASOURCE, "?document=all&sort=quality", True),
    ("search", "search", OF_DATASOURCE, "", True),
    ("passages found", "search", OF_DATASOURCE, "?q=backups+kept", True),
    ("every passage", "search", OF_DATASOURCE, "?q=the&exact=1", True),
    ("nothing found", "search", OF_DATASOURCE, "?q=zzyzx&document={document}", True),
    ("search of an empty datasource", "search", ["empty"], "?q=backups", True),
    ("search of all datasources", "search_all", [], "?q=backups", True),
    ("found passage in the reader", "reader", OF_DOCUMENT, "?chunk={chunk}&search=q%3Dbackups", True),
    ("re-chunk", "rechunk", OF_DATASOURCE, "?document={document}", True),
    ("no chunks", "chunks", ["empty"], "", True),
    ("datasource settings", "datasource_settings", OF_DATASOURCE, "", True),
    *[
        (
            f"settings: {section.label}",
            "datasource_settings",
            OF_DATASOURCE,
            f"{section.name}/",
            True,
        )
        for section in SECTIONS
    ],
    ("a setting found", "datasource_settings", OF_DATASOURCE, "?q=language", True),
    ("settings of an empty datasource: Graph", "datasource_settings", ["empty"], "graph/", True),
    ("appearance", "account_appearance", [], "", True),
    ("limits", "account_limits", [], "", True),
    ("graph", "graph", OF_DATASOURCE, "", True),
    ("graph as a list", "graph", OF_DATASOURCE, "?view=list", True),
    ("entity beside the graph", "graph", OF_DATASOURCE, "?entity={entity}", True),
    ("entity beside the list", "graph", OF_DATASOURCE, "?view=list&entity={entity}", True),
    ("graph of an empty datasource", "graph", ["empty"], "", True),
    ("graph review", "graph_review", OF_DATASOURCE, "", True),
    ("graph review of an empty datasource", "graph_review", ["empty"], "", True),
    ("graph decisions", "graph_decisions", OF_DATASOURCE, "", True),
    ("merging of entities", "entity_merge", OF_ENTITY, "?q=smith", True),
    ("splitting of an entity", "entity_split", OF_ENTITY, "", True),
    ("relations", "graph_relations", OF_DATASOURCE, "", True),
    ("types of an entity", "entity_types", OF_ENTITY, "", True),
    ("your settings", "account_settings", [], "", True),
    ("API tokens", "api_tokens", [], "", True),
    ("new API token", "new_api_token", [], "", True),
    ("change password", "account_change_password", [], "", True),
    ("sign out", "account_logout", [], "", True),
    ("two runs compared", "evaluation", OF_DATASOURCE, "?run=2&against=1", True),
    ("evaluation of an empty datasource", "evaluation", ["empty"], "", True),
    ("question of a run", "evaluation_question", [*OF_RUN, "question"], "?against=1", True),
    ("report of a run", "evaluation_export", [*OF_RUN, "report"], "?against=1", True),
    ("check of the judge", "evaluation_judge", OF_RUN, "", True),
    ("checks to begin with", "gaps", OF_DATASOURCE, "", True),
    ("checks of an empty datasource", "gaps", ["empty"], "", True),
    ("tables of an empty datasource", "tables", ["empty"], "", True),
    ("activity", "activity", OF_DATASOURCE, "", True),
    ("activity of an empty datasource", "activity", ["empty"], "", True),
    ("new run", "evaluation_new", OF_DATASOURCE, "", True),
    ("question sets", "question_sets", OF_DATASOURCE, "", True),
    ("question set", "question_set", OF_SET, "", True),
    ("new question", "question_new", OF_SET, "", True),
    ("nothing here", "documents", ["nowhere"], "", True),
]
NOWHERE = 999_999
VIEWS = ((DESKTOP, "light"), (PHONE, "light"), (PHONE, "dark"))


@pytest.fixture(scope="module")
def world(kept_live: Live) -> Any:
    """A datasource with a document that was really read, one that failed, a ready passage and an answer."""
    alice = person("alice")
    contracts = create_datasource(alice, "Contracts")
    with SAMPLE.open("rb") as file:
        (document,) = accept_upload(contracts, alice, SAMPLE.name, file)
    lines = json.dumps({"title": "Harbour", "text": "The harbour opens at noon."}) + "\n"
    (passage,) = accept_upload(contracts, alice, "facts.jsonl", BytesIO(lines.encode()))
    ids = [document.document.pk, passage.document.pk]
    wait_until(lambda: Document.objects.ready().filter(pk__in=ids).count() == 2, "the reading")
    asked = evaluated(contracts, alice)
    cited = contracts.documents.get(title="Questionnaire")
    failed = make_document(
        contracts,
        "Scan",
        "x",
        status=DocumentStatus.FAILED,
        chunk_count=0,
        error_code="damaged",
        error_message="This PDF is damaged.",
        error_hint="Save it again and replace it.",
    )
    failed.pages.all().delete()
    failed.chunks.all().delete()
    chunk = document.document.chunks.first()
    assert chunk is not None
    ChunkExtraction.objects.create(
        chunk=chunk,
        document=document.document,
        datasource=contracts,
        state=ExtractionState.FAILED,
        error="The answer does not fit.",
    )
    record(contracts.pk, "reader", calls=3, usage=Usage(prompt_tokens=900, completion_tokens=200))
    upload(contracts, *PAIRS)
    services.rename(named(contracts, "oslo"), "Oslo, Norway", alice)
    node_positions.lay_out(contracts.pk)
    make_token(alice, name="Notebook", scopes=[TokenScope.READ], datasource_ids=[contracts.pk], days=30)
    empty = create_datasource(alice, "Empty")
    matter = matters.make_matter("Northwind v. Halden", by=alice)
    matters.put_in(matter, empty, by=alice)
    return SimpleNamespace(
        session=kept_live.session_of(alice),
        datasource=contracts.pk,
        question_set=asked.question.question_set_id,
        run=asked.run.number,
        question=asked.question_id,
        report="html",
        entity=named(contracts, "john smith").pk,
        document=document.document.pk,
        chunk=chunk.pk,
        passage=passage.document.pk,
        failed=failed.pk,
        conversation=make_turn(alice, cited).conversation_id,
        empty=empty.pk,
        matter=matter.pk,
        nowhere=NOWHERE,
    )


def evaluated(datasource: Datasource, person: User) -> Result:
    """Two runs of a set, the second with a judge; what became of the last question in that."""
    runs = start_runs(person, question_set(datasource, person), ["fast", "fast,legs=bm25"], queued=False)
    document = datasource.documents.get(title="Questionnaire")
    where = {"document": document.pk, "title": document.title, "pages": [1], "start": 0, "end": len(BACKUPS)}
    citation = {"n": 1, "claim": BACKUPS, "quote": BACKUPS, "on_page": "exact", "support": "supported"}
    judged = {
        "model": "judge",
        "scores": {"adherence": 1.0},
        "statements": [{"text": BACKUPS, "supported": True, "reason": "It says so."}],
    }
    for place, run in enumerate(runs):
        for question in run.questions():
            result = Result.objects.create(
                run=run,
                question=question,
                outcome="answered",
                answer=f"{BACKUPS} ⟦1⟧",
                citations=[citation | where | {"reason": ""}],
                passages=[where | {"chunk": 0, "gold": True, "used": True}],
                scores={"relevance": 0.5, "utilisation": 0.5, "completeness": place, "adherence": 1.0},
                legs={"fused": {"hit_at_5": 1.0}},
                judged=judged if place else {},
                seconds=1.0 + place,
            )
        run.write(status=RunStatus.DONE, frozen={**run.frozen, "judge": "judge" if place else ""})
    return result


@pytest.fixture(scope="module")
def tabs(browser: Browser, world: Any) -> Iterator[dict[bool, Tab]]:
    """Of somebody who is signed in, and of a stranger."""
    made = {}
    for signed_in in (True, False):
        context = browser.new_context(viewport=DESKTOP, reduced_motion="reduce")  # type: ignore[arg-type]
        if signed_in:
            context.add_cookies([world.session])
        made[signed_in] = context.new_page()
    yield made
    for tab in made.values():
        tab.context.close()


def problems_of(tab: Tab) -> Iterator[str]:
    for size, theme in VIEWS:
        tab.set_viewport_size(size)  # type: ignore[arg-type]
        tab.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        where = f"{theme}, {size['width']} px: "
        wider = tab.evaluate("document.documentElement.scrollWidth - innerWidth")
        if wider > 0:
            yield f"{where}{wider} px beyond the edge"
        # A theme changes nothing but colours, and a width nothing of them: each is looked at once.
        rules = None if theme == "light" else [axe.CONTRAST]
        without = (axe.CONTRAST,) if size == PHONE and theme == "light" else ()
        yield from (where + violation for violation in axe.violations(tab, rules, without=without))


@pytest.mark.parametrize(
    ("url", "arguments", "query", "signed_in"), [page[1:] for page in PAGES], ids=[page[0] for page in PAGES]
)
def test_a_page_is_accessible_and_fits(
    kept_live: Live,
    tabs: dict[bool, Tab],
    world: Any,
    url: str,
    arguments: list[str],
    query: str,
    signed_in: bool,
) -> None:
    path = reverse(url, args=[getattr(world, argument) for argument in arguments])
    problems = list(visit(tabs[signed_in], kept_live.base_url + path + query.format(**vars(world))))
    assert not problems, "\n".join(problems)


def visit(tab: Tab, address: str) -> Iterator[str]:
    """Everything that is wrong at that address."""
    said: list[str] = []

    def hear(message: Any) -> None:
        if message.type == "error":
            said.append(message.text)

    tab.on("console", hear)
    tab.set_viewport_size(DESKTOP)  # type: ignore[arg-type]
    tab.emulate_media(color_scheme="light")
    answer = tab.goto(address)
    assert answer is not None
    nowhere = str(NOWHERE) in address
    if answer.status != (404 if nowhere else 200):
        yield f"status {answer.status}"
    yield from problems_of(tab)
    tab.remove_listener("console", hear)
    if not nowhere:  # the browser itself calls a 404 an error
        yield from said


def test_the_rules_are_those_of_the_lock() -> None:
    vendor = Path(axe.__file__).parent / "vendor"
    (package,) = json.loads((vendor / "vendor.lock.json").read_text())["packages"]
    folder = vendor / package["name"] / package["version"]
    assert {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()} == package[
        "files"
    ]


def test_a_broken_page_is_found(browser: Browser) -> None:
    tab = browser.new_page()
    tab.set_content("<html lang=en><title>Broken</title><main><h1>Hi</h1><img src=x><input></main></html>")
    assert {found.split(" ")[0] for found in axe.violations(tab)} == {"image-alt", "label"}
    tab.close()
