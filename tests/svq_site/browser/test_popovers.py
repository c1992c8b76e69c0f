"""Everything that opens over a page can be read: inside the window, not covered, not cut, with contrast.

Every second one is opened in the window of a desktop, the others in that of a phone, and by `make fuzz` all
of them in both. Pictures of what can't be read are left for people in var/pictures, which git ignores.
Whoever adds a popover, menu or dialog adds a line to POPOVERS.
"""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.api_tokens import make_token
from accounts.identity.models import IdentityProvider
from accounts.models import PeopleGroup, TokenScope
from datasources.models import DocumentStatus, Matter, Role
from datasources.services import create_datasource
from desks.compliance.checks.services import start_check
from desks.compliance.checks.subjects import create_subject
from desks.compliance.frameworks.services import attach
from desks.compliance.models import CheckStatus
from desks.evaluation.models import Kind, Origin
from desks.evaluation.questions.draft import Draft
from desks.evaluation.questions.services import add_questions, create_set
from desks.tables.services import create_table
from exchange.shares.services import make_link
from graph.document_map import build
from graph.layout import node_positions
from ingestion import structure_rows
from tests import axe
from tests.browser import DESKTOP, PHONE, Live
from tests.compliance.world import framework
from tests.evaluation.world import started
from tests.factories import make_document, make_turn, make_vector
from tests.graph.corpus import LETTERS, entity, learn
from tests.people import person
from tests.tables.world import COLUMNS

pytest_plugins = ["tests.browser"]
pytestmark = pytest.mark.django_db

PICTURES = settings.BASE_DIR / "var" / "pictures" / "popovers"
HANDBOOK = "1. Fees\nThe fee is 12 euro.\n1.1 Late payment\nInterest is due.\n2. Term\nOne year.\n"
BOTH = (DESKTOP, PHONE)
IN_BOTH = bool(os.environ.get("SVQ_FUZZ"))
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
DIALOG = "dialog.dlg[open]"
MENU = "details[data-menu][open] > .pop"
LONG = "Master services agreement between Arden Legal LLP and Helios Datacentres"


def click(selector: str) -> Callable[[Page], None]:
    return lambda page: page.locator(selector).filter(visible=True).last.click()


def select(selector: str, value: str) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        page.locator(selector).select_option(value)

    return act


def press(*keys: str) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        for key in keys:
            page.keyboard.press(key)

    return act


def both(*acts: Callable[[Page], None]) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        for each in acts:
            each(page)

    return act


def typed(text: str) -> Callable[[Page], None]:
    return lambda page: page.keyboard.type(text)


def chosen(text: str) -> Callable[[Page], None]:
    """An entry of the menu that is open."""
    return lambda page: page.locator(MENU).get_by_text(text).first.click()


def toast(kind: str) -> Callable[[Page], None]:
    text = "The server cannot be reached. Check the connection, then try again."
    return lambda page: page.evaluate(
        "detail => document.dispatchEvent(new CustomEvent('toast', { detail }))", {"text": text, "kind": kind}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Popover:
    """`markup` is the file that holds it. `open` acts on the page `url`; then `shown` is seen."""

    name: str
    markup: str
    url: str
    args: tuple[str, ...] = ("datasource",)
    query: str = ""
    open: Callable[[Page], None]
    shown: str = MENU
    sizes: tuple[Any, ...] = BOTH


TABLE = ("datasource", "table")
CONVERSATION = ("datasource", "conversation")
MORE = "summary[aria-label='More about this conversation']"
ENTITY_MENU = "#panel summary[aria-label^=Change]"
HOME = "home"

POPOVERS = (
    Popover(name="datasources", markup="components/topbar.html", url="documents", open=click(".dsname")),
    Popover(
        name="connect",
        markup="providers/connect.html",
        url="documents",
        shown=DIALOG,
        open=both(click("text=Connect a model"), lambda page: page.locator(".mo-place").first.wait_for()),
    ),
    Popover(
        name="more",
        markup="components/more.html",
        url="documents",
        shown="#more",
        open=click("[popovertarget=more]"),
    ),
    Popover(
        name="account",
        markup="components/topright.html",
        url="documents",
        open=click("summary[aria-label^=Account]"),
    ),
    Popover(
        name="palette",
        markup="components/dialogs.html",
        url="documents",
        shown="#palette[open]",
        open=both(press("Control+k"), typed("back"), lambda page: page.locator(".pal-q").first.wait_for()),
    ),
    Popover(
        name="shortcuts", markup="components/dialogs.html", url="documents", shown=DIALOG, open=press("?")
    ),
    Popover(
        name="signed-out",
        markup="components/dialogs.html",
        url="documents",
        shown=DIALOG,
        open=lambda page: page.evaluate("document.getElementById('signin').showModal()"),
    ),
    Popover(
        name="outline",
        markup="reader/reader.html",
        url="reader",
        args=("datasource", "outlined"),
        open=click("summary[aria-label=Outline]"),
        sizes=(PHONE,),
    ),
    Popover(name="toast", markup="components/toast.html", url="documents", shown=".toast", open=toast("")),
    Popover(
        name="toast-error", markup="components/toast.html", url="documents", shown=".toast", open=toast("bad")
    ),
    Popover(
        name="language",
        markup="components/language_menu.html",
        url="account_logout",
        args=(),
        open=click(".si footer summary"),
    ),
    Popover(name="scope", markup="chat/_scope.html", url="chat", open=click("#scope > summary")),
    Popover(
        name="scope-in-a-conversation",
        markup="chat/_scope.html",
        url="conversation",
        args=CONVERSATION,
        open=click("#scope > summary"),
    ),
    Popover(
        name="conversation", markup="chat/_head.html", url="conversation", args=CONVERSATION, open=click(MORE)
    ),
    Popover(
        name="rename",
        markup="chat/rename.html",
        url="conversation",
        args=CONVERSATION,
        shown=DIALOG,
        open=both(click(MORE), chosen("Rename")),
    ),
    Popover(
        name="not-helpful",
        markup="chat/feedback.html",
        url="conversation",
        args=CONVERSATION,
        shown=DIALOG,
        open=click("a[aria-label='Not helpful']"),
    ),
    Popover(
        name="evidence-pack",
        markup="packs/pack.html",
        url="conversation",
        args=CONVERSATION,
        shown=DIALOG,
        open=click("a[aria-label='Evidence pack']"),
    ),
    Popover(
        name="share-link",
        markup="shares/share.html",
        url="conversation",
        args=CONVERSATION,
        shown=DIALOG,
        open=click("a[aria-label='Share by a link']"),
    ),
    Popover(
        name="ask-again",
        markup="chat/again.html",
        url="conversation",
        args=CONVERSATION,
        shown=DIALOG,
        open=click("[aria-label='Edit the question and ask again']"),
    ),
    Popover(
        name="instructions",
        markup="chat/instructions.html",
        url="chat",
        shown=DIALOG,
        open=click("[hx-get$='/instructions/']"),
    ),
    Popover(
        name="table-column",
        markup="tables/_grid.html",
        url="table",
        args=TABLE,
        open=click("summary:has-text('Column')"),
    ),
    Popover(
        name="table-export",
        markup="tables/_grid.html",
        url="table",
        args=TABLE,
        open=click("summary:has-text('Export')"),
    ),
    Popover(
        name="question-set-export",
        markup="evaluation/set.html",
        url="question_set",
        args=("datasource", "questions"),
        open=click("summary:has-text('Export')"),
    ),
    Popover(
        name="run-export",
        markup="evaluation/overview.html",
        url="evaluation",
        open=click("summary:has-text('Export')"),
    ),
    Popover(
        name="check-report",
        markup="compliance/gaps.html",
        url="gaps",
        open=click("summary:has-text('Report')"),
    ),
    Popover(
        name="check-parts",
        markup="compliance/gaps.html",
        url="gaps",
        sizes=(PHONE,),
        shown="#parts",
        open=click("[popovertarget=parts]"),
    ),
    Popover(
        name="table-more",
        markup="tables/_grid.html",
        url="table",
        args=TABLE,
        open=click("summary[aria-label='More about this table']"),
    ),
    Popover(
        name="delete-conversation",
        markup="chat/delete.html",
        url="conversation",
        args=CONVERSATION,
        shown=DIALOG,
        open=both(click(MORE), chosen("Delete")),
    ),
    Popover(
        name="delete-memo",
        markup="memos/delete.html",
        url="memo",
        args=("datasource", "memo"),
        shown=DIALOG,
        open=click("[hx-get$='/delete/']"),
    ),
    Popover(
        name="conversations",
        markup="chat/_conversations.html",
        url="chat",
        sizes=(PHONE,),
        shown="#conversations",
        open=click("[popovertarget=conversations]"),
    ),
    Popover(
        name="source",
        markup="chat/chat.html",
        url="conversation",
        args=CONVERSATION,
        shown="dialog[data-pane]",
        open=click(".chip"),
    ),
    Popover(
        name="hover-card",
        markup="hovercard.js",
        url="conversation",
        args=CONVERSATION,
        sizes=(DESKTOP,),
        shown="#hovercard",
        open=lambda page: page.locator(".prose .chip").first.hover(),
    ),
    Popover(
        name="new-datasource",
        markup="datasources/new.html",
        url=HOME,
        args=(),
        shown=DIALOG,
        open=click(".btn[data-opens-for-files]"),
    ),
    Popover(
        name="new-token",
        markup="datasources/new_token.html",
        url="api_tokens",
        args=(),
        shown=DIALOG,
        open=both(click("[hx-get$='/tokens/new/']"), click("[name=reach][value=some]")),
    ),
    Popover(
        name="end-share-link",
        markup="shares/end.html",
        url="share_links",
        args=(),
        shown=DIALOG,
        open=click("[hx-get$='/end/']"),
    ),
    Popover(
        name="revoke-token",
        markup="datasources/revoke_token.html",
        url="api_tokens",
        args=(),
        shown=DIALOG,
        open=click("[hx-get$='/revoke/']"),
    ),
    Popover(
        name="remove-provider",
        markup="accounts/remove_provider.html",
        url="identity_provider",
        args=("provider",),
        shown=DIALOG,
        open=click("[hx-get$='/remove/']"),
    ),
    Popover(
        name="document",
        markup="ingestion/_menu.html",
        url="documents",
        open=both(
            lambda page: page.locator("[data-row]").last.scroll_into_view_if_needed(),
            click("[data-row] summary[aria-label^=More]"),
        ),
    ),
    Popover(
        name="add",
        markup="ingestion/documents.html",
        url="documents",
        open=click("summary[aria-label^='More ways']"),
    ),
    Popover(
        name="paste",
        markup="ingestion/paste.html",
        url="documents",
        shown=DIALOG,
        open=both(click("summary[aria-label^='More ways']"), chosen("Paste text")),
    ),
    Popover(
        name="web-page",
        markup="ingestion/web_page.html",
        url="documents",
        shown=DIALOG,
        open=both(click("summary[aria-label^='More ways']"), chosen("Add a web page")),
    ),
    Popover(
        name="details",
        markup="ingestion/details.html",
        url="documents",
        shown=DIALOG,
        open=both(click("[data-row] summary[aria-label^=More]"), chosen("Rename, tag")),
    ),
    Popover(
        name="replace",
        markup="ingestion/replace.html",
        url="documents",
        shown=DIALOG,
        open=both(click("[data-row] summary[aria-label^=More]"), chosen("Replace")),
    ),
    Popover(
        name="unlock",
        markup="ingestion/unlock.html",
        url="documents",
        shown=DIALOG,
        open=click("[hx-get$='/unlock/']"),
    ),
    Popover(
        name="delete-datasource",
        markup="ingestion/delete.html",
        url="datasource_settings",
        query="danger/",
        shown=DIALOG,
        open=click("[hx-get$='/delete/']"),
    ),
    Popover(
        name="rechunk",
        markup="ingestion/rechunk.html",
        url="chunks",
        shown=DIALOG,
        open=click("[hx-target='#dialog']"),
    ),
    Popover(
        name="search-filters",
        markup="reader/search.html",
        url="search",
        query="?q=backups&exact=1",
        sizes=(PHONE,),
        shown="#filters",
        open=click("[popovertarget=filters]"),
    ),
    Popover(
        name="filters",
        markup="graph/shell.html",
        url="graph",
        sizes=(PHONE,),
        shown="#filters",
        open=click("[popovertarget=filters]"),
    ),
    Popover(
        name="entities-found",
        markup="graph/_filters.html",
        url="graph",
        sizes=(DESKTOP,),
        shown="#suggestions",
        open=both(click("#graph-find"), typed("may")),
    ),
    Popover(
        name="entity",
        markup="graph/graph.html",
        url="graph",
        query="?entity={entity}",
        shown="#panel",
        open=lambda page: None,
    ),
    Popover(  # beside a line, on which nobody can point without a picture of the graph
        name="said-of-a-line",
        markup="graph/graph.html",
        url="graph",
        shown="#graph-said",
        sizes=(DESKTOP,),
        open=both(
            lambda page: page.locator("#canvas canvas").first.wait_for(),
            lambda page: page.evaluate(
                "Object.assign(document.getElementById('graph-said'), {hidden: false, "
                "textContent: 'Backups of order 1 are kept.', "
                "style: 'left: 200px; top: 200px; pointer-events: auto'})"
            ),
        ),
    ),
    Popover(
        name="entity-menu",
        markup="graph/_entity_menu.html",
        url="graph",
        query="?entity={entity}",
        open=click(ENTITY_MENU),
    ),
    *(
        Popover(
            name=f"entity-{name}",
            markup="graph/change.html",
            url="graph",
            query="?entity={entity}",
            shown=DIALOG,
            open=both(click(ENTITY_MENU), chosen(entry)),
        )
        for name, entry in (
            ("merge", "Merge"),
            ("alias", "Add another name"),
            ("split", "Split"),
            ("rename", "Rename"),
            ("types", "Change types"),
            ("hide", "Leave out"),
        )
    ),
    Popover(
        name="new-matter",
        markup="matters/new.html",
        url="matters",
        args=(),
        shown=DIALOG,
        open=click("[hx-get$='/new/']"),
    ),
    *(
        Popover(
            name=f"matter-{name}",
            markup=f"matters/{file}.html",
            url="matter",
            args=("matter",),
            shown=DIALOG,
            open=click(f"[hx-get$='/{part}/']"),
        )
        for name, file, part in (
            ("put-in", "put_in", "datasources"),
            ("archive", "archive", "archive"),
            ("delete", "delete", "delete"),
        )
    ),
    Popover(
        name="ask",
        markup="settings_pages/ask.html",
        url="group",
        args=("group",),
        shown=DIALOG,
        open=click("[hx-get$='?ask=delete']"),
    ),
    Popover(
        name="mask",
        markup="chat/mask.html",
        url="settings_section",
        args=("datasource", "section"),
        shown=DIALOG,
        open=both(
            select("#set-personal_data select", "mask"),
            click("#set-personal_data .btn"),
        ),
    ),
    Popover(
        name="map-document",
        markup="graph/documents.html",
        url="document_graph",
        query="?document={document}",
        shown="#panel",
        open=lambda page: None,
    ),
    Popover(
        name="kinds-of-files",
        markup="ingestion/documents.html",
        url="documents",
        open=click(".dx-more > summary"),
        sizes=(DESKTOP,),
    ),
    Popover(
        name="revoke-tokens",
        markup="datasources/revoke_tokens.html",
        url="api_tokens",
        args=(),
        shown=DIALOG,
        # its button is there for who has several
        open=lambda page: page.evaluate("htmx.ajax('GET', '/settings/tokens/revoke/', '#dialog')"),
    ),
    Popover(
        name="audit-filters",
        markup="audit/log.html",
        url="audit_log",
        args=(),
        sizes=(PHONE,),
        shown="#filters",
        open=click("[popovertarget=filters]"),
    ),
)

AT_REST = """() => Promise.allSettled(document.getAnimations()
    .filter(moves => moves.effect.getComputedTiming().endTime < Infinity).map(moves => moves.finished))"""
READABLE = (Path(__file__).parent / "readable.js").read_text()


@pytest.fixture(scope="module")
def world(kept_live: Live) -> Any:
    """Documents for a long list, with long names, one of them failed; an answer; a graph."""
    alice = person("alice")
    alice.is_superuser = True
    alice.save()
    contracts = create_datasource(alice, "Contracts")
    letters = [make_document(contracts, title, text) for title, text in LETTERS.items()]
    for document in letters:
        learn(document)
        vector = [1.0, float(document.pk % 2), 0.5]
        make_vector(document.chunks.get(), vector)
    node_positions.lay_out(contracts.pk)
    build.rebuild(contracts.pk)
    for number in range(12):
        make_document(contracts, f"{LONG}, order form {number}", f"Backups of order {number} are kept.")
    make_document(contracts, "Scan", "x", status=DocumentStatus.FAILED, chunk_count=0, error_code="damaged")
    make_document(
        contracts, "Sealed", "y", status=DocumentStatus.FAILED, chunk_count=0, error_code="encrypted"
    )
    cited = make_document(contracts)
    turn = make_turn(alice, cited)
    outlined = make_document(contracts, "Handbook", HANDBOOK)
    structure_rows.rebuild(outlined)
    measured = create_set(contracts, "First", alice)
    add_questions(measured, [Draft(kind=Kind.NONE, text="Who paints the moon?", reference="")], Origin.PERSON)
    started(measured, alice, "search")
    rules = framework(alice)
    attach(rules, contracts, alice)
    check = start_check(alice, rules, create_subject(contracts, "Arden", [cited.pk]), queued=False)
    check.write(status=CheckStatus.DONE, finished=timezone.now())
    make_link(alice, turn, recipient="Dora Arden", days=7)
    make_token(alice, name="Notebook", scopes=[TokenScope.READ], datasource_ids=None, days=30)
    matter = Matter.objects.create(name="Arden v. Helios")
    matter.shares.create(person=alice, role=Role.OWNER)
    provider = IdentityProvider.objects.create(name="Arden", issuer="https://id.example.org", client_id="svq")
    return SimpleNamespace(
        provider=provider.pk,
        matter=matter.pk,
        group=PeopleGroup.objects.create(name="Legal").pk,
        section="answers",
        session=kept_live.session_of(alice),
        datasource=contracts.pk,
        conversation=turn.conversation_id,
        memo=contracts.memos.create(author=alice, title=f"{LONG}, memo").pk,
        entity=entity(contracts, "Brian May").pk,
        document=letters[0].pk,
        outlined=outlined.pk,
        questions=measured.pk,
        table=create_table(alice, contracts, "Orders", COLUMNS, [cited.pk]).pk,
    )


def picture(page: Page, popover: Popover, size: Any, theme: str) -> Path:
    PICTURES.mkdir(parents=True, exist_ok=True)
    path = PICTURES / f"{popover.name}-{size['width']}-{theme}.png"
    page.screenshot(path=path)
    return path


def problems_of(page: Page, popover: Popover) -> Iterator[str]:
    root = page.locator(popover.shown).filter(visible=True).last
    expect(root).to_be_visible()
    page.evaluate(AT_REST)
    handle = root.element_handle()
    yield from page.evaluate(READABLE, handle)
    yield from axe.violations(page, ["color-contrast"], within=popover.shown)


def views_of(popover: Popover) -> Iterator[tuple[Any, Literal["light", "dark"]]]:
    """A theme changes colours alone: where both sizes are looked at, each is in one of them."""
    if popover.sizes != BOTH:
        yield from product(popover.sizes, THEMES)
    elif IN_BOTH:
        yield from zip(BOTH, THEMES, strict=True)
    else:
        place = POPOVERS.index(popover) % 2
        yield BOTH[place], THEMES[place]


@pytest.mark.parametrize("popover", POPOVERS, ids=lambda popover: popover.name)
def test_it_can_be_read(popover: Popover, kept_live: Live, kept_page: Page, world: Any) -> None:
    page = kept_page
    page.context.add_cookies([world.session])
    address = reverse(popover.url, args=[getattr(world, name) for name in popover.args])
    problems = []
    for size, theme in views_of(popover):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.goto(kept_live.base_url + address + popover.query.format(**vars(world)))
        popover.open(page)
        found = list(problems_of(page, popover))
        if found:
            taken = picture(page, popover, size, theme)
            problems += [f"{size['width']} px, {theme}: {problem} ({taken})" for problem in found]
    assert not problems, "\n".join(problems)


OPENS = re.compile(r'<dialog\b|\spopover\b(?!target)|class="pop\b|dialog\.html,dialog_page\.html')
BASE = {"dialog.html", "dialog_page.html"}


def test_every_popover_has_a_line_here() -> None:
    """By the files of the templates and scripts that hold one, as often as they hold one."""
    templates = settings.BASE_DIR / "templates"
    held = Counter(
        {
            str(path.relative_to(templates)): len(OPENS.findall(path.read_text()))
            for path in templates.rglob("*.html")
            if path.name not in BASE and OPENS.search(path.read_text())
        }
    )
    held["components/toast.html"] = 1
    held |= {
        path.name: 1
        for path in (settings.BASE_DIR / "static" / "js").glob("*.js")
        if 'popover: "' in path.read_text()
    }
    known = Counter(popover.markup for popover in POPOVERS)
    assert not {file: count for file, count in held.items() if known[file] < count}
    assert set(known) == set(held), "a line names a file that holds none"
