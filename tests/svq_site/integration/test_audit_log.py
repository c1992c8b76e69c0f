"""The audit log: what is noted, who reads it, and that what is changed afterwards shows."""

import csv
import io
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError, connection, transaction
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import resolve
from django.utils import timezone

from accounts import audit_seals as seals
from accounts.api_tokens import make_token
from accounts.audit import note_thing
from accounts.models import AuditAct, AuditEntry, AuditSeal, PeopleGroup, TokenScope, User
from accounts.tasks import forget_audit_entries, seal_audit_log
from chat.models import Conversation
from datasources.models import Datasource, Document
from svq_site.audit.middleware import NoteRequests
from svq_site.audit.search import found
from svq_site.channels import SvqChannelManager
from tests.factories import make_document
from tests.people import PASSWORD
from tests.responses import content_of, text_of
from tests.world import client_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def root() -> User:
    return User.objects.create_superuser(email="root@example.org", password="x")


@pytest.fixture
def document(contracts: Datasource) -> Document:
    return make_document(contracts, "Lease of the Saltmere mill")


def entries_of(**fields: Any) -> list[tuple[str, str, str]]:
    return list(AuditEntry.objects.filter(**fields).order_by("pk").values_list("act", "subject", "number"))


def test_who_saw_took_and_changed_a_document(
    client: Client, contracts: Datasource, document: Document, alice: User, bob: User
) -> None:
    client.force_login(bob)
    page = f"/d/{contracts.pk}/documents/{document.pk}/"
    for _ in range(2):  # the second look within the hour makes no second entry
        assert client.get(page).status_code == 200
    client.force_login(alice)
    client.post(f"{page}details/", {"title": "Mill", "tags": ""})
    client.post(f"{page}delete/")
    other = make_document(contracts, "Another")
    client.post(f"/d/{contracts.pk}/selection/", {"action": "delete", "documents": [other.pk]})
    seen = ("saw", "document", str(document.pk))
    assert entries_of(person=bob, act=AuditAct.SAW) == [seen]
    of_alice = entries_of(person=alice, datasource=contracts.pk)
    gone = ("deleted", "document", str(other.pk))
    assert of_alice == [("changed", *seen[1:]), ("deleted", *seen[1:]), gone]
    words = " ".join(map(str, AuditEntry.objects.values_list()))
    assert "Saltmere" not in words
    assert "Mill" not in words


def test_what_was_refused_is_not_noted_as_done(client: Client, document: Document, charlie: User) -> None:
    client.force_login(charlie)
    assert client.get(f"/d/{document.datasource_id}/documents/{document.pk}/").status_code == 404
    assert entries_of(person=charlie, act=AuditAct.SAW) == []


def test_a_client_that_hangs_up_leaves_an_entry(document: Document, alice: User) -> None:
    """What the view has done is noted in its own thread, before anything can be cancelled."""
    request = RequestFactory().delete(f"/api/v1/documents/{document.pk}")
    request.user, request.resolver_match = alice, resolve(request.path)
    run = NoteRequests(lambda _: HttpResponse()).process_view
    assert run(request, lambda _: HttpResponse(status=204), (), {}) is not None
    assert entries_of(person=alice) == [("deleted", "document", str(document.pk))]


def test_a_question_and_the_stream_of_its_answer_are_noted(
    client: Client, contracts: Datasource, document: Document, alice: User, bob: User
) -> None:
    client.force_login(bob)
    client.post(f"/d/{contracts.pk}/chat/ask/", {"question": "When is the rent due?"})
    (asked,) = AuditEntry.objects.filter(act=AuditAct.ASKED)
    assert (asked.person, asked.subject, asked.datasource) == (bob, "answer", contracts.pk)
    assert SvqChannelManager().can_read_channel(bob, f"turn:{asked.number}")
    assert not SvqChannelManager().can_read_channel(alice, f"turn:{asked.number}")
    assert entries_of(act=AuditAct.SAW) == [("saw", "answer", asked.number)]
    assert AuditEntry.objects.get(act=AuditAct.SAW).datasource == contracts.pk
    conversation = Conversation.objects.get()
    client.post(f"/d/{contracts.pk}/chat/{conversation.pk}/delete/")
    assert AuditEntry.objects.get(act=AuditAct.DELETED).datasource == contracts.pk


def test_changes_in_the_administration_are_noted(client: Client, root: User, alice: User) -> None:
    client.force_login(root)
    page, new = f"/admin/accounts/user/{alice.pk}/password/", "Twelve-herons-9"
    client.post(page, {"usable_password": "true", "password1": new, "password2": new})
    (entry,) = AuditEntry.objects.filter(person=root, act=AuditAct.CHANGED)
    assert (entry.subject, entry.address) == ("administration", f"POST {page}")


def test_who_is_deleted_meanwhile_is_noted_by_their_address(alice: User) -> None:
    there = User.objects.get(pk=alice.pk)
    alice.delete()
    note_thing(there, AuditAct.SAW, subject="document", number=7)
    (entry,) = AuditEntry.objects.all()
    assert (entry.person, entry.email, entry.number) == (None, "alice@example.org", "7")


def test_what_asks_for_options_has_seen_nothing(client: Client, document: Document, charlie: User) -> None:
    client.force_login(charlie)
    client.options(f"/api/v1/documents/{document.pk}/pages/1")
    client.get(f"/api/v1/data-sources/{'9' * 40}/documents")
    assert entries_of(person=charlie, act=AuditAct.SAW) == []


def test_what_cannot_be_noted_is_not_shown_but_what_is_done_stays_done(
    client: Client, document: Document, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise DatabaseError("read only")

    monkeypatch.setattr("svq_site.audit.middleware.note_thing", away)
    client.force_login(alice)
    client.raise_request_exception = False
    page = f"/d/{document.datasource_id}/documents/{document.pk}/"
    assert client.get(page).status_code >= 500
    assert client.post(f"{page}details/", {"title": "Mill", "tags": ""}).status_code == 302


def test_a_program_is_told_apart_from_its_person(client: Client, document: Document, alice: User) -> None:
    token, secret = make_token(alice, name="Robot", scopes=list(TokenScope), datasource_ids=None, days=1)
    client.get(f"/api/v1/documents/{document.pk}/pages/1", headers={"Authorization": f"Bearer {secret}"})
    (entry,) = AuditEntry.objects.filter(act=AuditAct.SAW)
    assert (entry.person, entry.token, entry.number) == (alice, token.beginning, str(document.pk))


def test_sign_in_and_what_fails_at_it(client: Client, alice: User) -> None:
    alice.set_password("correct horse battery")
    alice.save()
    for email, password in (
        (alice.email, "wrong"),
        ("nobody@example.org", "wrong"),
        (alice.email, "correct horse battery"),
    ):
        client.post("/account/login/", {"login": email, "password": password})
    client.post("/account/logout/")
    told = list(AuditEntry.objects.order_by("pk").values_list("email", "act"))
    assert told == [(alice.email, "refused"), (alice.email, "entered"), (alice.email, "left")]


def test_a_form_of_the_account_that_is_refused_has_changed_nothing(client: Client, alice: User) -> None:
    client.force_login(alice)
    before = AuditEntry.objects.count()
    form = {
        "oldpassword": "wrong",
        "password1": "correct horse 7 battery",
        "password2": "correct horse 7 battery",
    }
    assert client.post("/account/password/change/", form | {"password2": "another"}).status_code == 200
    told = list(AuditEntry.objects.order_by("pk")[before:])
    assert [(one.act, one.address) for one in told] == [
        (AuditAct.REFUSED, "changing the password, from 127.0.0.1")
    ]
    assert client.post("/account/password/change/", form | {"oldpassword": PASSWORD}).status_code == 302
    assert AuditEntry.objects.filter(act=AuditAct.CHANGED).count() == 1


# --- seals -------------------------------------------------------------------------------------------------
@pytest.fixture
def sealed(alice: User) -> list[AuditEntry]:
    """Six entries under two seals."""
    for part in range(2):
        for n in range(3):
            AuditEntry.objects.create(
                person=alice, email=alice.email, act="saw", subject="document", number=f"{part}{n}"
            )
        assert seals.seal() == 3
    return list(AuditEntry.objects.order_by("pk"))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE accounts_auditentry SET email = 'x@example.org' WHERE id = {}",
        "UPDATE accounts_auditentry SET seal_id = NULL WHERE id = {}",
        "DELETE FROM accounts_auditentry WHERE id = {}",
        "DELETE FROM accounts_auditseal",
        "TRUNCATE accounts_auditentry, accounts_auditseal",
        "UPDATE accounts_auditseal SET digest = 'x'",
    ],
)
def test_the_database_refuses_to_change_entries(sealed: list[AuditEntry], statement: str) -> None:
    connection.cursor().execute("SET CONSTRAINTS ALL IMMEDIATE")  # what waits would stop a TRUNCATE, too
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        connection.cursor().execute(statement.format(sealed[1].pk))
    assert seals.check().wrong is None


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE accounts_auditentry SET email = 'x@example.org' WHERE id = {}",
        "DELETE FROM accounts_auditentry WHERE id = {}",
        "UPDATE accounts_auditentry SET time = time + interval '1 second' WHERE id = {}",
        "UPDATE accounts_auditentry SET seal_id = (SELECT max(id) FROM accounts_auditseal) WHERE id = {}",
        "UPDATE accounts_auditseal SET emptied = true",
        "WITH e AS (DELETE FROM accounts_auditentry WHERE seal_id = "
        "(SELECT min(id) FROM accounts_auditseal)) "
        "DELETE FROM accounts_auditseal WHERE id = (SELECT min(id) FROM accounts_auditseal)",
    ],
)
def test_what_somebody_with_the_database_changes_is_found(sealed: list[AuditEntry], statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(statement.format(sealed[1].pk))
    assert seals.check().wrong is not None


def test_an_account_that_is_deleted_breaks_no_seal(sealed: list[AuditEntry], alice: User) -> None:
    alice.delete()
    verdict = seals.check()
    assert (verdict.wrong, verdict.entries, verdict.seals) == (None, 6, 2)


def test_entries_go_when_their_time_is_over(
    sealed: list[AuditEntry], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And however long they are kept afterwards, their seals fit."""
    assert seals.forget(0) == 0
    assert seals.forget(30) == 0
    later = timezone.now() + timedelta(days=40)
    monkeypatch.setattr("accounts.audit_seals.timezone.now", lambda: later)
    assert seals.forget(30) == 6
    (told,) = AuditEntry.objects.all()
    assert (told.act, told.person) == ("forgot", None)
    verdict = seals.check()
    assert (verdict.wrong, verdict.emptied) == (None, 2)
    assert verdict.emptied_until is not None
    assert verdict.emptied_until < later - timedelta(days=30)


def test_a_check_that_has_no_time_says_how_far_it_came(sealed: list[AuditEntry]) -> None:
    verdict = seals.check(0)
    assert (verdict.seals, verdict.wrong) == (1, None)
    assert verdict.since == AuditSeal.objects.last().time  # type: ignore[union-attr]


# --- the page ----------------------------------------------------------------------------------------------
def test_administrators_search_check_and_take_the_log(
    sealed: list[AuditEntry], document: Document, root: User, alice: User
) -> None:
    client = client_of(root)
    AuditEntry.objects.create(
        person=alice,
        email=alice.email,
        act=AuditAct.TOOK,
        subject="document",
        number=str(document.pk),
        datasource=document.datasource_id,
    )
    page = content_of(
        client.get("/settings/audit/", {"act": "took", "who": "alice", "from": "2020-01-01"})
    ).decode()
    assert "alice@example.org" in page
    assert document.title not in page  # names are shown to those who may see contents
    root.may_see_contents = True
    root.save()
    named = content_of(client_of(root).get("/settings/audit/", {"document": document.pk})).decode()
    assert document.title in named
    assert "Every seal fits." in content_of(client.get("/settings/audit/", {"check": 1})).decode()
    nothing = client.get("/settings/audit/", {"to": "1999-01-01", "datasource": "x", "before": "9" * 30})
    assert "No entry" in content_of(nothing).decode()
    rows = list(csv.DictReader(io.StringIO(content_of(client.get("/settings/audit/audit-log.csv")).decode())))
    assert [row["number"] for row in rows[:6]] == ["00", "01", "02", "10", "11", "12"]


def test_what_an_administrator_may_open_anyway_is_a_link(document: Document, root: User, alice: User) -> None:
    mine = Datasource.objects.create(name="Mine", owner=root)
    lease = make_document(mine, "Mill lease")
    talk = Conversation.objects.create(datasource=mine, user=root)
    for kind, number in (("document", lease.pk), ("document", document.pk), ("conversation", talk.pk)):
        note_thing(root, AuditAct.CHANGED, subject=kind, number=number)
    page = content_of(client_of(root).get("/settings/audit/")).decode()
    assert f'href="/d/{mine.pk}/documents/{lease.pk}/"' in page
    assert f'href="/d/{mine.pk}/chat/{talk.pk}/"' in page
    assert f"document {document.pk}" in page
    assert f"/documents/{document.pk}/" not in page, "it is somebody else's"


def test_things_are_called_by_their_names_and_addresses_by_their_pages(
    document: Document, root: User
) -> None:
    """What one may open oneself by its title; what is gone says so; of others' things the number alone."""
    mine = Datasource.objects.create(name="Mine", owner=root)
    lease = make_document(mine, "Mill lease")
    gone = make_document(mine, "Old lease")
    reading = f"GET /d/{mine.pk}/documents/{lease.pk}/"
    for one in (lease, document, gone):
        note_thing(
            root, AuditAct.CHANGED, subject="document", number=one.pk, datasource=mine.pk, address=reading
        )
    note_thing(root, AuditAct.SAW, subject="settings", address="GET /settings/people/")
    number = gone.pk
    gone.delete()
    page = text_of(client_of(root).get("/settings/audit/"))
    assert "Mill lease document, Mine" in page
    assert f"document {document.pk} Mine" in page
    assert f"document {number}, deleted" in page
    assert f"Document {reading}" in page
    assert "People GET /settings/people/" in page


def test_what_pages_ask_for_by_themselves_is_shown_on_request(client: Client, root: User) -> None:
    mine = Datasource.objects.create(name="Mine", owner=root)
    lease = make_document(mine, "Mill lease")
    client.force_login(root)
    client.get("/palette/")

    def listed(**asked: str) -> str:
        return text_of(client.get("/settings/audit/", {"act": "saw", **asked}))

    assert "Only what pages ask for by themselves was noted." in listed()
    client.get(f"/d/{mine.pk}/documents/{lease.pk}/")
    assert AuditEntry.objects.filter(act=AuditAct.SAW).count() == 2
    few, every = listed(), listed(all="1")
    assert [part in few for part in ("GET /palette/", "documents/")] == [False, True]
    assert [part in every for part in ("GET /palette/", "documents/")] == [True, True]
    assert "GET /palette/" in content_of(client.get("/settings/audit/audit-log.csv")).decode()


def test_whoever_takes_only_the_pictures_of_pages_is_in_sight(root: User, alice: User) -> None:
    """Behind a look at the document by the same person they say nothing new."""
    mine = Datasource.objects.create(name="Mine", owner=root)
    lease = make_document(mine, "Mill lease")
    reading = f"GET /d/{mine.pk}/documents/{lease.pk}/"
    for person, address in (
        (root, reading),
        (root, f"{reading}pages/7.webp"),
        (alice, f"{reading}pages/8.webp"),
    ):
        note_thing(person, AuditAct.SAW, subject="document", number=lease.pk, address=address)
    told = text_of(client_of(root).get("/settings/audit/"))
    assert [part in told for part in ("pages/7.webp", "pages/8.webp")] == [False, True]


def test_what_was_done_in_a_datasource_is_found_by_its_name_and_when_it_is_gone_by_its_number(
    contracts: Datasource, root: User
) -> None:
    mine = Datasource.objects.create(name="Mill papers", owner=root)
    for pk in (mine.pk, contracts.pk):
        note_thing(root, AuditAct.TOOK, subject="datasource", number=pk, datasource=pk)

    def of(words: str) -> list[int | None]:
        asked = {"datasource": words, "act": "took"}
        return list(found(asked, root).order_by("pk").values_list("datasource", flat=True))

    number = mine.pk
    assert [of("mill"), of(contracts.name), of(str(contracts.pk))] == [[number], [], [contracts.pk]]
    mine.delete()
    assert [of("mill"), of(str(number))] == [[], [number]]


def test_a_document_is_found_by_a_title_that_one_may_see(document: Document, root: User) -> None:
    """By its number whoever owns it."""
    lease = make_document(Datasource.objects.create(name="Mine", owner=root), "Mill lease of 1862")
    for one in (lease, document):
        note_thing(root, AuditAct.TOOK, subject="document", number=one.pk, datasource=one.datasource_id)
    looked_for = {
        "mill lease": [lease.pk],
        "saltmere": [],
        str(document.pk): [document.pk],
        "": [lease.pk, document.pk],
    }
    for words, numbers in looked_for.items():
        asked = {"document": words, "act": "took"}
        assert list(found(asked, root).order_by("pk").values_list("number", flat=True)) == [
            str(number) for number in numbers
        ]


def test_a_new_token_is_noted_as_one(client: Client, alice: User) -> None:
    client.force_login(alice)
    form = {"name": "Bot", "scopes": "read", "reach": "all", "days": "7"}
    assert client.post("/settings/tokens/new/", form).status_code == 302
    assert ("added", "API token", "") in entries_of(person=alice)


def test_what_waits_is_sealed_and_forgotten_by_upkeep(alice: User, settings: Any) -> None:
    AuditEntry.objects.create(person=alice, email=alice.email, act="saw", subject="document", number="1")
    seal_audit_log(0)
    assert AuditEntry.objects.filter(seal=None).count() == 0
    settings.AUDIT_DAYS = 1
    forget_audit_entries(0)
    assert AuditEntry.objects.count() == 1  # it is of today


def test_nobody_else_reads_the_log(alice: User, world: SimpleNamespace) -> None:
    assert client_of(alice).get("/settings/audit/").status_code == 404


def test_what_was_made_is_named(client: Client, alice: User) -> None:
    client.force_login(alice)
    client.post("/new/", {"name": "Mills"})
    made = Datasource.objects.get(name="Mills")
    creation = ("added", "datasource", str(made.pk))
    assert entries_of(person=alice, datasource=made.pk) == [creation], "found by its datasource, too"
    file = SimpleUploadedFile("Lease.txt", b"The rent of the mill is due on the first of May.")
    client.post(f"/d/{made.pk}/upload/", {"files": file}, headers={"HX-Request": "true"})
    client.post(f"/d/{made.pk}/paste/", {"title": "Note", "text": "The wheel turns."})
    names = {str(pk): title for pk, title in made.documents.values_list("pk", "title")}
    added = [(act, subject, names.get(number)) for act, subject, number in entries_of(datasource=made.pk)[1:]]
    assert added == [("added", "document", "Lease"), ("added", "document", "Note")]
    group = PeopleGroup.objects.create(name="Millers")
    client.post(f"/d/{made.pk}/groups/", {"group-group": group.pk, "group-role": "viewer"})
    assert entries_of(datasource=made.pk)[-1] == ("added", "group of people", str(group.pk))
