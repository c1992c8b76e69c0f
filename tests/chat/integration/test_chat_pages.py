"""The chat's pages without a browser: what they show in each state, and what a form or a stream does."""

import re
from dataclasses import replace
from datetime import timedelta
from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from answering.stages.registry import CHECKING
from answering.values.events import AnswerEvent, StageStarted, Step, ToolCalled, ToolReturned
from chat import events, services
from chat.citation_rows.store import quote_of
from chat.models import Citation, Conversation, Turn, TurnStatus
from chat.web import stream
from chat.web.answers import rendering
from citations.choices import OnPage, Support
from citations.marks import mark
from datasources.models import Datasource, Document
from events import log
from events.models import Event
from ingestion.lifecycle.deletion import delete
from ingestion.models import Page
from tests.factories import make_document, make_turn
from tests.people import browser_of
from tests.responses import text_of

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture
def document(contracts: Datasource) -> Document:
    return make_document(contracts)


@pytest.fixture
def web(alice: User) -> Client:
    return browser_of(alice)


def address(turn: Turn, query: str = "") -> str:
    return f"/d/{turn.conversation.datasource_id}/chat/{turn.conversation_id}/{query}"


# --- asking ----------------------------------------------------------------------------------------------
def test_a_new_chat_offers_the_suggested_questions(web: Client, document: Document) -> None:
    document.datasource.suggested_questions = ["Who keeps the <backups>?"]
    document.datasource.save()
    page = web.get(f"/d/{document.datasource_id}/chat/?q=And%20for%20how%20long")
    assert "Who keeps the <backups>?" in text_of(page)
    assert "And for how long</textarea>" in page.content.decode()


def test_a_new_chat_loads_what_answers_need_with_the_first_question(
    web: Client, alice: User, document: Document
) -> None:
    """The first visit stays light."""
    turn = make_turn(alice, document)
    for path, kept_for_later in ((f"/d/{document.datasource_id}/chat/", True), (address(turn), False)):
        page = web.get(path).content.decode()
        later = page.partition("<template data-with-answers>")[2].partition("</template>")[0]
        for script in ("sse", "hovercard", "pane", "tabs"):
            assert (f"js/{script}." in later) == kept_for_later
            assert f"js/{script}." in page


def test_asking_without_scripts_ends_on_the_conversation(web: Client, document: Document) -> None:
    answer = web.post(f"/d/{document.datasource_id}/chat/ask/", {"question": "How long?", "mode": "fast"})
    turn = Turn.objects.get()
    assert answer.status_code == 302
    assert answer["Location"].startswith(address(turn))
    assert turn.mode == "fast"
    page = web.get(answer["Location"])
    assert "How long?" in text_of(page)
    assert '<meta http-equiv="refresh"' in page.content.decode()


def test_a_suggestion_is_a_button_of_the_form(web: Client, document: Document) -> None:
    web.post(f"/d/{document.datasource_id}/chat/ask/", {"question": "", "suggestion": "Who pays?"})
    assert Turn.objects.get().question == "Who pays?"


def test_asking_with_htmx_answers_with_the_turn_and_its_stream(web: Client, document: Document) -> None:
    answer = web.post(f"/d/{document.datasource_id}/chat/ask/", {"question": "How long?"}, headers=HTMX)
    turn = Turn.objects.get()
    html = unescape(answer.content.decode())
    assert answer["HX-Push-Url"] == address(turn)
    assert f'sse-connect="/events/html/?channel=turn%3A{turn.pk}"' in html
    assert f'action="{address(turn)}ask/"' in html
    assert 'aria-label="Stop"' in html


def test_the_scope_is_what_was_ticked(web: Client, document: Document) -> None:
    other = make_document(document.datasource, "Other", text="Something else.")
    ask = f"/d/{document.datasource_id}/chat/ask/"
    web.post(ask, {"question": "How long?", "scope": "these", "documents": [other.pk]})
    turn = Turn.objects.get()
    assert turn.document_ids == [other.pk]
    assert "1 of 2" in text_of(web.get(address(turn)))


def test_ticking_nothing_is_refused_and_a_deleted_choice_is_told(web: Client, document: Document) -> None:
    other = make_document(document.datasource, "Other", text="Something else.")
    ask = f"/d/{document.datasource_id}/chat/ask/"
    refused = web.post(ask, {"question": "How long?", "scope": "these"}, headers=HTMX)
    assert (refused.status_code, Turn.objects.count()) == (409, 0)
    assert "No document is chosen" in refused.content.decode()
    web.post(ask, {"question": "How long?", "scope": "these", "documents": [document.pk, other.pk]})
    delete(other)
    page = text_of(web.get(address(Turn.objects.get())))
    assert "1 chosen document was deleted" in page
    assert "1 of 1" in page


def test_the_scope_list_finds_titles_and_keeps_what_is_ticked(web: Client, document: Document) -> None:
    make_document(document.datasource, "Lease", text="A lease.")
    make_document(document.datasource, "Invoice", text="An invoice.")
    listed = web.get(f"/d/{document.datasource_id}/chat/scope/?filter=leas&documents={document.pk}")
    assert "Lease" in text_of(listed)
    assert "Questionnaire" in text_of(listed)
    assert "Invoice" not in text_of(listed)


@pytest.mark.parametrize("question", ["", "x" * 4001])
def test_a_refused_question_is_kept_and_explained(web: Client, document: Document, question: str) -> None:
    ask = f"/d/{document.datasource_id}/chat/ask/"
    page = web.post(ask, {"question": question})
    assert page.status_code == 409
    assert f"{question}</textarea>" in page.content.decode()
    told = web.post(ask, {"question": question}, headers=HTMX)
    assert told.status_code == 409
    assert told["Content-Type"].startswith("text/plain")
    assert not Turn.objects.exists()


def test_a_second_question_waits_for_the_first(web: Client, document: Document) -> None:
    web.post(f"/d/{document.datasource_id}/chat/ask/", {"question": "How long?"})
    first = Turn.objects.get()
    page = web.post(f"{address(first)}ask/", {"question": "And then?"}, headers=HTMX).content.decode()
    assert "And then?" in page
    assert f'formaction="/turn/{first.pk}/stop/"' in page  # the button stops what is answered now


def test_stop_ends_the_turn(web: Client, document: Document) -> None:
    web.post(f"/d/{document.datasource_id}/chat/ask/", {"question": "How long?"})
    turn = Turn.objects.get()
    assert web.post(f"/turn/{turn.pk}/stop/").status_code == 302
    assert "Stopped by you" in text_of(web.get(address(turn)))


# --- the states of an answer -----------------------------------------------------------------------------
def test_a_question_without_a_worker_says_so(web: Client, document: Document) -> None:
    web.post(f"/d/{document.datasource_id}/chat/ask/", {"question": "How long?"})
    assert "No worker is running. The question is kept" in text_of(web.get(address(Turn.objects.get())))


def test_an_answer_shows_its_chip_and_counts(web: Client, alice: User, document: Document) -> None:
    turn = make_turn(alice, document)
    page = web.get(address(turn))
    assert "1 quote on the page" in text_of(page)
    assert "1 of 1 statement confirmed, 1 by code" in text_of(page)
    assert 'aria-label="Source 1, Questionnaire, page 1, supports, checked by code"' in page.content.decode()


def test_doubtful_and_missing_sources_are_named_and_counted(
    web: Client, alice: User, document: Document
) -> None:
    turn = make_turn(alice, document, answer=f"Kept {mark(1)}. Lost {mark(2)}. Free pizza {mark(3)}.")
    cite(turn, 2, "Lost", support=Support.NEEDS_EYE, document=document, pages=[1])
    cite(turn, 3, "Free pizza", on_page=OnPage.ABSENT)
    page = web.get(address(turn))
    for words in (
        "2 quotes on the page",
        "1 of 3 statements confirmed, 2 for your eye first",
        "1 without source",
    ):
        assert words in text_of(page)
    assert re.search(r'class="unsourced">\W*Free pizza', page.content.decode())


def test_a_partial_answer_begins_with_a_note(web: Client, alice: User, document: Document) -> None:
    words = text_of(web.get(address(make_turn(alice, document, status=TurnStatus.PARTIAL))))
    assert words.index("This answers only a part of the question.") < words.index(
        "Backups are kept for thirty"
    )


def test_not_found_shows_the_nearest_passages_and_no_prose(
    web: Client, alice: User, document: Document
) -> None:
    nearest = [
        {"document": document.pk, "title": "Questionnaire", "chunk": 7, "pages": [1], "text": "Tapes rot."}
    ]
    turn = make_turn(alice, document, status=TurnStatus.NOT_FOUND, answer="It is 42.", nearest=nearest)
    page = web.get(address(turn))
    assert "No passage stood out" in text_of(page)
    assert "None of the documents" not in text_of(page)
    assert "“Tapes rot.”" in text_of(page)
    assert f"/documents/{document.pk}/?page=1&amp;chunk=7" in page.content.decode()
    prose = re.search(r'<div class="prose.*?</div>', page.content.decode(), re.DOTALL)
    assert prose
    assert text_of(prose[0]) == ""


def test_none_of_the_documents_is_said_only_after_a_complete_search(
    web: Client, alice: User, document: Document
) -> None:
    search = {"complete": True, "words_absent": ["Dublin", "parking"], "unread": 0}
    turn = make_turn(alice, document, status=TurnStatus.NOT_FOUND, answer="", search=search)
    words = text_of(web.get(address(turn)))
    assert "Not found in your documents None of the documents answers this." in words
    assert "These words are nowhere in the documents: “Dublin”, “parking”." in words


def test_a_contradicted_claim_is_red_and_said_so(web: Client, alice: User, document: Document) -> None:
    turn = make_turn(alice, document, answer=f"Backups are never kept {mark(1)}.")
    turn.citations.update(support=Support.CONTRADICTED, reason="The quote says “are kept”.")
    page = web.get(address(turn, "?turn=1&cite=1"))
    assert "1 claim of this answer is contradicted by its own source." in text_of(page)
    assert "0 of 1 statement confirmed, 1 for your eye first" in text_of(page)
    assert "Contradicts the claim. The quote says “are kept”." in text_of(page)
    assert 'class="chip bad"' in page.content.decode()
    assert "Supports, checked by code" not in text_of(page)
    turn.write(status=TurnStatus.NOT_FOUND)  # withheld: neither the claim nor its number is shown
    assert "The number behind it is red" not in text_of(web.get(address(turn)))


def test_a_failure_names_its_cause_and_can_be_asked_again(
    web: Client, alice: User, document: Document
) -> None:
    failed = {"error_code": "model", "error_message": "The model server is gone.", "error_hint": "Wait."}
    turn = make_turn(alice, document, status=TurnStatus.FAILED, answer="", **failed)
    page = web.get(address(turn))
    assert "The model server is gone. Wait." in text_of(page)
    assert "Ask again" in text_of(page)


def test_answers_without_a_language_model_are_quotations(
    web: Client, alice: User, document: Document
) -> None:
    turn = make_turn(
        alice,
        document,
        model="quotes",
        quotes_only=True,
        status="quotes",
        answer=f"> Backups are kept. {mark(1)}",
    )
    turn.citations.update(support=Support.NONE, claim="")
    page = web.get(address(turn))
    answer = re.search(r'<article class="an".*?</article>', page.content.decode(), re.DOTALL)
    assert answer
    assert "Passages that may answer" in text_of(answer[0])
    assert re.search(r'<div class="prose quotes".*<blockquote>', answer[0], re.DOTALL)
    assert "Questionnaire, page 1 On the page" in text_of(answer[0])
    assert 'aria-label="Source 1, Questionnaire, page 1, on the page"' in answer[0]
    for claimed in ("upports", "verified", "Agent", "Plan", "Write", "Verify", "Check", 'class="pill ok'):
        assert claimed not in answer[0]
    source = text_of(web.get(address(turn, "?turn=1&cite=1")))
    assert "These exact words are on the page." in source
    for claimed in ("upports the claim", "Claim in the answer"):
        assert claimed not in source
    assert "supported" not in text_of(web.get(reverse("home")))


def test_an_answer_can_run_nothing(web: Client, alice: User, document: Document) -> None:
    hostile = f'<script>x()</script><img src=//evil.example> [go](javascript:x) {mark(1)} & "so"'
    html = web.get(address(make_turn(alice, document, answer=hostile))).content.decode()
    body = html[html.index('class="prose') :]
    assert "<script>x" not in body
    assert "<img src=//evil" not in body
    assert 'href="javascript' not in body


# --- sources ---------------------------------------------------------------------------------------------
def test_the_address_of_a_source_reloads(web: Client, alice: User, document: Document) -> None:
    turn = make_turn(alice, document)
    page = web.get(address(turn, "?turn=1&cite=1"))
    html = page.content.decode()
    assert "On the page. These exact words are on the page." in text_of(page)
    assert "Supports, checked by code." in text_of(page)
    assert f"/d/{document.datasource_id}/documents/{document.pk}/pages/1.webp" in html
    assert re.search(r'<rect class="now" x="[\d.]+" y="[\d.]+"\s+width="[\d.]+"\s+height="[\d.]+"/>', html)


def test_a_source_of_a_deleted_file_keeps_its_words(web: Client, alice: User, document: Document) -> None:
    turn = make_turn(alice, document)
    Citation.objects.update(document=None)
    pane = text_of(web.get(f"/turn/{turn.pk}/source/1/", headers=HTMX))
    assert "This file was deleted." in pane
    assert "Backups are kept for thirty days" in pane


def test_a_source_without_a_page_image_shows_its_text(web: Client, alice: User, document: Document) -> None:
    turn = make_turn(alice, document)
    Document.objects.update(mime="application/jsonl")
    pane = web.get(f"/turn/{turn.pk}/source/1/", headers=HTMX).content.decode()
    assert '<mark class="now">Backups are kept for thirty days in a second region.</mark>' in pane


def test_a_page_that_cannot_be_drawn_says_so(web: Client, alice: User, document: Document) -> None:
    turn = make_turn(alice, document)
    document.file.storage.delete(str(document.file.name))
    pane = text_of(web.get(f"/turn/{turn.pk}/source/1/", headers=HTMX))
    assert "Page 1 could not be drawn." in pane
    assert "Backups are kept for thirty days" in pane


def test_a_source_across_two_pages_can_be_paged_through(web: Client, alice: User, document: Document) -> None:
    turn = make_turn(alice, document)
    Page.objects.create(document=document, number=2, start=100, width=595, height=842)
    Citation.objects.update(pages=[1, 2], boxes={"1": [[1, 1, 9, 9]], "2": [[1, 1, 9, 9]]})
    card = web.get(f"/turn/{turn.pk}/source/1/card/")
    assert "1 of 2 pages" in text_of(card)
    assert card.content.decode().count("<img") == 2


def test_a_source_alone_leads_to_its_conversation(web: Client, alice: User, document: Document) -> None:
    turn = make_turn(alice, document)
    assert web.get(f"/turn/{turn.pk}/source/1/")["Location"] == address(turn, "?turn=1&cite=1")


# --- conversations ---------------------------------------------------------------------------------------
def test_conversations_are_listed_by_day(web: Client, alice: User, document: Document) -> None:
    for days, title in ((0, "new one"), (1, "recent one"), (400, "old one")):
        turn = make_turn(alice, document, question=title)
        when = timezone.now() - timedelta(days=days)
        Conversation.objects.filter(pk=turn.conversation_id).update(updated=when)
    words = text_of(web.get(f"/d/{document.datasource_id}/chat/"))
    order = ["Today", "new one", "Yesterday", "recent one", f"{when:%B %Y}", "old one"]
    assert sorted(order, key=words.index) == order


def test_renaming(web: Client, alice: User, document: Document) -> None:
    turn = make_turn(alice, document)
    refused = web.post(f"{address(turn)}rename/", {"title": " "})
    assert refused.status_code == 422
    assert "needs a title" in text_of(refused)
    web.post(f"{address(turn)}rename/", {"title": "About backups"})
    assert "About backups" in text_of(web.get(address(turn)))


def test_deleting_names_what_is_lost(web: Client, alice: User, document: Document) -> None:
    turn = make_turn(alice, document)
    assert "1 question with its answer and sources goes with it" in text_of(
        web.get(f"{address(turn)}delete/")
    )
    web.post(f"{address(turn)}delete/")
    assert web.get(address(turn)).status_code == 404


def test_the_export_is_markdown(web: Client, alice: User, document: Document) -> None:
    file = web.get(f"{address(make_turn(alice, document))}export/")
    assert file["Content-Disposition"].startswith("attachment")
    assert "# How long are backups kept?" in file.content.decode()


@pytest.mark.parametrize(
    "path", ["{chat}", "{chat}rename/", "{chat}delete/", "{chat}export/", "/turn/{turn}/source/1/card/"]
)
def test_nobody_else_sees_a_conversation(alice: User, bob: User, document: Document, path: str) -> None:
    turn = make_turn(alice, document)
    member = Client()
    member.force_login(bob, backend="django.contrib.auth.backends.ModelBackend")
    assert member.get(path.format(chat=address(turn), turn=turn.pk)).status_code == 404


# --- the stream ------------------------------------------------------------------------------------------
@pytest.fixture
def running(alice: User, document: Document) -> Turn:
    turn = services.ask(alice, document.datasource, "How long?", queued=False)
    Turn.objects.filter(pk=turn.pk).update(status=TurnStatus.RUNNING, model="m")
    say(turn, events.TurnStarted(attempt=1, model="m"))
    return Turn.objects.get(pk=turn.pk)


def say(turn: Turn, event: AnswerEvent) -> int:
    return events.append(event, turn.channel)


def told(turn: Turn, seq: int) -> str:
    """What an open page is told by that event."""
    event = log.read(turn.channel, seq - 1, limit=1)[0]
    return stream.fragment(turn.channel, event, turn.conversation.user) or ""


def write(turn: Turn, *texts: str) -> list[str]:
    """Stream pieces of an answer; what each of them tells an open page."""
    offset = 0
    given = []
    for text in texts:
        given.append(told(turn, say(turn, events.AnswerDelta(offset=offset, text=text))))
        offset += len(text)
    return given


def cite(turn: Turn, n: int, claim: str, **more: Any) -> None:
    title = more["document"].title if "document" in more else ""
    values = {"on_page": OnPage.EXACT, "document_title": title} | more
    Citation.objects.create(turn=turn, n=n, claim=claim, written=claim, **values)


def test_pieces_grow_the_open_block_and_add_new_ones(running: Turn) -> None:
    block = f'id="{rendering.anchor(running)}-b'
    first, second, third = write(running, "One **bo", "ld** word.", "\n\n- a list")
    assert f"{block}0" in first
    assert "<strong>bo" in first
    assert 'hx-swap-oob="beforeend:#' in first
    assert "<strong>bold</strong> word." in second
    assert 'hx-swap-oob="morph"' in second
    assert f"{block}1" in third
    assert "a list" in third


def test_passages_have_their_heading_from_the_first_on(running: Turn) -> None:
    running.quotes_only = True
    running.save()
    first, second = write(running, "> Kept.", "\n\n> For long.")
    assert "Passages that may answer" in first
    assert "Passages that may answer" not in second


def test_a_chip_waits_until_its_quote_is_checked(running: Turn, document: Document) -> None:
    (piece,) = write(running, f"Thirty days {mark(1)}.")
    assert "Source 1, checking the quote" in piece
    cite(running, 1, "Thirty days", support=Support.SUPPORTED, document=document, pages=[1])
    checked = events.CitationChecked(
        n=1,
        document=document.pk,
        title="Questionnaire",
        pages=[1],
        quote="x",
        start=0,
        end=1,
        on_page="exact",
        support="supported",
        confirmed_by="code",
        reader="",
        reason="",
        checks=[],
        judge={},
        before="",
        after="",
        step=CHECKING.counted([*map(quote_of, running.citations.all())], quotes_only=False),
    )
    html = told(running, say(running, checked))
    assert "Source 1, Questionnaire, page 1, supports, checked by code" in html
    assert "1 of 1 statement confirmed" in html


def test_a_snapshot_is_exactly_what_its_number_says(running: Turn) -> None:
    write(running, "One.")
    html, seq = stream.snapshot(running.channel, running.conversation.user)
    write_after = told(running, say(running, events.AnswerDelta(offset=4, text=" Two.")))
    assert "One." in html
    assert "Two." not in html
    assert seq == log.last_seq(running.channel) - 1
    assert "One. Two." in write_after


def test_a_restart_takes_back_what_was_written(running: Turn) -> None:
    write(running, "Half an ans")
    html = told(running, say(running, events.TurnRestarted(attempt=2, model="m")))
    assert "Half" not in html
    assert "-blocks" in html


def test_the_steps_show_what_each_event_says_of_its_own(running: Turn) -> None:
    """A stage and a tool that no page has ever heard of."""
    rewriting = Step(id="r", label="Rewrite", icon="pencil", text="How long are backups kept?")
    say(running, StageStarted(stage="rewriting", step=rewriting))
    call = Step(id="c", label="Look at pictures", icon="image", text="<b>backup</b> period")
    say(running, ToolCalled(call_id="1", tool="pictures", arguments={}, step=call))
    html = told(running, log.last_seq(running.channel))
    assert html.count('class="spin"') == 3  # of the stage and both steps
    returned = ToolReturned(
        call_id="1",
        tool="pictures",
        hits=8,
        ms=143,
        ok=True,
        summary="Questionnaire",
        step=replace(call, found="8 pictures", ms=143, state=""),
    )
    html = told(running, say(running, returned))
    for part in (
        "Rewrite",
        "How long are backups kept?",
        "Look at pictures",
        "8 pictures",
        "143 ms",
        "<rect",
    ):
        assert part in html
    assert "&lt;b&gt;backup&lt;/b&gt; period" in html


def test_the_steps_are_still_there_when_the_events_are_gone(running: Turn, client: Client) -> None:
    step = Step(id="c", label="Search", icon="search", text="backups", found="8 hits", ms=9, state="")
    say(running, StageStarted(stage="searching", step=step))
    services.stop(running)
    Event.objects.all().delete()
    client.force_login(running.conversation.user)
    address = reverse("conversation", args=[running.conversation.datasource_id, running.conversation_id])
    page = client.get(address).content.decode()
    assert "8 hits" in page
    assert "Searched your documents once" in page


def test_the_end_brings_the_ask_button_back(running: Turn) -> None:
    write(running, "Thirty days.")
    services.stop(running)
    seq = log.last_seq(running.channel)
    html = told(running, seq)
    assert 'aria-label="Ask"' in html
    assert 'aria-busy="false"' in html
    assert "Thirty days." in html
    assert log.read(running.channel, seq - 1)[0].final


def test_answers_can_be_shown_only_when_complete(running: Turn) -> None:
    User.objects.filter(pk=running.conversation.user_id).update(show_answers_when_complete=True)
    assert "Thirty" not in "".join(write(running, "Thirty ", "days."))
    services.stop(running)
    assert "Thirty days." in told(running, log.last_seq(running.channel))


def test_a_stranger_gets_no_snapshot(running: Turn, charlie: User) -> None:
    with pytest.raises(Turn.DoesNotExist):
        stream.snapshot(running.channel, charlie)
    with pytest.raises(Turn.DoesNotExist):
        stream.snapshot(f"turn:{uuid4()}", running.conversation.user)
