"""Reading a document page by page, finding words in it, and seeing how it was cut into chunks."""

import re
from html import unescape
from itertools import pairwise
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from chat.models import Citation
from datasources.models import Datasource, Document, DocumentStatus, Membership, Role
from datasources.services import create_datasource
from ingestion.adding.upload import accept_upload
from ingestion.models import Chunk, Page
from jobs.fair_slots import FairSlots
from reader import chunk_details, outline, page_boxes, page_images, ribbon, word_search
from retrieval.legs import fuzzy
from retrieval.query import Scope
from tests.factories import SAMPLE, make_document, make_turn
from tests.people import browser_of, person
from tests.responses import text_of

PAGES = ["The lease ends in May.", "The rent is due on the first day. The rent rises each year."]


def page_of(user: User, document: Document, **query: Any) -> str:
    address = reverse("reader", args=[document.datasource_id, document.pk])
    answer = browser_of(user).get(address, query)
    assert answer.status_code == 200
    return answer.content.decode()


def chunks_of(user: User, datasource: Datasource, **query: Any) -> str:
    answer = browser_of(user).get(reverse("chunks", args=[datasource.pk]), query)
    assert answer.status_code == 200
    return answer.content.decode()


def lease(datasource: Datasource) -> Document:
    """Two pages of text without boxes; its file has two pages."""
    document = make_document(datasource, "Lease", PAGES[0], page_count=2)
    Page.objects.create(
        document=document, number=2, text=PAGES[1], start=len(PAGES[0]) + 1, width=595, height=842
    )
    return document


@pytest.fixture
def questionnaire(transactional_db: None, contracts: Datasource, alice: User, work: Any) -> Document:
    """The sample questionnaire, really read."""
    with SAMPLE.open("rb") as file:
        (accepted,) = accept_upload(contracts, alice, SAMPLE.name, file)
    work()
    accepted.document.refresh_from_db()
    assert accepted.document.status == DocumentStatus.READY
    return accepted.document


# --- the reader ------------------------------------------------------------------------------------------
def test_pages_are_turned(contracts: Datasource, bob: User) -> None:
    document = lease(contracts)
    first, last = page_of(bob, document), page_of(bob, document, page=2)
    assert "The lease ends in May." in first
    assert 'rel="next"' in first
    assert 'rel="prev"' not in first
    assert "The rent is due" in last
    assert 'rel="next"' not in last
    assert "The rent is due" in page_of(bob, document, page=99), "beyond the end is the last page"
    assert "The lease ends" in page_of(bob, document, page="x")


def test_pages_are_listed_as_the_file_calls_them(contracts: Datasource, bob: User) -> None:
    document = lease(contracts)
    document.pages.filter(number=2).update(address="Sheet “Rents”, rows 1 to 3")
    listed = re.findall(r'<a href="\?page=\d"[^>]*>(.*?)</a>', page_of(bob, document), re.DOTALL)
    words = [" ".join(re.sub(r"<[^>]*>", " ", each).split()) for each in listed]
    assert words[:2] == ["Page 1", "Sheet “Rents”, rows 1 to 3 2"]


def test_the_page_image_is_kept_by_ones_own_browser_alone(
    contracts: Datasource, bob: User, charlie: User
) -> None:
    document = lease(contracts)
    address = reverse("page_image", args=[contracts.pk, document.pk, 2])
    assert address in page_of(bob, document, page=2)
    answer = browser_of(bob).get(address)
    assert answer["Content-Type"] == "image/webp"
    assert answer["Cache-Control"] == "private, max-age=31536000, immutable"
    assert answer.content[8:12] == b"WEBP"
    assert browser_of(charlie).get(address).status_code == 404
    assert browser_of(bob).get(reverse("page_image", args=[contracts.pk, document.pk, 3])).status_code == 404


def test_a_document_is_only_found_in_its_own_datasource(contracts: Datasource, alice: User) -> None:
    other = Datasource.objects.create(owner=alice, name="Other")
    address = reverse("reader", args=[other.pk, lease(contracts).pk])
    assert browser_of(alice).get(address).status_code == 404


def test_a_page_that_cannot_be_drawn_is_read_as_text(contracts: Datasource, bob: User) -> None:
    document = lease(contracts)
    with document.file.storage.open(str(document.file.name), "wb") as file:
        file.write(b"no PDF any more")
    html = page_of(bob, document)
    assert "<img" not in html
    assert "cannot be drawn" in html
    assert "The lease ends in May." in html


def test_a_ready_passage_is_read_as_text(contracts: Datasource, bob: User) -> None:
    html = page_of(bob, make_document(contracts, "Fact", "Tea is a drink.", mime="text/x-passage"))
    assert "Tea is a drink." in html
    assert "cannot be drawn" not in html


def test_a_document_without_pages_says_why(contracts: Datasource, bob: User) -> None:
    document = make_document(
        contracts, status=DocumentStatus.FAILED, error_message="This PDF is damaged.", error_hint="Save it."
    )
    document.pages.all().delete()
    html = page_of(bob, document)
    assert "This PDF is damaged." in html
    assert "The file is kept as it was added." in html


def test_a_replaced_version_leads_to_the_newer_one(contracts: Datasource, bob: User) -> None:
    old = make_document(contracts, "Old", status=DocumentStatus.SUPERSEDED)
    new = make_document(contracts, "New", "Other words.", replaces=old, version=2)
    html = page_of(bob, old)
    assert reverse("reader", args=[contracts.pk, new.pk]) in html
    assert "Open version 2" in html


def test_text_is_never_markup(contracts: Datasource, bob: User) -> None:
    document = make_document(contracts, "<b>Bold</b>", "<script>alert(1)</script> here")
    for html in (page_of(bob, document, q="<script>"), chunks_of(bob, contracts)):
        assert "<script>alert" not in html
        assert "<b>Bold" not in html
        assert "&lt;script&gt;" in html
        assert "&lt;b&gt;Bold" in html


# --- finding words ---------------------------------------------------------------------------------------
def test_every_place_of_the_words_is_found(contracts: Datasource, bob: User) -> None:
    document = lease(contracts)
    hits = word_search.find(document, "the RENT")
    assert [(hit.number, hit.text) for hit in hits] == [(2, "The rent"), (2, "The rent")]
    html = page_of(bob, document, q="the rent")
    assert "2 places on 1 page" in html
    assert html.count("<mark>The rent</mark>") == 4, "twice in the list and twice in the text"


def test_misspelled_words_are_found(contracts: Datasource, bob: User) -> None:
    document = lease(contracts)
    assert [(hit.number, hit.text) for hit in word_search.find(document, "lese ends")] == [(1, "lease ends")]
    assert "Not in this document" in page_of(bob, document, q="submarine")
    assert word_search.find(document, "zzz") == []
    assert word_search.find(document, "   ") == []


def test_words_over_a_line_end_are_found(contracts: Datasource) -> None:
    document = make_document(contracts, "Lines", "It ends on the first\nday of May.")
    assert [hit.text for hit in word_search.find(document, "first day")] == ["first\nday"]


def test_whole_words_are_shown_around_a_place(contracts: Datasource) -> None:
    words = " ".join(f"word{number}" for number in range(40))
    document = make_document(contracts, "Words", f"{words} the rent {words}")
    (hit,) = word_search.find(document, "the rent")
    assert hit.before.startswith("word")
    assert {*hit.before.split(), *hit.after.split()} < {*words.split()}


def test_found_words_are_marked_where_they_stand(questionnaire: Document, bob: User) -> None:
    (hit, *_) = word_search.find(questionnaire, "ISO/IEC 27001")
    page = questionnaire.pages.get(number=hit.number)
    (box,) = page_boxes.lines(page, hit.start, hit.end)
    assert 0 < box.x < box.x + box.width < page.width
    assert 5 < box.height < 20, "one line of small print"
    html = page_of(bob, questionnaire, q="ISO/IEC 27001")
    assert f'<rect x="{box.x}" y="{box.y}" width="{box.width}" height="{box.height}"/>' in html


# --- chunks ----------------------------------------------------------------------------------------------
def test_chunks_are_shown_on_their_page(questionnaire: Document, bob: User) -> None:
    chunk = questionnaire.chunks.order_by("index")[1]
    html = chunks_of(bob, questionnaire.datasource, chunk=chunk.pk)
    assert f"{questionnaire.chunks.count()} passages" in html
    before = questionnaire.chunks.get(index=0)
    shared = before.end - chunk.start
    assert shared > 0
    hatched = re.search(r'<span class="ovl">([^<]+)</span>', html)
    assert hatched
    assert len(unescape(hatched[1])) == shared
    page = questionnaire.pages.get(number=chunk.first_page)
    boxes = page_boxes.blocks(page, chunk)
    assert sum(box.height for box in boxes) > 100, "a chunk is a good part of the page"
    assert f'x="{boxes[0].x}" y="{boxes[0].y}"' in html
    assert f"= <b>{chunk.quality:.2f}</b>" in html


def test_the_ribbon_covers_the_document(questionnaire: Document) -> None:
    chunks = list(questionnaire.chunks.order_by("index"))
    headings = [(each.start, each.name) for each in outline.listed(questionnaire)]
    drawn = ribbon.draw(chunks, chunk_details.page_spans(questionnaire), chunks[2], headings)
    assert [band.number for band in drawn.pages] == [1, 2]
    assert drawn.tokens.count("M") == len(chunks)
    assert drawn.overlap.count("M") == sum(a.end > b.start for a, b in pairwise(chunks))
    assert [band.label[0] for band in drawn.sections if band.label[1:2] == "."] == list("ABCDEF")
    last = drawn.pages[-1]
    assert last.x + last.width == pytest.approx(ribbon.WIDTH, abs=2)
    assert drawn.now
    assert drawn.now.x == pytest.approx(chunks[2].start / chunks[-1].end * ribbon.WIDTH, abs=2)


def many(document: Document, count: int, **more: Any) -> None:
    Chunk.objects.bulk_create(
        Chunk(
            datasource=document.datasource,
            document=document,
            index=index,
            text=f"Piece {index}.",
            start=0,
            end=8,
            first_page=1,
            last_page=1,
            **more,
        )
        for index in range(1, count)
    )


def test_long_tables_have_pages_of_fifty_and_open_at_the_chunk(contracts: Datasource, bob: User) -> None:
    document = lease(contracts)
    many(document, 120)
    html = chunks_of(bob, contracts)
    assert html.count("<tr data-row") == 50
    assert "1 to 50 of 120" in html
    assert "101 to 120 of 120" in chunks_of(bob, contracts, list=3)
    assert "51 to 100 of 120" in chunks_of(bob, contracts, chunk=document.chunks.get(index=70).pk)


def test_the_table_is_filtered_and_sorted(contracts: Datasource, alice: User, bob: User) -> None:
    document = lease(contracts)
    document.chunks.update(quality=0.95)
    many(document, 3, kind="table", quality=0.3)
    left = document.chunks.get(index=2)
    left.left_out = True
    left.save()

    def pieces(**query: Any) -> list[str]:
        return re.findall(
            r">\s*(The lease ends|Piece \d)", chunks_of(alice, contracts, **query).split("<tbody")[1]
        )

    assert pieces()[:3] == ["The lease ends", "Piece 1", "Piece 2"]
    assert set(pieces(kind="table")) == {"Piece 1", "Piece 2"}
    assert set(pieces(quality="0.9")) == {"The lease ends"}
    assert set(pieces(state="out")) == {"Piece 2"}
    assert pieces(sort="quality")[0] == "Piece 1"
    turn = make_turn(alice, make_document(contracts, "Other", "Elsewhere."))
    Citation.objects.filter(turn=turn).update(chunk_id_hint=left.pk)
    assert pieces(sort="cited", document=document.pk)[0] == "Piece 2"
    assert "Cited 1 time in your answers" in chunks_of(alice, contracts, chunk=left.pk)
    # Another person's answers are nobody else's business.
    assert "Not cited in your answers" in chunks_of(bob, contracts, chunk=left.pk)


def test_unknown_filters_are_ignored_and_strange_chunks_not_found(
    contracts: Datasource, alice: User, charlie: User
) -> None:
    lease(contracts)
    assert "The lease ends" in chunks_of(alice, contracts, kind="poem", quality="high", sort="x", list="-3")
    address = reverse("chunks", args=[contracts.pk])
    theirs = make_document(Datasource.objects.create(owner=charlie, name="Theirs"), "Secret", "Secret.")
    chunk = theirs.chunks.get()
    for query in ({"chunk": chunk.pk}, {"chunk": "x"}, {"document": theirs.pk}):
        assert browser_of(alice).get(address, query).status_code == 404


def test_the_chunk_page_leads_to_the_search_of_its_document(contracts: Datasource, bob: User) -> None:
    document = lease(contracts)
    html = chunks_of(bob, contracts, document=document.pk)
    assert f'action="{reverse("search", args=[contracts.pk])}"' in html
    assert f'<input type="hidden" name="document" value="{document.pk}">' in html
    assert "Search this document" in html


def test_an_editor_leaves_a_chunk_out_of_search(contracts: Datasource, bob: User) -> None:
    document = lease(contracts)
    chunk = document.chunks.get()
    erin = person("erin")
    Membership.objects.create(datasource=contracts, user=erin, role=Role.EDITOR)
    address = reverse("leave_out", args=[contracts.pk, chunk.pk])
    scope = Scope(user_id=erin.pk, datasource_id=contracts.pk)
    assert fuzzy.search(scope, "lease ends")
    assert "Leave out of search" not in chunks_of(bob, contracts, chunk=chunk.pk)
    assert browser_of(bob).post(address, {"left_out": "true"}).status_code == 403
    answer = browser_of(erin).post(address, {"left_out": "true"}, follow=True)
    assert "Put back into search" in answer.content.decode()
    assert not fuzzy.search(scope, "lease ends")
    browser_of(erin).post(address, {"left_out": "false"})
    assert fuzzy.search(scope, "lease ends")


def test_several_chunks_are_left_out_at_once_and_put_back_by_undo(contracts: Datasource, alice: User) -> None:
    """Those of another datasource that are sent along stay as they are."""
    letter = make_document(contracts, "Letter", "By hand.").chunks.get()
    numbers = [lease(contracts).chunks.get().pk, letter.pk]
    foreign = make_document(create_datasource(alice, "Recipes"), "Soup", "Boil it.").chunks.get()
    client, address = browser_of(alice), reverse("leave_out_several", args=[contracts.pk])
    sent = {"left_out": "true", "chunk": [*numbers, foreign.pk], "back": "document=all&state=out"}
    answer = client.post(address, sent)
    assert answer["Location"] == f"{reverse('chunks', args=[contracts.pk])}?document=all&state=out"
    assert "2 passages left out of every search. Undo" in text_of(client.get(answer["Location"]))
    assert "Undo" not in text_of(client.get(answer["Location"]))
    assert set(Chunk.objects.filter(left_out=True).values_list("pk", flat=True)) == set(numbers)
    client.post(address, {"left_out": "false", "chunk": numbers})
    assert not Chunk.objects.filter(left_out=True).exists()


def test_an_empty_datasource_says_where_to_begin(contracts: Datasource, bob: User) -> None:
    html = chunks_of(bob, contracts)
    assert "No passages yet" in html
    assert reverse("documents", args=[contracts.pk]) in html


def test_while_others_draw_ones_image_is_put_off_and_not_refused_for_good(
    contracts: Datasource, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = make_document(contracts)
    slots = FairSlots(1, patience=0.05)
    monkeypatch.setattr(page_images, "DRAWING", slots)
    addresses = [
        reverse("page_image", args=[contracts.pk, document.pk, 1]),
        reverse("api-page-image", args=[document.pk, 1]),
    ]
    with slots.taken_by(contracts.owner_id):
        for address in addresses:
            refused = browser_of(bob).get(address)
            assert (refused.status_code, refused["Retry-After"]) == (429, "2")
        assert "<img" in page_of(bob, document), "the page itself comes, and its image is asked for"
    assert [browser_of(bob).get(address).status_code for address in addresses] == [200, 200]
