"""Memos: made of notes, edited by several people, masked, deleted, handed on."""

import io
import json
from typing import Any

import docx
import lxml.html
import pypdf
import pytest
from django.urls import reverse
from markdown_it import MarkdownIt

from accounts.models import AuditAct, AuditEntry, User
from chat import services
from chat.models import Citation
from chat.notebook import keep_answer
from chat.tasks import mask_what_was_said
from citations.marks import mark
from datasources.derived import Subject, losses
from datasources.models import Datasource, Document, DocumentStatus
from ingestion.models import Page
from jobs.fair_slots import FairSlots
from memos import crops, sources
from memos.derived import Memos
from memos.models import Memo
from memos.services import MAX_TEXT, make_memo
from memos.sources import ShownSource
from memos.web.forms import MemoForm
from tests.factories import make_document, make_turn
from tests.memos.made import RENT, TERM, make_notes
from tests.people import browser_of
from tests.responses import text_of
from text.normal_forms.verbatim import verbatim

pytestmark = pytest.mark.django_db

MAIL = "jane.doe@arden.example"


@pytest.fixture
def lease(contracts: Datasource, alice: User) -> Document:
    return make_notes(contracts, alice)[0]


@pytest.fixture
def memo(lease: Document, alice: User) -> Memo:
    return written(alice, lease.datasource)


def written(person: User, datasource: Datasource, **more: Any) -> Memo:
    """The memo that the notebook's form leads to with all notes ticked."""
    notes = list(datasource.notes.values_list("pk", flat=True))
    response = browser_of(person).post(
        reverse("write_memo", args=[datasource.pk]), {"note": notes, "new": "1"} | more, follow=True
    )
    memo: Memo = response.context["memo"]
    return memo


def address(memo: Memo, name: str = "memo", *more: Any) -> str:
    return reverse(name, args=[memo.datasource_id, memo.pk, *more])


def save(person: User, memo: Memo, *, htmx: bool = True, **sent: Any) -> Any:
    values = {"title": memo.title, "text": memo.text, "edition": memo.edition} | sent
    headers = {"HX-Request": "true"} if htmx else {}
    return browser_of(person).post(address(memo), values, headers=headers)


def page(person: User, memo: Memo) -> str:
    response = browser_of(person).get(address(memo))
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def word(person: User, memo: Memo) -> Any:
    response = browser_of(person).get(address(memo, "memo_file", "docx"))
    assert response.status_code == 200, response.content
    return docx.Document(io.BytesIO(response.content))


def words(file: Any) -> list[str]:
    return [paragraph.text for paragraph in file.paragraphs]


# --- making ----------------------------------------------------------------------------------------------
def test_the_chosen_notes_become_a_draft_with_one_row_of_numbers(memo: Memo, bob: User) -> None:
    assert memo.text == (
        "## What is the rent?\n\n900 euro. [1]\n\n## When does it end?\n\nIn May. [2]\n\n"
        f"## What is the rent?\n\n> {RENT} [1]\n\nAsk the landlord."
    )
    assert [source["quote"] for source in memo.sources] == [RENT, TERM]
    shown = page(bob, memo)
    assert f"“{TERM}”" in shown
    assert 'name="text"' not in shown  # bob reads
    notebook = browser_of(bob).get(reverse("notebook", args=[memo.datasource_id])).content.decode()
    assert address(memo) in notebook
    assert "Write a memo" not in notebook


def test_notes_are_added_to_a_memo_and_its_numbers_go_on(lease: Document, alice: User) -> None:
    notes = list(lease.datasource.notes.order_by("pk"))
    client = browser_of(alice)
    make = reverse("write_memo", args=[lease.datasource_id])
    client.post(make, {"note": [notes[0].pk], "new": "1"})
    memo = Memo.objects.get()
    client.post(make, {"note": [notes[1].pk], "add": "1", "memo": memo.pk})
    memo.refresh_from_db()
    assert memo.text.endswith("In May. [2]")
    assert memo.edition == 2
    assert "No note is chosen" in text_of(client.post(make, {"new": "1"}, follow=True).content.decode())
    assert client.post(make, {"note": [notes[1].pk], "add": "1", "memo": "x"}).status_code == 404
    assert Memo.objects.count() == 1


# --- saving ----------------------------------------------------------------------------------------------
def test_a_save_says_so_and_shows_what_files_will_show(memo: Memo, alice: User) -> None:
    response = save(alice, memo, title=" The  rent ", text="**End:** in May [2].\r\n\nNo proof [7].")
    said = response.content.decode()
    assert "Saved" in said
    assert 'value="2"' in said  # the next edition begins from this one
    assert "<strong>End:</strong>" in said
    assert "The text cites [7], but no source has this number." in " ".join(said.split())
    assert "[2] in the text" in said  # it is number 1 in files
    assert "Not cited" in said
    memo.refresh_from_db()
    assert (memo.title, memo.text) == ("The rent", "**End:** in May [2].\n\nNo proof [7].")


def test_what_was_saved_elsewhere_is_not_overwritten_and_both_texts_stay(memo: Memo, alice: User) -> None:
    save(alice, memo, text="First.")
    response = save(alice, memo, text="Second.")
    own = Memo.objects.exclude(pk=memo.pk).get()
    memo.refresh_from_db()
    assert (memo.text, own.text) == ("First.", "Second.")
    assert response.headers["HX-Push-Url"] == address(own)
    assert "Nothing was overwritten" in response.content.decode()
    assert save(alice, memo, text="First.", edition=1).headers.get("HX-Push-Url") is None  # the same words
    assert Memo.objects.count() == 2
    plain = save(alice, memo, text="Third.", edition=1, htmx=False)
    assert plain.status_code == 302
    assert "Nothing was overwritten" in browser_of(alice).get(plain.headers["Location"]).content.decode()


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"title": " "}, "A memo needs a title."),
        ({"title": "x" * 201}, "The title has 201 characters; the limit is 200."),
        ({"text": "x" * (MAX_TEXT + 1)}, "The text has 100,001 characters; the limit is 100,000."),
    ],
)
def test_what_cannot_be_saved_says_why_and_stays_in_its_field(
    memo: Memo, alice: User, sent: dict[str, Any], said: str
) -> None:
    refused = save(alice, memo, **sent)
    assert (refused.status_code, said in refused.content.decode()) == (422, True)
    whole = save(alice, memo, htmx=False, **({"text": "Typed words."} | sent))
    assert (sent.get("text") or "Typed words.") in whole.content.decode()
    memo.refresh_from_db()
    assert memo.edition == 1


def test_what_is_typed_in_a_memo_that_was_deleted_meanwhile_is_refused_with_words(
    memo: Memo, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deleted(*args: Any) -> MemoForm:  # between the view's look and the save
        Memo.objects.filter(pk=memo.pk).delete()
        return MemoForm(*args)

    monkeypatch.setattr("memos.web.views.MemoForm", deleted)
    for _ in range(2):
        refused = save(alice, memo, text="Typed.")
        assert (refused.status_code, "Copy your text" in refused.content.decode()) == (422, True)


def test_a_source_is_taken_out_once_no_number_cites_it(memo: Memo, alice: User) -> None:
    take_out, second = address(memo, "take_out_source"), {"n": "2"}
    refused = browser_of(alice).post(take_out, second, follow=True).content.decode()
    assert "The text cites [2]" in text_of(refused)
    save(alice, memo, text="Only rent [1].")
    assert "Take out source 2" in page(alice, memo)
    browser_of(alice).post(take_out, second)
    memo.refresh_from_db()
    assert [source["n"] for source in memo.sources] == [1]


def test_viewers_change_nothing_and_strangers_see_nothing(memo: Memo, bob: User, charlie: User) -> None:
    assert save(bob, memo, text="Mine").status_code == 403
    assert browser_of(bob).post(address(memo, "delete_memo")).status_code == 403
    assert browser_of(charlie).get(address(memo, "memo_file", "md")).status_code == 404
    other = Datasource.objects.create(owner=charlie, name="Charlie's")
    assert browser_of(charlie).get(reverse("memo", args=[other.pk, memo.pk])).status_code == 404


# --- files -----------------------------------------------------------------------------------------------
def test_a_word_file_counts_in_the_order_of_the_text_and_ends_with_the_crops(
    memo: Memo, alice: User, bob: User
) -> None:
    save(alice, memo, text=f"## End\n\nIn **May** [2], rent [1].\n\n> {RENT} [1]\n\n1. one\n2. two [8]")
    file = word(bob, memo)
    said = words(file)
    assert "In May [1], rent [2]." in said
    assert "two (8: no source)" in said
    sources = said[said.index("Sources") : said.index("Appendix: the quotes on their pages")]
    assert [line[:9] for line in sources if line.startswith("[")] == ["[1] Annex", "[2] Lease"]
    assert f"“{TERM}”" in sources
    assert len(file.inline_shapes) == 2
    bold = [run.text for paragraph in file.paragraphs for run in paragraph.runs if run.bold]
    assert "May" in bold
    assert next(p.text for p in file.paragraphs if p.style.name == "Heading 1") == "End"


def test_a_pdf_has_the_same_words_and_a_picture_for_each_quote(memo: Memo, alice: User) -> None:
    save(alice, memo, title="Rent and term")
    response = browser_of(alice).get(address(memo, "memo_file", "pdf"))
    assert response.headers["Content-Type"] == "application/pdf"
    file = pypdf.PdfReader(io.BytesIO(response.content))
    said = " ".join(" ".join(page.extract_text() for page in file.pages).split())
    assert "Rent and term Taken from “Contracts” in SVQ on " in said
    assert "900 euro. [1]" in said
    assert f"[2] Annex, page 1 (on the page; supports the claim, checked by code) “{TERM}”" in said
    assert sum(len(page.images) for page in file.pages) == 2


def test_markdown_has_links_to_the_pages_and_nothing_active(memo: Memo, alice: User, settings: Any) -> None:
    settings.SITE_URL = "https://svq.example.org"
    save(alice, memo, text="End [2]. ![x](https://evil.example/a.png) <b>[9]</b>")
    told = browser_of(alice).get(address(memo, "memo_file", "md")).content.decode()
    assert "End [1]\\." in told or "End [1]." in told
    assert "(9: no source)" in told
    assert "![x](" not in told
    noted = AuditEntry.objects.get(act=AuditAct.TOOK)
    assert (noted.subject, noted.number) == ("memo", str(memo.pk))
    assert "1. [Annex, page 1](https://svq.example.org/d/" in told


def test_a_quote_in_an_answer_is_the_same_letter_for_letter_in_the_memos_markdown(
    contracts: Datasource, alice: User
) -> None:
    said = "Write <img src=x> & AT&amp;T in full."
    rules = make_document(contracts, "Rules", said)
    kept = keep_answer(alice, make_turn(alice, rules, "How?", answer=f"{verbatim(said)} {mark(1)}"))
    memo = make_memo(alice, contracts, [kept.pk])
    told = browser_of(alice).get(address(memo, "memo_file", "md")).content.decode()
    shown = lxml.html.fromstring(MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(told))
    assert f"{said} [1]" in shown.text_content()
    assert not shown.xpath("//img")


def test_a_document_that_is_gone_or_newer_says_so_in_its_place(
    memo: Memo, lease: Document, alice: User
) -> None:
    Document.objects.filter(pk=lease.pk).update(status=DocumentStatus.SUPERSEDED)
    file = word(alice, memo)
    assert "The document has been replaced by a newer version since." in words(file)
    assert len(file.inline_shapes) == 2
    lease.delete()
    file = word(alice, memo)
    assert "The document has been deleted since." in words(file)
    assert f"“{RENT}”" in words(file)
    assert len(file.inline_shapes) == 1
    told = "file deleted since; supports the claim, checked by code"
    assert f"[1] Lease, page 1 ({told})" in words(file)
    assert f"Lease, page 1; {told}" in text_of(page(alice, memo))
    reader = reverse("reader", args=[memo.datasource_id, 0])[:-2]
    assert page(alice, memo).count(reader) == 1  # the other document's


@pytest.mark.parametrize(
    ("quoted", "differs"),
    [
        (RENT, False),
        ("“The  rent is 900 euro\n> a month”.", False),
        ("The rent is […] a month.", False),
        ("The rent is **900** euro", False),
        ("The rent is 950 euro a month.", True),
        ("The rent is not 900 euro a month.", True),
        ("The lease is 900 euro a month.", True),
    ],
)
def test_a_quote_that_somebody_has_changed_is_told_apart(
    memo: Memo, alice: User, quoted: str, differs: bool
) -> None:
    save(alice, memo, text=f"In May. [2]\n\n> {quoted} [1]\n\nThe rent is 950 euro. [1]")
    assert ("Differs from source 2" in page(alice, memo)) == differs  # which is the text's second
    assert (sources.QUOTED_OTHERWISE in " ".join(words(word(alice, memo)))) == differs


def test_words_that_the_page_no_longer_has_have_no_picture(memo: Memo, lease: Document, alice: User) -> None:
    Page.objects.filter(document=lease).update(text="Something else altogether.")
    file = word(alice, memo)
    assert crops.NOT_FOUND in words(file)
    assert len(file.inline_shapes) == 1


def test_pictures_have_a_limit_and_people_take_turns(
    memo: Memo, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_for: list[str] = []
    find = crops.placed
    monkeypatch.setattr(crops, "MOST_PICTURES", 1)

    def placed(shown: ShownSource) -> Citation | None:
        looked_for.append(shown.source["quote"])
        return find(shown)

    monkeypatch.setattr(crops, "placed", placed)
    file = word(alice, memo)
    assert len(file.inline_shapes) == len(looked_for) == 1
    assert crops.NOT_DRAWN in words(file)
    monkeypatch.setattr("memos.files.writing.WRITING", FairSlots(0, patience=0.0))
    busy = browser_of(alice).get(address(memo, "memo_file", "docx"))
    assert (busy.status_code, "try again" in busy.content.decode()) == (503, True)


# --- personal data and deletion --------------------------------------------------------------------------
def test_personal_data_is_masked_in_what_was_written_and_in_what_is(
    memo: Memo, lease: Document, alice: User
) -> None:
    Page.objects.filter(document=lease).update(text=f"{RENT} {MAIL}")
    save(alice, memo, text=f"{memo.text} Write to {MAIL}.")
    assert MAIL in page(alice, memo)
    services.change_answer_settings(lease.datasource, personal_data="mask")
    mask_what_was_said(lease.datasource_id)
    assert MAIL not in page(alice, memo)
    memo.refresh_from_db()
    save(alice, memo, text=f"Still {MAIL} [1]. And [2].")
    memo.refresh_from_db()
    assert MAIL not in json.dumps([memo.text, memo.sources])
    file = word(alice, memo)
    assert crops.HIDDEN in words(file)
    assert len(file.inline_shapes) == 1


def test_a_memo_stays_without_notes_and_goes_with_its_datasource(memo: Memo, alice: User) -> None:
    memo.datasource.notes.all().delete()
    assert RENT in page(alice, memo)
    whole = Subject(datasource_id=memo.datasource_id, documents=[], contents=[], whole=True)
    assert Memos().count(whole) == {"memos": 1}
    assert losses(memo.datasource)["memos"] == 1
    asked = browser_of(alice).get(address(memo, "delete_memo")).content.decode()
    assert "2 sources with it" in " ".join(asked.split())
    browser_of(alice).post(address(memo, "delete_memo"))
    assert not Memo.objects.exists()
    assert "memos" not in losses(memo.datasource)
