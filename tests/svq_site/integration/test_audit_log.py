"""The audit log: what is noted, who reads it, and that what is changed afterwards shows."""

import csv
import io
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from accounts import audit_seals as seals
from accounts.api_tokens import make_token
from accounts.models import AuditAct, AuditEntry, AuditSeal, TokenScope, User
from datasources.models import Datasource, Document
from svq_site.audit import acts
from tests.addresses import ADMINISTRATOR, ANYONE, OURS, ROWS, SIGNED_IN
from tests.factories import make_document
from tests.processes import wait_until
from tests.responses import content_of
from tests.world import client_of

pytestmark = pytest.mark.django_db

# Addresses that show no words of documents and answers: settings, states, lists of names, estimates.
SHOW_NONE = {
    "datasource_settings",
    "settings_section",
    "datasource_model_health",
    "vectors_state",
    "documents",
    "graph",
    "graph_data",
    "entities",
    "graph_decisions",
    "document_graph",
    "extraction_state",
    "evaluation",
    "evaluation_state",
    "question_sets",
    "tables",
    "answer_pack",
    "conversation_pack",
    "papers",
    "papers_maps",
    "gaps",
    "gap_state",
    "gap_report",
    "chat",
    "chat_scope",
    "newer_questions",
    "follow_ups",
    "stage",
    "activity",
    "datasource_tabs",
    "receipt",
}


@pytest.fixture
def document(contracts: Datasource) -> Document:
    return make_document(contracts, "Lease of the Saltmere mill")


def noted(**fields: Any) -> list[tuple[str, str, str]]:
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
    seen = ("saw", "document", str(document.pk))
    assert noted(person=bob, act=AuditAct.SAW) == [seen]
    of_alice = noted(person=alice, datasource=contracts.pk)
    assert of_alice == [("changed", *seen[1:]), ("deleted", *seen[1:])]
    words = " ".join(map(str, AuditEntry.objects.values_list()))
    assert "Saltmere" not in words
    assert "Mill" not in words


def test_what_was_refused_is_not_noted_as_done(client: Client, document: Document, charlie: User) -> None:
    client.force_login(charlie)
    assert client.get(f"/d/{document.datasource_id}/documents/{document.pk}/").status_code == 404
    assert noted(person=charlie, act=AuditAct.SAW) == []


def test_a_program_is_told_apart_from_its_person(client: Client, document: Document, alice: User) -> None:
    token, secret = make_token(alice, name="Robot", scopes=list(TokenScope), datasource_ids=None, days=1)
    client.get(f"/api/v1/documents/{document.pk}/pages/1", headers={"Authorization": f"Bearer {secret}"})
    (entry,) = AuditEntry.objects.filter(act=AuditAct.SAW)
    assert (entry.person, entry.token, entry.number) == (alice, token.beginning, str(document.pk))


def test_sign_in_and_what_fails_at_it(client: Client, alice: User) -> None:
    alice.set_password("correct horse battery")
    alice.save()
    for email, password in (
        (alice.email, "wrong"), ("nobody@example.org", "wrong"), (alice.email, "correct horse battery"),
    ):  # fmt: skip
        client.post("/account/login/", {"login": email, "password": password})
    client.post("/account/logout/")
    told = list(AuditEntry.objects.order_by("pk").values_list("email", "act"))
    assert told == [(alice.email, "refused"), (alice.email, "entered"), (alice.email, "left")]


def test_every_address_that_shows_something_is_classified() -> None:
    """A new page has to say whether it shows words of documents."""
    known = acts.SHOWS | acts.GIVES | acts.SEARCHES | SHOW_NONE
    for address in OURS:
        row = ROWS[address.name]
        is_page = not row.POST and not address.name.startswith("api-")
        if is_page and row.GET not in (None, ANYONE, SIGNED_IN, ADMINISTRATOR):
            assert address.name in known
    named = acts.SHOWS | acts.GIVES | acts.SEARCHES | acts.ASKS | acts.ADDS | acts.DELETES
    gone = named - {address.name for address in OURS}
    assert not gone


# --- seals -------------------------------------------------------------------------------------------------
@pytest.fixture
def sealed(alice: User) -> list[AuditEntry]:
    """Six entries, sealed in two seals."""
    for part in range(2):
        AuditEntry.objects.bulk_create(
            AuditEntry(
                person=alice, email=alice.email, act=AuditAct.SAW, subject="document", number=f"{part}{n}"
            )
            for n in range(3)
        )
        made = list(AuditEntry.objects.filter(seal=None).order_by("pk"))
        last = AuditSeal.objects.last()
        before = last.digest if last else seals.FIRST
        seal = AuditSeal.objects.create(
            entries=3, before=before, digest=seals.digest_of(before, made), until=timezone.now()
        )
        AuditEntry.objects.filter(seal=None).update(seal=seal)
    return list(AuditEntry.objects.order_by("pk"))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE accounts_auditentry SET email = 'x@example.org' WHERE id = {}",
        "UPDATE accounts_auditentry SET seal_id = NULL WHERE id = {}",
        "DELETE FROM accounts_auditentry WHERE id = {}",
        "DELETE FROM accounts_auditseal",
        "UPDATE accounts_auditseal SET digest = 'x'",
    ],
)
def test_the_database_refuses_to_change_entries(sealed: list[AuditEntry], statement: str) -> None:
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        connection.cursor().execute(statement.format(sealed[1].pk))
    assert seals.check(0).wrong is None


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
    assert seals.check(730).wrong is not None


def test_an_account_that_is_deleted_breaks_no_seal(sealed: list[AuditEntry], alice: User) -> None:
    alice.delete()
    verdict = seals.check(730)
    assert (verdict.wrong, verdict.entries, verdict.seals) == (None, 6, 2)


def test_entries_go_when_their_time_is_over(sealed: list[AuditEntry]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        old = timezone.now() - timedelta(days=40)
        cursor.execute("UPDATE accounts_auditseal SET until = %s WHERE id = %s", [old, sealed[0].seal_id])
    assert seals.forget(0) == 0
    assert seals.forget(30) == 3
    assert AuditEntry.objects.count() == 3
    assert seals.check(30).wrong is None
    assert seals.check(60).wrong is not None  # they had to stay for 60


# --- the page ----------------------------------------------------------------------------------------------
@pytest.fixture
def root() -> User:
    return User.objects.create_superuser(email="root@example.org", password="x")


def test_administrators_search_check_and_take_the_log(
    sealed: list[AuditEntry], document: Document, root: User, alice: User
) -> None:
    client = client_of(root)
    AuditEntry.objects.create(
        person=alice, email=alice.email, act=AuditAct.TOOK, subject="document", number=str(document.pk),
        datasource=document.datasource_id,
    )  # fmt: skip
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


@pytest.mark.django_db(transaction=True)
def test_what_is_written_is_sealed_and_not_what_is_still_being_written(alice: User) -> None:
    AuditEntry.objects.create(
        person=alice, email=alice.email, act=AuditAct.SAW, subject="document", number="1"
    )
    wait_until(seals.seal, "the end of what other tests were writing at the same time")
    assert AuditEntry.objects.filter(seal=None).count() == 0
    assert seals.check(0).wrong is None


def test_programs_over_mcp_are_noted(document: Document, alice: User) -> None:
    from exchange.mcp.serving.audit import note_call, note_reading
    from exchange.mcp.tools.read_page import ReadPage
    from exchange.mcp.tools.registry import TOOLS

    note_call(alice, TOOLS["read_page"], ReadPage(document=document.pk))
    note_reading(alice, f"svq://documents/{document.pk}/pages/1")
    assert noted(person=alice) == [("saw", "document", str(document.pk))]


def test_nobody_else_reads_the_log(alice: User, world: SimpleNamespace) -> None:
    assert client_of(alice).get("/settings/audit/").status_code == 404
