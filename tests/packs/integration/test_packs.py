"""An evidence pack of an answer or a conversation: what is in it, for whom, and what never is."""

import io
import json
import os
import re
import tempfile
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import docx
import pypdf
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils.translation import override
from docx.enum.table import WD_TABLE_DIRECTION
from PIL import Image

from accounts.models import User
from answering.prompts_used import prompts_sha256
from chat import services
from chat.models import Citation, Turn, TurnStatus
from citations.choices import ConfirmedBy, OnPage, Support
from citations.marks import mark
from datasources.models import Datasource, Document, DocumentStatus
from exchange.packs import archive, content, writing
from exchange.packs.keys import own_key
from exchange.packs.tasks import remove_pack_folders
from exchange.packs.verification import Outcome, verify
from jobs.fair_slots import FairSlots
from tests.factories import TEXT, make_document, make_turn
from tests.localization.files import texts_of
from tests.localization.pseudo import pseudo_language
from tests.packs.made import as_file, contents_of
from tests.people import browser_of
from tests.responses import content_of, text_of

pytestmark = pytest.mark.django_db

MAIL = "jane.doe@arden.example"
SECOND = "The fee is €12,500 a year."
READABLE = ("answer.html", "answer.md", "answer.pdf", "answer.docx")


@pytest.fixture
def document(contracts: Datasource) -> Document:
    return make_document(contracts)


@pytest.fixture
def turn(alice: User, document: Document) -> Turn:
    """Two claims: one that code has confirmed, and one with a doubt about its figure."""
    turn = make_turn(
        alice,
        document,
        answer=f"Backups are kept for thirty days. {mark(1)} The fee is €12,600. {mark(2)}",
        model="qwen3:14b",
        prompts=prompts_sha256(),
        verdict={"claims": 2, "supported": 1},
    )
    turn.citations.update(claim="Backups are kept for thirty days.")
    Citation.objects.create(
        turn=turn,
        n=2,
        claim="The fee is €12,600.",
        document=document,
        document_title=document.title,
        written=SECOND,
        quote=SECOND,
        start=0,
        end=len(SECOND),
        pages=[1],
        reader="gemma",
        boxes={"1": [[100, 140, 600, 160]]},
        on_page=OnPage.EXACT,
        support=Support.CONTRADICTED,
        reason="gemma reads 12,500 in the quote, not 12,600.",
        judge={"verdict": "contradicts"},
    )
    return turn


def pack_of(turn: Turn, person: User) -> bytes:
    response = browser_of(person).get(reverse("answer_pack_file", args=[turn.pk]))
    assert response.status_code == 200, response.content
    assert ".zip" in response.headers["Content-Disposition"]
    return body_of(response)


def body_of(response: Any) -> bytes:
    return content_of(response)[: int(response.headers["Content-Length"])]


def facts_in(pack: bytes) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(contents_of(pack)["pack.json"])
    return told


def words_in(pack: bytes, name: str) -> str:
    """What a person reads in that file of the pack, on one line."""
    file = contents_of(pack)[name]
    if name.endswith(".pdf"):
        said = "\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(file)).pages)
    elif name.endswith(".docx"):
        made = docx.Document(io.BytesIO(file))
        cells = [cell.text for table in made.tables for row in table.rows for cell in row.cells]
        said = "\n".join([*(paragraph.text for paragraph in made.paragraphs), *cells])
    else:
        said = text_of(re.sub("<style>.*?</style>", "", file.decode(), flags=re.DOTALL))
    return " ".join(said.replace("\\", "").split())


def test_every_form_says_the_same_of_the_answer(turn: Turn, alice: User, document: Document) -> None:
    pack = pack_of(turn, alice)
    assert verify(as_file(pack)).outcome == Outcome.NO_KEY
    for name in READABLE:
        said = words_in(pack, name)
        bare = said.replace(" ", "")  # a line of a PDF may end within a word
        for words in (
            turn.question,
            "thirty days",
            "12,600",
            "12,500",
            TEXT,
            SECOND,
            document.sha256,
            "supports the claim",
            "gemma reads 12,500 in the quote, not 12,600.",
            own_key().shown,
            "The words: SVQ’s code found them in the document, letter for letter.",
            prompts_sha256(),
            "The claim: SVQ’s code finds it supported.",
            "The document had not changed when this copy was made.",
        ):
            assert words.replace(" ", "").lower() in bare.lower() or (
                name == "answer.html" and words == "supports the claim"
            ), (name, words)
    for at in range(0, len(pack), len(pack) // 97):
        altered = pack[:at] + bytes([pack[at] ^ 1]) + pack[at + 1 :]
        assert verify(as_file(altered)).outcome == Outcome.BROKEN
    assert "Supports, checked by code" in words_in(pack, "answer.html")
    assert "1 of 2 statements confirmed : 1 for your eye first" in words_in(pack, "answer.html")


def test_facts_are_those_of_the_answer(turn: Turn, alice: User, document: Document) -> None:
    told = facts_in(pack_of(turn, alice))
    assert (told["format"], told["version"], told["kind"]) == ("svq-evidence-pack", 1, "answer")
    (answer,) = told["answers"]
    assert answer["question"] == turn.question
    assert answer["answer"] == "Backups are kept for thirty days. [1] The fee is €12,600. [2]"
    assert answer["model"]["name"] == "qwen3:14b"
    assert answer["model"]["prompts_sha256"] == prompts_sha256()
    assert answer["verdict"] == {"claims": 2, "supported": 1}
    first, second = answer["citations"]
    assert (first["start"], first["end"], first["pages"]) == (0, len(TEXT), [1])
    assert (first["support"], first["checked"]) == (
        "supported",
        [
            "The words: SVQ’s code found them in the document, letter for letter.",
            "The claim: SVQ’s code finds it supported.",
            "The document had not changed when this copy was made.",
        ],
    )
    assert second["support"] == "contradicted"
    assert second["checked"][1] == "The claim: the second reader gemma finds it contradicted."
    assert first["document"]["sha256"] == document.sha256
    assert [each["sha256"] for each in told["documents"]] == [document.sha256]
    assert told["documents"][0]["state"] == "current"


def test_a_model_that_judged_its_own_answer_is_never_called_a_second_reader(turn: Turn, alice: User) -> None:
    turn.citations.filter(n=2).update(
        support=Support.SUPPORTED,
        confirmed_by=ConfirmedBy.READER,
        reader="qwen3:14b",
        reason="",
        judge={"verdict": "supports", "writer": True},
    )
    pack = pack_of(turn, alice)
    for name in ("pack.json", *READABLE):
        said = words_in(pack, name).replace(" ", "")
        assert "qwen3:14b, the model that wrote the answer, finds it supported".replace(" ", "") in said, name
        assert "secondreader" not in said, name
    turn.citations.filter(n=2).update(judge={})  # what a deletion leaves: the names tell
    (answer,) = facts_in(pack_of(turn, alice))["answers"]
    assert "the model that wrote the answer" in answer["citations"][1]["checked"][1]


def test_the_pdf_has_letters_for_every_language_or_says_which_it_lacks(turn: Turn, alice: User) -> None:
    Turn.objects.update(answer=f"备份保存三十天。 تُحفظ النسخ الاحتياطية {mark(1)}")
    said = words_in(pack_of(turn, alice), "answer.pdf")
    assert "备份保存三十天" in said
    assert "has no letters for" not in said
    pages = pypdf.PdfReader(io.BytesIO(contents_of(pack_of(turn, alice))["answer.pdf"])).pages
    resources: list[Any] = [page["/Resources"] for page in pages]
    fonts = [str(font["/BaseFont"]) for each in resources for font in each["/Font"].values()]
    assert any("Arabic" in font or "Amiri" in font for font in fonts)
    Turn.objects.update(answer=f"สำรองข้อมูล 𠮷𪚥 {mark(1)}")
    said = words_in(pack_of(turn, alice), "answer.pdf")
    assert "This PDF has no letters for Rare Chinese Characters, Thai" in said


def test_quotes_are_shown_on_their_page(turn: Turn, alice: User) -> None:
    files = contents_of(pack_of(turn, alice))
    pictures = [name for name in files if name.startswith("pictures/")]
    assert pictures == ["pictures/a1-c1-p1.png", "pictures/a1-c2-p1.png"]
    pixels = Image.open(io.BytesIO(files[pictures[0]])).convert("RGB").tobytes()
    colours = {(pixels[at], pixels[at + 1], pixels[at + 2]) for at in range(0, len(pixels), 3)}
    assert any(blue < 0x90 < green for _, green, blue in colours)  # the yellow of a marker
    html = files["answer.html"].decode()
    assert html.count('src="data:image/png;base64,') == 2
    assert len(pypdf.PdfReader(io.BytesIO(files["answer.pdf"])).pages[0].images) == 2
    assert len(docx.Document(io.BytesIO(files["answer.docx"])).inline_shapes) == 2


def test_the_page_asks_no_network_for_anything(turn: Turn, alice: User) -> None:
    hostile = "<script>x()</script> <img src=//evil.example/a> ![a](http://evil.example/b)"
    turn.citations.update(
        quote=hostile, before=hostile, reason=hostile, document_title=hostile, claim=hostile
    )
    Turn.objects.update(question=hostile, answer=f"{hostile} {mark(1)}")
    files = contents_of(pack_of(turn, alice))
    for name in ("answer.html", "verify.html"):
        html = files[name].decode()
        assert "default-src 'none'" in unescape(html)
        for reach in ("<script>x()", "<img src=//", ' src="http', ' href="http', "url(", "@import", "<link"):
            assert reach not in html, (name, reach)
    assert "<script" not in files["answer.html"].decode()


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (
            {"quotes_only": True, "model": "quotes", "prompts": ""},
            "No language model: SVQ copied these passages",
        ),
        ({"model": "quotes", "prompts": ""}, "No language model was asked."),
        ({"model": "old", "prompts": ""}, "Answered by old. The hash of its prompts was not kept."),
    ],
)
def test_who_wrote_it_is_said_plainly(turn: Turn, alice: User, values: dict[str, Any], said: str) -> None:
    Turn.objects.update(**values)
    pack = pack_of(turn, alice)
    assert said in facts_in(pack)["answers"][0]["model"]["said"]
    assert said in words_in(pack, "answer.html")
    assert said in words_in(pack, "answer.pdf")


def test_a_document_that_was_replaced_or_deleted_since_is_named(turn: Turn, alice: User) -> None:
    Document.objects.update(status=DocumentStatus.SUPERSEDED)
    told = facts_in(pack_of(turn, alice))
    assert told["documents"][0]["state"] == "replaced"
    page = browser_of(alice).get(reverse("answer_pack", args=[turn.pk]))
    assert "1 of 1 document has been replaced or deleted since." in text_of(page)
    Document.objects.update(status=DocumentStatus.DELETED)
    pack = pack_of(turn, alice)
    assert facts_in(pack)["documents"][0]["state"] == "deleted"
    assert not [name for name in contents_of(pack) if name.startswith("pictures/")]
    assert b"data:image" not in contents_of(pack)["answer.html"]
    for name in ("answer.html", "answer.pdf", "answer.md"):
        assert "The document was deleted." in words_in(pack, name)
    turn.citations.update(document=None)
    said = text_of(browser_of(alice).get(reverse("answer_pack", args=[turn.pk])))
    assert "1 answer with 2 quotes from 1 document" in said
    assert "1 of 1 document has been replaced or deleted since." in said
    (gone,) = facts_in(pack_of(turn, alice))["documents"]
    assert (gone["title"], gone["sha256"], gone["state"]) == ("Questionnaire", None, "deleted")


def test_passages_that_were_copied_are_printed_once(alice: User, document: Document) -> None:
    """A sentence, and the row of a table; the third is cut, and some forms tell its whole sentence below."""
    row, cut = "B2 | How long are tapes kept? | Ninety days.", "They are burnt at the end of"
    heads = "| No. | Question | Answer |\n> | --- | --- | --- |"
    cells = f"{heads}\n> | B2 | How long are tapes kept? | Ninety days."
    answer = f"> {TEXT} {mark(1)}\n\n> {cells} {mark(2)} |\n\n> {cut} {mark(3)}"
    turn = make_turn(alice, document, status=TurnStatus.QUOTES, quotes_only=True, answer=answer)
    turn.citations.update(claim="", quote=TEXT, before="", after="")
    for n, quote, after in ((2, row, ""), (3, cut, "the third year.")):
        copy = turn.citations.get(n=1)
        copy.pk, copy.n, copy.quote, copy.after = None, n, quote, after
        copy.save()
    pack = pack_of(turn, alice)
    for name in READABLE:
        said = words_in(pack, name).replace(" ", "")
        whole = name in ("answer.html", "answer.pdf")
        told = {TEXT: 1, "How long are tapes kept?": 1, cut: 1 + whole, "the third year.": int(whole)}
        assert {words: said.count(words.replace(" ", "")) for words in told} == told, name


def test_an_answer_in_the_words_of_its_quote_says_them_twice_and_not_thrice(
    alice: User, document: Document
) -> None:
    turn = make_turn(alice, document, answer=f"{TEXT[:-1]} {mark(1)}.", model="qwen3:14b")
    turn.citations.update(claim=TEXT, quote=TEXT, before="", after="")
    pack = pack_of(turn, alice)
    for name in READABLE:
        said = words_in(pack, name).replace(" ", "")
        assert said.count(TEXT[:-1].replace(" ", "")) == 2, name


def test_an_answer_with_another_figure_than_its_quote_is_printed_beside_it(
    alice: User, document: Document
) -> None:
    turn = make_turn(alice, document, answer=f"Net loss was €3.5m. {mark(1)}", model="qwen3:14b")
    turn.citations.update(claim="Net loss was €3.5m.", quote="Net loss was $35m.", before="", after="")
    assert "The answer says" in words_in(pack_of(turn, alice), "answer.html")


def test_what_is_masked_is_in_no_file_of_a_pack(alice: User, contracts: Datasource) -> None:
    """The job that masks the rows has not run yet. The page of the second quote shows the address. Questions
    and names are masked as well: a pack leaves the house, and the question becomes its name.
    """
    document = make_document(
        contracts, f"Mail to {MAIL}", f"Write to {MAIL} about the rent. The rent is due in May."
    )
    contracts.name = f"Letters of {MAIL}"
    contracts.save()
    turn = make_turn(
        alice, document, f"What of {MAIL}?", standalone=f"Is it {MAIL}?", search={"names_absent": [MAIL]}
    )
    Citation.objects.create(
        turn=turn,
        n=2,
        claim="May.",
        document=document,
        document_title=document.title,
        written="due in May",
        quote="due in May",
        start=0,
        end=10,
        pages=[1],
        boxes={"1": [[100, 140, 600, 160]]},
        on_page=OnPage.EXACT,
        before=f"{MAIL} …",
    )
    assert "pictures/a1-c2-p1.png" in contents_of(pack_of(turn, alice))
    services.change_answer_settings(contracts, personal_data="mask")
    pack = pack_of(turn, alice)
    for name in ("pack.json", *READABLE):
        assert MAIL not in words_in(pack, name), name
        assert MAIL not in contents_of(pack)[name].decode(errors="replace")
    assert "‹e-mail address masked›" in words_in(pack, "answer.html")
    told = facts_in(pack)
    assert told["title"] == "What of ‹e-mail address masked›?"
    assert (told["pictures_left_out"], told["pictures_hidden"]) == (0, 2)
    for name in ("answer.html", "answer.pdf", "answer.docx"):
        said = "2 quotes are shown without the page, as there may be personal data on it."
        assert said in words_in(pack, name), name
    for address in (
        reverse("answer_pack_file", args=[turn.pk]),
        reverse("conversation_pack_file", args=[contracts.pk, turn.conversation_id]),
    ):
        response = browser_of(alice).get(address)
        assert MAIL not in unquote(response.headers["Content-Disposition"])
        assert MAIL not in str(facts_in(body_of(response)))
    assert not [name for name in contents_of(pack) if name.startswith("pictures/")]
    kept = Turn.objects.get()
    assert MAIL in kept.answer  # the row is left to the job
    assert MAIL in kept.question
    document.refresh_from_db()
    assert MAIL in document.title


def test_what_was_not_found_has_no_quotes(turn: Turn, alice: User, document: Document) -> None:
    near = {"document": document.pk, "title": "Lease", "chunk": 7, "pages": [1], "text": "Tapes rot."}
    Turn.objects.update(status=TurnStatus.NOT_FOUND, nearest=[near])
    pack = pack_of(turn, alice)
    (answer,) = facts_in(pack)["answers"]
    assert (answer["answer"], answer["citations"]) == ("", [])
    for name in ("answer.html", "answer.pdf", "answer.md"):
        said = words_in(pack, name)
        assert "Tapes rot." not in said, "what was near but is not cited stays in the house"
        assert "12,600" not in said


def test_a_conversation_is_one_pack_of_its_finished_answers(turn: Turn, alice: User) -> None:
    conversation = turn.conversation
    Turn.objects.create(conversation=conversation, number=2, question="And?", status=TurnStatus.RUNNING)
    Turn.objects.create(
        conversation=conversation,
        number=3,
        question="Since when?",
        status=TurnStatus.ANSWERED,
        answer="1998.",
    )
    address = reverse("conversation_pack_file", args=[conversation.datasource_id, conversation.pk])
    pack = body_of(browser_of(alice).get(address))
    told = facts_in(pack)
    assert (told["kind"], [each["number"] for each in told["answers"]]) == ("conversation", [1, 3])
    for name in READABLE:
        assert "Since when?" in words_in(pack, name)


def test_what_cannot_be_packed_is_refused_with_words(
    turn: Turn, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation, client = turn.conversation, browser_of(alice)
    address = reverse("conversation_pack_file", args=[conversation.datasource_id, conversation.pk])
    monkeypatch.setattr(content, "MOST_QUOTES", 1)
    refused = client.get(address)
    assert (refused.status_code, "holds 100 answers" in text_of(refused)) == (422, True)
    Turn.objects.update(status=TurnStatus.RUNNING)
    for name, of in (
        ("answer_pack", [turn.pk]),
        ("conversation_pack", [conversation.datasource_id, conversation.pk]),
    ):
        said = text_of(client.get(reverse(name, args=of)))
        assert content.UNFINISHED_ANSWER in said or content.NO_ANSWER in said
        assert "Download" not in said
    rest = client.get(reverse("api-turn-pack", args=[turn.pk]))
    assert (rest.status_code, rest.json()["code"]) == (400, "unfinished")


def test_only_whoever_asked_gets_it(turn: Turn, bob: User, charlie: User) -> None:
    conversation = turn.conversation
    addresses = [
        *(reverse(name, args=[turn.pk]) for name in ("answer_pack", "answer_pack_file", "api-turn-pack")),
        *(
            reverse(name, args=[conversation.datasource_id, conversation.pk])
            for name in ("conversation_pack", "conversation_pack_file")
        ),
        reverse("api-conversation-pack", args=[conversation.pk]),
    ]
    for person in (bob, charlie):
        assert {browser_of(person).get(address).status_code for address in addresses} == {404}


def test_rest_gives_the_same_pack_and_the_key(turn: Turn, alice: User) -> None:
    client = browser_of(alice)
    for address in (
        reverse("api-turn-pack", args=[turn.pk]),
        reverse("api-conversation-pack", args=[turn.conversation_id]),
    ):
        found = verify(as_file(body_of(client.get(address))))
        assert found.facts["answers"][0]["question"] == turn.question
        assert found.key
        assert client.get(reverse("api-signing-key")).json()["fingerprint"] == found.key.fingerprint
        assert client.head(address).status_code == 405  # nothing is written that nobody reads
    assert client.get(reverse("pack_key")).content.decode() == own_key().pem


def test_the_page_that_verifies_needs_no_account(client: Client) -> None:
    page = client.get(reverse("pack_verifier"))
    assert (page.status_code, page.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert own_key().fingerprint in page.content.decode()
    assert "script-src 'sha256-" in page.headers["Content-Security-Policy"]
    assert "can forge the page beside it" in text_of(page)


def test_the_menu_and_the_line_under_an_answer_lead_to_it(turn: Turn, alice: User) -> None:
    conversation = turn.conversation
    client = browser_of(alice)
    page = client.get(reverse("conversation", args=[conversation.datasource_id, conversation.pk]))
    links = [
        reverse("answer_pack", args=[turn.pk]),
        reverse("conversation_pack", args=[conversation.datasource_id, conversation.pk]),
    ]
    for link in links:
        assert f'href="{link}"' in page.content.decode()
        said = text_of(client.get(link))
        assert "1 answer with 2 quotes from 1 document" in said
        assert own_key().shown in said


def test_pictures_beyond_the_limit_are_counted(
    turn: Turn, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exchange.packs.pictures.MOST_PICTURES", 1)
    pack = pack_of(turn, alice)
    assert facts_in(pack)["pictures_left_out"] == 1
    assert "1 quote is shown without the page" in words_in(pack, "answer.html")


def test_who_comes_while_packs_are_written_is_told_to_wait(
    turn: Turn, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_at_a_time = FairSlots(1, patience=0)
    monkeypatch.setattr(writing, "WRITING", one_at_a_time)
    with one_at_a_time.taken_by(0):
        busy = browser_of(alice).get(reverse("answer_pack_file", args=[turn.pk]))
        rest = browser_of(alice).get(reverse("api-turn-pack", args=[turn.pk]))
    assert (busy.status_code, busy.headers["Retry-After"], rest.status_code) == (503, "2", 429)
    assert pack_of(turn, alice)


def test_nothing_stays_on_the_disk(
    turn: Turn, alice: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    left, recent = (tmp_path / "tmp" / f"{writing.FOLDER}{name}" for name in ("left", "recent"))
    for folder in (left, recent):
        (folder / "pictures").mkdir(parents=True)
    os.utime(left, (0, 0))  # of a process that was killed
    pack_of(turn, alice)
    remove_pack_folders(0)
    assert list((tmp_path / "tmp").iterdir()) == [recent]


def test_a_pack_that_would_be_too_large_is_refused_with_words(
    turn: Turn, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MOST_BYTES", 20_000)
    refused = browser_of(alice).get(reverse("answer_pack_file", args=[turn.pk]))
    assert (refused.status_code, "would be larger than one can be" in text_of(refused)) == (422, True)


# --- the command -------------------------------------------------------------------------------------------
def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """Exit status and what is said."""
    try:
        call_command("verify_pack", *arguments)
    except CommandError as error:
        return error.returncode, str(error)
    except SystemExit as ended:
        return int(str(ended)), capsys.readouterr().out
    return 0, capsys.readouterr().out


def test_the_command_says_what_holds(
    turn: Turn, alice: User, tmp_path: Path, capsys: pytest.CaptureFixture[str], settings: Any
) -> None:
    path = tmp_path / "pack.zip"
    path.write_bytes(pack_of(turn, alice))
    status, said = run(capsys, str(path))
    assert (status, f"Pack: {turn.question}" in said) == (0, True)
    assert "The pack is whole and unchanged, and signed by the key that it should be signed by." in said
    fingerprint, pem = own_key().shown, tmp_path / "key.pem"
    pem.write_text(own_key().pem)
    settings.DATA_DIR = tmp_path / "elsewhere"
    status, said = run(capsys, str(path))
    assert (status, "can't be compared here" in said, (tmp_path / "elsewhere").exists()) == (2, True, False)
    assert run(capsys, str(path), "--key", fingerprint)[0] == 0
    assert run(capsys, str(path), "--key", str(pem))[0] == 0
    status, said = run(capsys, str(path), "--key", "0" * 64)
    assert (status, "Signed by another key than the one you named." in said) == (3, True)
    own_key()
    status, said = run(capsys, str(path))
    assert (status, "Signed by a key that this SVQ does not know" in said) == (3, True)
    assert fingerprint in said
    assert "A fingerprint has 64" in run(capsys, str(path), "--key", "nonsense")[1]
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    status, said = run(capsys, str(path))
    assert (status, said.startswith("The pack is not as it was signed. Do not rely on it.")) == (1, True)
    assert "is not a file" in run(capsys, "/dev/zero")[1]
    assert "Can't read" in run(capsys, str(tmp_path / "none.zip"))[1]


def test_the_command_says_what_became_of_the_documents(
    turn: Turn, alice: User, tmp_path: Path, capsys: pytest.CaptureFixture[str], settings: Any
) -> None:
    path = tmp_path / "pack.zip"
    path.write_bytes(pack_of(turn, alice))
    for status, said in (
        (DocumentStatus.READY, "“Questionnaire” is as it was quoted."),
        (DocumentStatus.SUPERSEDED, "“Questionnaire” has been replaced by a newer version."),
        (DocumentStatus.DELETED, "“Questionnaire” has been deleted."),
    ):
        Document.objects.update(status=status)
        ended, told = run(capsys, str(path), "--documents")
        assert (ended, said in told) == (0, True)
    settings.DATA_DIR = tmp_path / "elsewhere"
    assert "What became of its documents is not known here" in run(capsys, str(path), "--documents")[1]


def test_a_pack_is_in_the_language_of_who_takes_it_but_what_programs_read_is_in_english(
    alice: User, turn: Turn
) -> None:
    with pseudo_language(), writing.write_pack(content.content_of_turn(turn)) as file:
        files = contents_of(file.read())
    assert "⁅" not in files["pack.json"].decode()
    for name in ("answer.html", "answer.md", "answer.pdf", "answer.docx", "verify.html"):
        assert any("⁅" in text for text in texts_of(name, files[name])), name


def test_a_pack_runs_from_right_to_left_in_arabic(alice: User, turn: Turn) -> None:
    with override("ar"), writing.write_pack(content.content_of_turn(turn)) as file:
        files = contents_of(file.read())
    word = docx.Document(io.BytesIO(files["answer.docx"]))
    from_right = [each.text for each in word.paragraphs if each._p.xpath("./w:pPr/w:bidi")]
    assert any("طُرح في" in text for text in from_right)
    assert turn.question not in from_right, "a question in English runs as English does"
    assert [each.table_direction for each in word.tables] == [WD_TABLE_DIRECTION.RTL]
    assert 'dir="rtl"' in files["answer.html"].decode()
