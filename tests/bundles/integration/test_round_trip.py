"""A datasource out as a bundle and in again: the same words and places, and nobody else's things."""

import io
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import User
from chat.models import Citation, Conversation, Turn
from datasources.models import Datasource
from datasources.storage.files import local_path
from exchange.bundles import services
from exchange.bundles.contents import CARRIED, Scope
from graph.models import Decision, Entity
from ingestion.adding.upload import accept_upload
from providers.embedders import embedder
from retrieval.engine import Query, retrieve
from retrieval.engine import Scope as Searched
from svq_site.usage.report import report
from tests.bundles.filled import FILLED
from tests.bundles.made import Rows, altered, bundle_of, parts_of, rows_of, with_rows
from tests.factories import SAMPLE, make_turn
from tests.people import person
from tests.world import PRIVATE

pytestmark = pytest.mark.django_db(transaction=True)

QUESTIONS = (
    "How long are backups kept?",
    "notice period",
    "Which encryption is used at rest?",
    "liability cap amendment",
    "subprocessors",
)


def found(datasource: Datasource, question: str) -> list[Any]:
    """The evidence: words, places and scores, but for numbers of rows."""
    scope = Searched(user_id=datasource.owner_id, datasource_id=datasource.pk)
    result = retrieve(Query(text=question), scope, embedder(datasource))
    return [
        (each.document_title, each.text, each.start, each.end, each.first_page, each.last_page, each.score)
        for each in result.evidence
    ]


def counts(datasource: Datasource, conversations: bool = True) -> dict[str, int]:
    scope = Scope(datasource=datasource.pk, person=datasource.owner_id, conversations=conversations)
    return {table.label: table.chosen(scope).count() for table in CARRIED}


def test_the_same_questions_find_the_same_words_in_the_same_places(
    contracts: Datasource, alice: User, charlie: User, work: Any, tmp_path: Path
) -> None:
    for name in ("security-questionnaire.pdf", "amendment-no-1.pdf"):
        accept_upload(contracts, alice, name, io.BytesIO((SAMPLE.parent / name).read_bytes()))
    work()
    entity = Entity.objects.filter(datasource=contracts).first()
    assert entity
    path = bundle_of(contracts, tmp_path / "contracts.zip")
    row = services.take_in(charlie, path)
    there = row.datasource
    assert there
    assert there.owner == charlie
    assert there.name == "Contracts"
    assert row.notices == []
    for question in QUESTIONS:
        before = found(contracts, question)
        assert before
        assert found(there, question) == before
    assert counts(there) == counts(contracts)
    work()
    assert found(there, QUESTIONS[0]) == found(contracts, QUESTIONS[0])
    for mine, theirs in zip(contracts.documents.order_by("pk"), there.documents.order_by("pk"), strict=True):
        with local_path(mine) as one, local_path(theirs) as other:
            assert one.read_bytes() == other.read_bytes()
            assert one != other
    assert not there.memberships.exists()


def test_all_that_people_made_comes_along_and_nothing_of_theirs(
    world: SimpleNamespace, alice: User, bob: User, tmp_path: Path
) -> None:
    datasource = Datasource.objects.get(pk=world.datasource)
    document = datasource.documents.get()
    make_turn(bob, document, "What did bob ask?")
    alone = bundle_of(datasource, tmp_path / "alone.zip")
    whole = b"".join(parts_of(alone).values()).decode(errors="replace")
    for secret in (PRIVATE, "What did bob ask?", "@example.org", "hooks.example"):
        assert secret not in whole
    with_own = bundle_of(datasource, tmp_path / "own.zip", conversations=True)
    assert [turn["question"] for turn in rows_of(with_own, "chat.Turn")] == [f"Does {PRIVATE} matter?"]
    (decision,) = rows_of(with_own, "graph.Decision")
    assert decision["decided_by"] == alice.name
    dora = person("dora")
    there = services.take_in(dora, with_own).datasource
    assert there
    assert counts(there) == counts(datasource)
    turn = Turn.objects.get(conversation__datasource=there)
    assert turn.conversation.user == dora
    assert Citation.objects.get(turn=turn).document in there.documents.all()
    assert report(dora, 7, of_all=False).answers.questions == 0  # dora asked none of them
    kept = Decision.objects.get(datasource=there)
    assert kept.decided_by is None
    assert kept.name == Decision.objects.get(datasource=datasource).name
    again = services.take_in(dora, alone).datasource
    assert again
    assert again.name == f"{datasource.name} (2)"
    assert not Conversation.objects.filter(datasource=again).exists()
    assert dora.frameworks.count() == 2


def with_value(name: str, value: Any) -> Callable[[Rows], None]:
    return lambda rows: rows[0].update({name: value})


def test_what_stands_inside_each_column_comes_in_and_out_again(
    world: SimpleNamespace, charlie: User, tmp_path: Path
) -> None:
    datasource = Datasource.objects.get(pk=world.datasource)
    filled_in = set()

    def fill(parts: dict[str, bytes], said: dict[str, Any]) -> None:
        for (label, name), value in FILLED.items():
            if said["rows"][label]:
                with_rows(label, with_value(name, value))(parts, said)
                filled_in.add(label)

    whole = bundle_of(datasource, tmp_path / "whole.zip", conversations=True)
    there = services.take_in(charlie, altered(whole, fill)).datasource
    assert there
    assert filled_in >= {"chat.Turn", "evaluation.Run", "compliance.Finding", "ingestion.Page"}
    turn = Turn.objects.get(conversation__datasource=there)
    assert turn.trace == FILLED["chat.Turn", "trace"]
    again = bundle_of(there, tmp_path / "again.zip", conversations=True)
    there = services.take_in(charlie, again).datasource
    assert there
    assert Turn.objects.get(conversation__datasource=there).trace == turn.trace


def test_the_commands(contracts: Datasource, alice: User, tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "contracts.zip"
    call_command("export_bundle", str(contracts.pk), file)
    assert file.stat().st_mode & 0o077 == 0
    assert list(tmp_path.iterdir()) == [file]
    call_command("import_bundle", file, owner=alice.email)
    assert "“Contracts (2)” belongs to" in capsys.readouterr().out
