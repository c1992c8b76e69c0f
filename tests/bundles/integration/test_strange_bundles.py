"""Bundles that were altered on purpose: each is refused in words before anything is stored."""

import gc
import json
import re
import threading
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.conf import settings as configured
from django.core.exceptions import ValidationError
from django.db import connection
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from accounts.models import User
from chat.models import Citation, Note, Turn
from chat.notebook import keep_answer
from chat.wording import IMPORTED
from citations.marks import mark
from citations.opinion import Answers
from citations.verdict import verdict_of
from datasources.models import Datasource, Document, Matter
from datasources.storage.stored_files import stored_names
from desks.compliance.checks.services import start_check
from desks.compliance.checks.subjects import create_subject
from desks.compliance.frameworks.services import attach
from desks.compliance.models import Finding
from exchange.bundles import checking, manifest, reading, sending, services
from exchange.bundles.adding import add_documents
from exchange.bundles.contents import CARRIED, is_left_out
from exchange.bundles.errors import BundleError
from exchange.bundles.manifest import Upgrade
from exchange.bundles.models import BundleImport, ImportStatus
from exchange.packs.facts import answer_facts
from graph.models import EntityMention
from jobs.fair_slots import Busy
from tests.bundles.made import Rows, altered, bundle_of, packed, parts_of, sealed, with_rows
from tests.compliance.world import framework
from tests.factories import make_document, make_turn
from tests.people import browser_of
from tests.responses import joined, text_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def bundle(contracts: Datasource, tmp_path: Path) -> Path:
    make_document(contracts)
    return bundle_of(contracts, tmp_path / "contracts.zip")


LIE = "The Supplier pays nine million."


def first(**values: Any) -> Any:
    def change(rows: Rows) -> None:
        rows[0].update(values)

    return change


def twice(rows: Rows) -> None:
    rows.append(dict(rows[0]))


def of_another_name(parts: dict[str, bytes], said: dict[str, Any]) -> None:
    (name,) = [name for name in parts if name.startswith("originals/")]
    parts["originals/1/../../evil.pdf"] = parts.pop(name)


def without_pages(parts: dict[str, bytes], said: dict[str, Any]) -> None:
    del parts["rows/ingestion.Page.jsonl"]


def deep(rows: Rows) -> None:
    value: Any = []
    for _ in range(200):
        value = [value]
    rows[0]["metadata"] = {"tags": value}


def other_file(parts: dict[str, bytes], said: dict[str, Any]) -> None:
    (name,) = [name for name in parts if name.startswith("originals/")]
    parts[name] += b"more"


def of_a_newer_version(parts: dict[str, bytes], said: dict[str, Any]) -> None:
    said["version"] = manifest.VERSION + 1


def with_a_column(parts: dict[str, bytes], said: dict[str, Any]) -> None:
    said["columns"]["ingestion.Chunk"].append("colour")


def fewer_than_said(parts: dict[str, bytes], said: dict[str, Any]) -> None:
    said["rows"]["ingestion.Chunk"] = 7


def with_a_column_twice(parts: dict[str, bytes], said: dict[str, Any]) -> None:
    said["columns"]["ingestion.Chunk"].append(said["columns"]["ingestion.Chunk"][0])


def with_a_huge_manifest(parts: dict[str, bytes], said: dict[str, Any]) -> None:
    said["left_out"] = {f"a.Table{n}": "x" * 100 for n in range(30_000)}


def with_a_manifest_that_swells(parts: dict[str, bytes], said: dict[str, Any]) -> None:
    said["missing"] = [[] for _ in range(200_000)]


def of_dimensions(number: int) -> Callable[[dict[str, bytes], dict[str, Any]], None]:
    def change(parts: dict[str, bytes], said: dict[str, Any]) -> None:
        said["embedding_dimensions"] = number

    return change


def with_members(parts: dict[str, bytes], said: dict[str, Any]) -> None:
    parts["rows/datasources.Membership.jsonl"] = b"{}\n"


def with_another_table(parts: dict[str, bytes], said: dict[str, Any]) -> None:
    parts["rows/evil.Table.jsonl"] = b"{}\n"


def with_a_space(parts: dict[str, bytes], said: dict[str, Any]) -> None:
    space: dict[str, Any] = dict.fromkeys(said["columns"]["ingestion.VectorSpace"], "")
    space |= dict.fromkeys(["created", "changed"], "2026-11-29T00:00:00+00:00")
    space |= {"id": 1, "model": "another", "dimensions": 7, "status": "current", "declined": False}
    with_rows("ingestion.VectorSpace", lambda rows: rows.append(space))(parts, said)


DOCUMENT, PAGE, CHUNK = "datasources.Document", "ingestion.Page", "ingestion.Chunk"
STRANGE = {
    "a path": (of_another_name, "names a part that no bundle has"),
    "a part is missing": (without_pages, "ingestion.Page.jsonl is missing"),
    "another file": (other_file, "names a file that has other contents than it says"),
    "a newer version": (of_a_newer_version, "A newer SVQ .* wrote this bundle"),
    "an unknown column": (with_a_column, "a column that this SVQ does not know: colour"),
    "other counts": (fewer_than_said, "has 1 rows, its manifest says 7"),
    "a row outside": (with_rows(PAGE, first(document_id=10**9)), "not in the bundle .document_id."),
    "a number twice": (with_rows(CHUNK, twice), "no higher number than the one before"),
    "NUL": (with_rows(DOCUMENT, first(title="a\0b")), "title has a character .*NUL"),
    "half a character": (with_rows(DOCUMENT, first(title="\ud800")), "is not JSON"),
    "JSON too deep": (with_rows("datasources.Document", deep), "nested deeper than 64 levels"),
    "a huge number": (with_rows(CHUNK, first(start=2**40)), "start is no number of that size"),
    "a long text": (with_rows("datasources.Datasource", first(name="x" * 500)), "longer than 120 characters"),
    "an unknown choice": (with_rows(DOCUMENT, first(status="famous")), "not one that can be chosen"),
    "work under way": (with_rows(DOCUMENT, first(status="queued")), "is work under way"),
    "a kind of file": (with_rows(DOCUMENT, first(mime="text/javascript")), "no kind of file"),
    "an end before its beginning": (with_rows(CHUNK, first(start=40, end=3)), "ends before it begins"),
    "another file's name": (with_rows(DOCUMENT, first(file="manifest.json")), "names a file"),
    "a time that no database gives back": (
        with_rows(DOCUMENT, first(created="9999-12-31T23:59:59-15:00")),
        "a time that no datasource has",
    ),
    "passages of any size": (
        with_rows("datasources.Datasource", first(chunk_size=2**31 - 1)),
        "chunk_size is not between",
    ),
    "a column twice": (with_a_column_twice, "names a column twice"),
    "a huge manifest": (with_a_huge_manifest, "larger than it can be"),
    "a manifest that swells": (with_a_manifest_that_swells, "larger than it can be"),
    "a table that stays behind": (with_members, "a table that this SVQ does not know: datasources.Member"),
    "fewer dimensions than one": (of_dimensions(-5), "not as SVQ writes it"),
    "a model of no dimensions": (
        with_rows("datasources.Datasource", first(embedding_dimensions=0)),
        "embedding_dimensions is no number of dimensions",
    ),
    "a page laid out otherwise": (
        with_rows(PAGE, first(layout={"rows": [{"a": 1}]})),
        "layout has another form than SVQ writes .rows.0.",
    ),
    "an unknown table": (with_another_table, "a table that this SVQ does not know: evil.Table"),
    "a list for an object": (with_rows(DOCUMENT, first(metadata=[5])), "metadata is no object"),
    "an id that is SVQ's own": (
        with_rows(DOCUMENT, first(metadata={"externalId": ["lease-7", "svq-1"]})),
        "metadata has another form than SVQ writes",
    ),
    "vectors of another model": (with_a_space, "of another model than its datasource"),
    "a name that ends a line": (
        with_rows(DOCUMENT, first(filename="n.pdf\n")),
        "filename has more than one line",
    ),
    "a name that nobody sees": (
        with_rows("datasources.Datasource", first(name="\u202e")),
        "no name on one line that people can see",
    ),
    "a title that nobody sees": (
        with_rows(DOCUMENT, first(title="\u202e\u200b")),
        "no name that people can see",
    ),
    "a passage at the end of all numbers": (
        with_rows(CHUNK, first(end=2**31 - 1)),
        "end is not between",
    ),
    "a document that replaces itself": (
        with_rows(DOCUMENT, lambda rows: rows[0].update(replaces_id=rows[0]["id"])),
        r"name each other in a circle \(replaces",
    ),
    "a page turned by no right angles": (
        with_rows(PAGE, first(quarter_turns=7)),
        "quarter_turns is not between",
    ),
    "a page behind all others": (with_rows(PAGE, first(start=2**31 - 1)), "begins where no page does"),
    "a document without a number of pages": (
        with_rows(DOCUMENT, first(page_count=None)),
        "no number of pages",
    ),
    "boxes of another size": (with_rows(PAGE, first(boxes="\\x789c030000000001")), "another size"),
}


def nothing_is_stored(contracts: Datasource, before: set[str]) -> None:
    assert list(Datasource.objects.all()) == [contracts]
    assert set(stored_names()) == before
    row = BundleImport.objects.latest("created")
    assert row.status == ImportStatus.FAILED
    assert row.error_message
    with override("de"):
        assert row.why_failed not in ("", row.error_message)
        assert row.what_helps not in ("", row.error_hint)


def test_what_was_altered_on_purpose_is_refused(bundle: Path, contracts: Datasource, charlie: User) -> None:
    before = set(stored_names())
    for kind, (change, words) in STRANGE.items():
        with pytest.raises(BundleError) as refusal:
            services.take_in(charlie, altered(bundle, change))
        assert re.search(words, str(refusal.value)), f"{kind}: {refusal.value}"
        nothing_is_stored(contracts, before)


def test_the_page_of_imports_speaks_the_readers_language(bundle: Path, charlie: User) -> None:
    """What is wrong with the line itself is for administrators, as it is for the command line."""

    def page() -> str:
        answer = browser_of(charlie).get(reverse("bundles_state"), headers={"accept-language": "de"})
        return text_of(answer)

    with pytest.raises(BundleError, match="quarter_turns is not between"):
        services.take_in(charlie, altered(bundle, with_rows(PAGE, first(quarter_turns=7))))
    told = page()
    assert "Zeile 1 von rows/ingestion.Page.jsonl lässt sich nicht übernehmen." in told
    assert "Nichts wurde gespeichert." in told
    assert "quarter_turns" not in told
    assert "Line 1" not in told
    User.objects.filter(pk=charlie.pk).update(is_superuser=True)
    assert "quarter_turns is not between" in page()


def test_rows_that_contradict_each_other_are_refused(
    bundle: Path, contracts: Datasource, charlie: User
) -> None:
    other = make_document(contracts, "Other", "Nothing is due to Acme.")
    mention = EntityMention.objects.create(
        datasource=contracts,
        document=other,
        chunk=other.chunks.get(),
        name="Acme",
        key="acme",
        start=18,
        end=22,
        position=0,
        said_start=0,
        said_end=23,
        extractor="rules",
    )
    before = set(stored_names())

    def of_another_document(rows: Rows) -> None:
        (rows[0]["document_id"],) = contracts.documents.exclude(pk=mention.document_id).values_list(
            "pk", flat=True
        )

    forged = altered(
        bundle_of(contracts, bundle.with_name("two.zip")),
        with_rows("graph.EntityMention", of_another_document),
    )
    with pytest.raises(BundleError, match=r"contradict each other \(document, chunk\)"):
        services.take_in(charlie, forged)
    nothing_is_stored(contracts, before)


def test_proof_that_somebody_made_up_is_no_proof_here(
    bundle: Path, contracts: Datasource, charlie: User
) -> None:
    """Nothing tells it from what SVQ writes but the document itself."""
    contracts.owner = charlie
    contracts.save()
    for question in ("Honest?", "Invented?", "Elsewhere?", "Said by a model?"):
        make_turn(charlie, contracts.documents.get(), question)

    def forge(rows: Rows) -> None:
        _, invented, elsewhere, believed = rows
        invented |= {"quote": LIE, "written": LIE, "end": len(LIE)}
        elsewhere |= {"start": 3, "end": elsewhere["end"] + 3}
        believed |= {"confirmed_by": "reader", "reader": "gpt-9", "judge": {}}

    Turn.objects.filter(question="Said by a model?").update(answer=f"{LIE} {mark(1)}")
    path = bundle_of(contracts, bundle.with_name("own.zip"), conversations=True)
    services.take_in(charlie, altered(path, with_rows("chat.Citation", forge)))
    taken_in = Citation.objects.exclude(turn__conversation__datasource=contracts).order_by("pk")
    honest, invented, elsewhere, believed = taken_in
    assert (honest.on_page, honest.support, honest.confirmed_by) == ("exact", "supported", "code")
    for one in (invented, elsewhere):
        assert (one.on_page, one.support, one.confirmed_by, one.quote, one.boxes) == (
            "absent",
            "none",
            "",
            "",
            {},
        )
        assert "not where the imported file says" in one.reason
    assert (believed.on_page, believed.claim) == ("exact", LIE)
    assert (believed.support, believed.confirmed_by, believed.reader) == ("needs_your_eye", "", "")


def test_what_stands_around_a_proof_is_made_here(bundle: Path, contracts: Datasource, charlie: User) -> None:
    """Whatever a pack of this server says and signs: the sentence around a quote, its document and place,
    what is claimed, what is copied, what has no source.
    """
    contracts.owner = charlie
    contracts.save()
    document = contracts.documents.get()
    verdict = {
        "grounded": True,
        "hallucinated": False,
        "claims": 1,
        "supported": 1,
        "confirmed_by_code": 1,
        "confirmed_by_reader": 0,
        "invented": 0,
        "unsourced": 0,
        "relevant": True,
        "answers": "wholly",
        "confidence": 1.0,
        "sources": ["Lease"],
    }
    quote = make_turn(charlie, document, "Around?").citations.get().quote
    make_turn(charlie, document, "Masked?")
    make_turn(charlie, document, "Copied?", quotes_only=True, answer=f"> {LIE} {mark(1)}")
    listed = [{"code": "listed", "text": "All of it."}]
    more = {"verdict": verdict, "notices": listed, "answer": f"{quote} {mark(1)} {LIE}"}
    make_turn(charlie, document, "More?", **more)
    make_turn(charlie, document, "Honest?", quotes_only=True, answer=f"> {quote} {mark(1)}")

    def forge(rows: Rows) -> None:
        around, masked, *_ = rows
        around |= {"before": "It is agreed that", "after": "And his houses.", "document_title": "A judgment"}
        around |= {"cited_as": "Supreme Court", "place_in_file": "Sheet X!A1", "boxes": {}, "pages": [7]}
        masked |= {"quote": "‹the Supplier pays 9,000,000 masked›"}

    path = bundle_of(contracts, bundle.with_name("own.zip"), conversations=True)
    services.take_in(charlie, altered(path, with_rows("chat.Citation", forge)))
    taken_in = Citation.objects.exclude(turn__conversation__datasource=contracts).order_by("pk")
    around, masked, copied, unsourced, honest = taken_in.select_related("turn")
    assert (around.before, around.after, around.cited_as, around.place_in_file) == ("", "", "", "")
    assert (around.document_title, around.pages, around.support) == (document.title, [1], "supported")
    assert (masked.on_page, masked.quote) == ("absent", "")
    assert (copied.turn.quotes_only, copied.claim, copied.support) == (False, LIE, "needs_your_eye")
    assert honest.turn.quotes_only
    assert (honest.claim, honest.on_page, honest.support) == ("", "exact", "none")
    assert (unsourced.turn.verdict["grounded"], unsourced.turn.verdict["unsourced"]) == (False, 1)


def test_what_another_server_says_beside_an_answer_is_not_said_here(
    bundle: Path, contracts: Datasource, charlie: User
) -> None:
    """One citation proves one sentence; what was counted, noticed or not found elsewhere stays there."""
    contracts.owner = charlie
    contracts.save()
    document = contracts.documents.get()
    quote = make_turn(charlie, document, "Twice?").citations.get().quote
    verdict = verdict_of([], 0, Answers.UNKNOWN).as_json() | {"grounded": True}
    asked: dict[str, dict[str, Any]] = {
        "A mark twice?": {"answer": f"{quote} {mark(1)} {LIE} {mark(1)}", "verdict": verdict},
        "A mark of nothing?": {"answer": f"{quote} {mark(1)} {LIE} {mark(7)}", "verdict": verdict},
        "Noticed?": {"notices": [{"code": "stalled", "text": LIE}], "missing": LIE},
        "Two sides?": {
            "differ": {
                "kind": "duration",
                "sides": [
                    {"citation": 1, "value": [0, len(words)], "of": len(quote)} for words in ("a", "ab")
                ],
                "ranked_by": 1,
            }
        },
        "Not there?": {"status": "not_found", "search": {"complete": True, "names_absent": ["fee"]}},
    }
    for question, more in asked.items():
        make_turn(charlie, document, question, **more)
    path = bundle_of(contracts, bundle.with_name("own.zip"), conversations=True)
    services.take_in(charlie, path)
    turns = Turn.objects.exclude(conversation__datasource=contracts).order_by("created")
    for turn in turns:
        assert [notice["code"] for notice in turn.notices] == ["elsewhere"]
        assert (turn.search, turn.nearest, turn.missing) == ({}, [], "")
        assert turn.answer == "" or mark(7) not in turn.answer
        facts = answer_facts(turn, {})
        assert facts["differ"] is None
        assert "Two documents give different" not in str(facts["remarks"])
    for question in ("A mark twice?", "A mark of nothing?"):
        verdict = turns.get(question=question).verdict
        assert (verdict["grounded"], verdict["unsourced"]) == (False, 1)


def test_a_quote_that_was_masked_is_found_and_its_claim_is_for_the_eye(
    bundle: Path, contracts: Datasource, charlie: User
) -> None:
    contracts.owner = charlie
    contracts.save()
    mail = make_document(contracts, "Mail", "Write to ada@example.org before noon.")
    citation = make_turn(charlie, mail).citations.get()
    citation.quote, citation.masked = "Write to ‹e-mail address masked› before noon.", ["e-mail address"]
    citation.save()
    services.take_in(charlie, bundle_of(contracts, bundle.with_name("own.zip"), conversations=True))
    taken_in = Citation.objects.exclude(turn__conversation__datasource=contracts).get()
    assert (taken_in.on_page, taken_in.quote, taken_in.masked) == (
        "exact",
        citation.quote,
        ["e-mail address"],
    )
    assert (taken_in.support, taken_in.confirmed_by) == ("needs_your_eye", "")
    assert "masked" in taken_in.reason


def test_evidence_that_a_model_judged_elsewhere_is_for_the_eye_here(
    bundle: Path, contracts: Datasource, charlie: User
) -> None:
    contracts.owner = charlie
    contracts.save()
    document = contracts.documents.get()
    rules = framework(charlie)
    attach(rules, contracts, charlie)
    check = start_check(charlie, rules, create_subject(contracts, "Acme", [document.pk]), queued=False)
    said: dict[str, Any] = {"assessment": check.assessment, "made_in": check, "content": "0" * 64}
    finding = Finding.objects.create(
        **said,
        requirement=rules.requirements.all()[0],
        verdict="covered",
        model="gpt-9",
        reason="It says so.",
    )
    quote = document.pages.get().text
    for n, support in enumerate(("supported", "contradicted"), start=1):
        finding.evidence_rows.create(
            n=n,
            kind="quote",
            document=document,
            title="A judgment",
            sha256=document.sha256,
            quote=quote,
            start=0,
            end=len(quote),
            on_page="exact",
            support=support,
        )
    services.take_in(charlie, bundle_of(contracts, bundle.with_name("own.zip")))
    taken_in = Finding.objects.exclude(assessment__datasource=contracts).get()
    assert taken_in.reason == "Judged on another server. It says so."
    for row in taken_in.evidence_rows.all():
        assert (row.title, row.support) == (document.title, "needs_your_eye")
    again = services.take_in(
        charlie, bundle_of(taken_in.assessment.datasource, bundle.with_name("again.zip"))
    )
    twice = Finding.objects.get(assessment__datasource=again.datasource)
    assert twice.reason == "Judged on another server. It says so."


def test_a_verdict_that_no_model_has_given_is_nobodys(
    bundle: Path, contracts: Datasource, alice: User, charlie: User
) -> None:
    contracts.owner = charlie
    contracts.save()
    rules = framework(charlie)
    attach(rules, contracts, charlie)
    subject = create_subject(contracts, "Acme", [contracts.documents.get().pk])
    check = start_check(charlie, rules, subject, queued=False)
    requirement = rules.requirements.first()
    assert requirement is not None
    parts = [{"text": "Part", "verdict": "covered", "statement": LIE, "reason": LIE}]
    said: dict[str, Any] = {"assessment": check.assessment, "requirement": requirement, "made_in": check}
    Finding.objects.create(**said, verdict="covered", reason=LIE, parts=parts, content="0" * 64)
    services.take_in(charlie, bundle_of(contracts, bundle.with_name("own.zip")))
    taken_in = Finding.objects.exclude(assessment__datasource=contracts).get()
    assert (taken_in.verdict, taken_in.reason) == ("to_judge", "")
    assert taken_in.parts == [{"text": "Part", "verdict": "to_judge", "statement": "", "reason": ""}]


def test_who_has_not_read_a_document_says_so_beside_its_quotes(
    bundle: Path, contracts: Datasource, charlie: User
) -> None:
    """The text of the pages is the bundle's, until this server reads the file."""
    services.take_in(charlie, bundle)
    document = Document.objects.exclude(datasource=contracts).get()
    turn = make_turn(charlie, document)
    words = "this server has not read the document itself"
    (cited,) = answer_facts(turn, {})["citations"]
    assert words in " ".join(cited["checked"])
    page = browser_of(charlie).get(reverse("reader", args=[document.datasource_id, document.pk]))
    assert words in page.content.decode()
    (cited,) = answer_facts(make_turn(charlie, contracts.documents.get()), {})["citations"]
    assert words not in " ".join(cited["checked"])


def test_a_kept_quote_that_is_nowhere_is_said_to_be_so(
    bundle: Path, contracts: Datasource, charlie: User
) -> None:
    contracts.owner = charlie
    contracts.save()
    turn = make_turn(charlie, contracts.documents.get())
    notes = [
        keep_answer(charlie, turn),
        keep_answer(charlie, make_turn(charlie, contracts.documents.get(), "Again?")),
    ]
    said = "on the page; supports the claim, checked by code"
    assert notes[1].sources[0]["said"] == said

    mail = make_document(contracts, "Mail", "Write to ada@example.org before noon.")
    masked = keep_answer(charlie, make_turn(charlie, mail, "Whom?"))
    masked.sources[0]["quote"] = "Write to ‹e-mail address masked› before noon."
    masked.save()
    first, between, last = "The Supplier shall pay", "Of other things.", "nothing at all."
    torn = make_document(contracts, "Torn", first, page_count=3)
    glued = keep_answer(charlie, make_turn(charlie, torn, "Glued?"))
    for number, text in enumerate((between, last), start=2):
        torn.pages.create(number=number, text=text, start=100 * number, width=595, height=842)
    glued.sources[0] |= {"quote": f"{first} {last}", "pages": [1, 3]}
    glued.save()

    def forge(rows: Rows) -> None:
        rows[1]["sources"][0] |= {"quote": LIE, "title": "A judgment"}

    path = bundle_of(contracts, bundle.with_name("own.zip"))
    services.take_in(charlie, altered(path, with_rows("chat.Note", forge)))
    found = f"on the page; {IMPORTED}"
    honest, forged, hidden, apart = Note.objects.exclude(datasource=contracts).order_by("pk")
    assert (hidden.sources[0]["said"], hidden.sources[0]["title"]) == (found, "Mail")
    assert (apart.sources[0]["said"], apart.sources[0]["pages"]) == (
        "not found in the imported documents",
        [],
    )
    assert (honest.sources[0]["said"], honest.sources[0]["pages"]) == (found, [1])
    told = forged.sources[0]
    assert (told["said"], told["document"], told["title"]) == (
        "not found in the imported documents",
        None,
        "",
    )


def test_the_hash_of_somebody_elses_file_opens_no_page_of_it(
    bundle: Path, contracts: Datasource, alice: User, charlie: User
) -> None:
    """Evidence packs print hashes to outsiders."""

    def page_of(document: Document, person: User) -> Any:
        return browser_of(person).get(reverse("page_image", args=[document.datasource_id, document.pk, 1]))

    def without_its_file(parts: dict[str, bytes], said: dict[str, Any]) -> None:
        with_rows(DOCUMENT, first(file=""))(parts, said)
        for name in [name for name in parts if name.startswith("originals/")]:
            del parts[name]

    assert page_of(contracts.documents.get(), alice).status_code == 200
    there = services.take_in(charlie, altered(bundle, without_its_file)).datasource
    assert there
    forged = there.documents.get()
    assert forged.sha256 == contracts.documents.get().sha256
    assert page_of(forged, charlie).status_code == 404


def test_a_byte_that_changed_anywhere_is_noticed(bundle: Path, contracts: Datasource, charlie: User) -> None:
    whole = bundle.read_bytes()
    step = max(1, len(whole) // 40)
    for place in [*range(0, len(whole), step), len(whole) - 1]:
        changed = bytearray(whole)
        changed[place] ^= 1
        bundle.write_bytes(changed)
        with pytest.raises(BundleError, match=r"cut off|has not exported it as a datasource"):
            services.take_in(charlie, bundle)
    bundle.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BundleError, match="cut off"):
        services.take_in(charlie, bundle)


def with_rows_that_the_manifest_denies(parts: dict[str, bytes], said: dict[str, Any]) -> None:
    parts["rows/tables.Cell.jsonl"] = b'{"id": 1}\n'


def with_rows_of_no_columns(parts: dict[str, bytes], said: dict[str, Any]) -> None:
    with_rows_that_the_manifest_denies(parts, said)
    said["rows"]["tables.Cell"] = 1
    del said["columns"]["tables.Cell"]


def test_rows_of_a_desk_that_is_left_out_are_not_dropped_silently(
    bundle: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.LEFT_OUT = frozenset({"tables"})
    carried = tuple(table for table in CARRIED if not is_left_out(table.label))
    monkeypatch.setattr(checking, "CARRIED", carried)
    monkeypatch.setattr(reading, "CARRIED", carried)
    with checking.checked(bundle) as read:
        assert read.documents == 1
    denied = altered(bundle, with_rows_that_the_manifest_denies)
    with pytest.raises(BundleError, match="has rows, its manifest says 0"), checking.checked(denied):
        pass
    without_columns = altered(bundle, with_rows_of_no_columns)
    with pytest.raises(BundleError, match="something of “tables”"), checking.checked(without_columns):
        pass


def test_archives_that_are_traps_are_not_unpacked(bundle: Path, charlie: User) -> None:
    parts = parts_of(bundle)
    bomb = packed(parts | {"rows/ingestion.Page.jsonl": b"0" * 50_000_000}, bundle.with_name("bomb.zip"))
    with pytest.raises(BundleError, match="unpacks to far more"):
        services.take_in(charlie, bomb)
    more = packed(parts | {"setup.sh": b"#!/bin/sh"}, bundle.with_name("more.zip"))
    with pytest.raises(BundleError, match=r"its manifest does not name: 'setup.sh'"):
        services.take_in(charlie, more)
    said = json.loads(parts[manifest.MANIFEST])
    said["name"] = "Another"
    unsealed = packed(
        parts | {manifest.MANIFEST: json.dumps(said).encode()}, bundle.with_name("unsealed.zip")
    )
    with pytest.raises(BundleError, match="manifest was altered"):
        services.take_in(charlie, unsealed)


def linked(archive: zipfile.ZipFile) -> None:
    link = zipfile.ZipInfo("rows/link")
    link.external_attr = 0o120777 << 16
    archive.writestr(link, "/etc/passwd")


def in_a_folder(archive: zipfile.ZipFile) -> None:
    archive.writestr(zipfile.ZipInfo("rows/folder/"), b"")


def packed_otherwise(archive: zipfile.ZipFile) -> None:
    archive.writestr("rows/more", b"0" * 100, zipfile.ZIP_BZIP2)


def of_one_name(archive: zipfile.ZipFile) -> None:
    for content in (b"one", b"other"):
        archive.writestr("rows/more", content)


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    ("write", "words"),
    [
        (linked, "is a link or a folder"),
        (in_a_folder, "is a link or a folder"),
        (packed_otherwise, "is packed or encrypted in a way that bundles are not"),
        (of_one_name, "two parts of the same name"),
    ],
)
def test_an_archive_that_no_bundle_is_is_not_opened(
    write: Callable[[zipfile.ZipFile], None], words: str, bundle: Path, charlie: User
) -> None:
    """Sealed as bundles are: nothing but its parts betrays it."""
    strange = sealed(write, bundle.with_name("strange.zip"))
    with pytest.raises(BundleError, match=words):
        services.take_in(charlie, strange)


def test_a_long_list_of_parts_is_not_even_read(
    bundle: Path, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each part takes memory, whatever the end of the file says of their number."""
    monkeypatch.setattr("zipfile.ZipFile.infolist", None)
    for most in ("MOST_PARTS", "LONGEST_ENTRY"):
        with monkeypatch.context() as limits:
            limits.setattr(f"exchange.bundles.archive.{most}", 0)
            with pytest.raises(BundleError, match=r"more than .* parts"):
                services.take_in(charlie, bundle)


def test_an_older_bundle_is_upgraded(
    bundle: Path, contracts: Datasource, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if version 0 had called a document's title its name."""

    def older(parts: dict[str, bytes], said: dict[str, Any]) -> None:
        said["version"] = 0
        columns = said["columns"]["datasources.Document"]
        columns[columns.index("title")] = "name"
        with_rows("datasources.Document", lambda rows: [row.update(name=row.pop("title")) for row in rows])(
            parts, said
        )

    def of_manifest(said: dict[str, Any]) -> dict[str, Any]:
        columns = said["columns"]["datasources.Document"]
        columns[columns.index("name")] = "title"
        return {**said, "version": 1}

    def of_row(label: str, row: dict[str, Any]) -> dict[str, Any]:
        if label == "datasources.Document":
            row["title"] = row.pop("name")
        return row

    old = altered(bundle, older)
    with pytest.raises(BundleError, match="version 0 can't be read any more"):
        services.take_in(charlie, old)
    monkeypatch.setitem(manifest.UPGRADES, 0, Upgrade(manifest=of_manifest, row=of_row))
    there = services.take_in(charlie, old).datasource
    assert there
    assert there.documents.get().title == contracts.documents.get().title


def test_it_is_not_larger_than_a_datasource_may_be(bundle: Path, charlie: User, settings: Any) -> None:
    settings.MAX_DATASOURCE_BYTES = 1000
    with pytest.raises(BundleError, match="SVQ_MAX_DATASOURCE_MB"):
        services.take_in(charlie, bundle)
    settings.MAX_DATASOURCE_BYTES = 10**9
    settings.MAX_DATASOURCE_DOCUMENTS = 0
    with pytest.raises(BundleError, match="SVQ_MAX_DATASOURCE_DOCUMENTS"):
        services.take_in(charlie, bundle)


def test_a_model_that_is_not_here_is_told(bundle: Path, contracts: Datasource, charlie: User) -> None:
    said = with_rows("datasources.Datasource", first(embedding_model="bge-far-away", embedding_dimensions=7))
    row = services.take_in(charlie, altered(bundle, said))
    assert "bge-far-away" in row.notices[0]
    assert "searches find words" in row.notices[0]
    page = browser_of(charlie).get(reverse("bundles_state"), headers={"accept-language": "de"})
    assert "Die Textstellen wurden mit „bge-far-away“ eingebettet" in text_of(page)


def test_an_archived_datasource_and_a_file_with_dots_come_along(
    contracts: Datasource, charlie: User, tmp_path: Path
) -> None:
    document = make_document(contracts)
    document.filename = "final..v2.pdf"
    document.save()
    contracts.matter = Matter.objects.create(name="Arden v. Helios")
    contracts.archived = timezone.now()
    contracts.save()
    made = services.take_in(charlie, bundle_of(contracts, tmp_path / "archived.zip")).datasource
    assert made
    assert (made.matter, made.archived) == (None, None)
    assert made.documents.get().filename == "final..v2.pdf"
    with pytest.raises(BundleError, match="archived"):
        add_documents(contracts, charlie, tmp_path / "archived.zip")


@pytest.mark.parametrize(
    ("given", "taken"),
    [("..\\..\\a.exe", "a.exe"), ("x\u202efdp.html", "xfdp.html"), ("\u202e.txt", "Untitled.txt")],
)
def test_a_file_is_called_as_an_upload_would_be(given: str, taken: str, bundle: Path, charlie: User) -> None:
    called = with_rows("datasources.Document", first(filename=given, title=f"\u202e{given}"))
    made = services.take_in(charlie, altered(bundle, called)).datasource
    assert made
    document = made.documents.get()
    assert document.filename == taken
    assert "\u202e" not in document.title


def test_bundles_that_come_at_once_keep_to_the_limit(bundle: Path, charlie: User) -> None:
    begin = threading.Barrier(6)

    def hand_over(_: int) -> bool:
        begin.wait()
        try:
            with bundle.open("rb") as file:
                services.hand_over(charlie, "contracts.zip", file)
        except ValidationError:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(hand_over, range(6))) == services.MOST_AT_ONCE
    assert len([name for name in stored_names() if name.startswith("imports/")]) == services.MOST_AT_ONCE


def test_a_bundle_may_be_as_large_as_an_upload() -> None:
    limits = configured.BODY_LIMITS
    assert limits["bundles"] == limits["api-bundle-imports"] == limits["documents_upload"]


def test_who_downloads_slowly_holds_no_connection(contracts: Datasource, alice: User, settings: Any) -> None:
    """It is made whole before the first byte is sent, and for one person once at a time."""
    make_document(contracts)
    response = sending.bundle_file(contracts, alice, conversations=False)
    assert not connection.in_atomic_block
    settings.DATABASE_POOL = 1
    connection.ensure_connection()
    blocks: Any = response.streaming_content

    async def first_of() -> bytes:
        block: bytes = await anext(blocks)
        return block

    first = async_to_sync(first_of)()
    assert connection.connection is None  # given back before the rest is sent
    rest = async_to_sync(joined)(blocks)
    assert int(response["Content-Length"]) == len(first + rest) > 1000
    with sending.EXPORTS.taken_by(alice.pk), pytest.raises(Busy):
        sending.bundle_file(contracts, alice, conversations=False)


def test_whoever_reads_slowly_keeps_two_files_on_disk_and_no_more(
    contracts: Datasource, alice: User, charlie: User
) -> None:
    make_document(contracts)
    kept: list[Any] = [sending.bundle_file(contracts, alice, conversations=False) for _ in range(2)]
    with pytest.raises(Busy):
        sending.bundle_file(contracts, alice, conversations=False)
    kept.append(sending.bundle_file(contracts, charlie, conversations=False))
    async_to_sync(joined)(kept.pop(0).streaming_content)
    gc.collect()
    kept.append(sending.bundle_file(contracts, alice, conversations=False))
    for response in kept:
        async_to_sync(joined)(response.streaming_content)
