"""The event log: numbers without gaps whoever writes, fenced writers, what is kept and what is not."""

import threading
from datetime import timedelta
from uuid import uuid4

import psycopg
import pytest
from django.db import connection, transaction
from django.utils import timezone

from events import log
from events.hub import listen_parameters
from events.models import Channel, Event
from events.tasks import trim_events

pytestmark = pytest.mark.django_db


def kinds(channel: str) -> list[str]:
    return [event.kind for event in log.read(channel)]


def test_events_come_back_in_order_with_their_data():
    assert log.append("datasource:1", "document_queued", {"document": 7, "title": "Vertrag 🖋"}) == 1
    assert log.append("datasource:1", "document_ready", {"document": 7, "nested": {"pages": [1, 2]}}) == 2
    first, second = log.read("datasource:1")
    assert (first.seq, first.kind, first.data) == (
        1,
        "document_queued",
        {"v": 1, "document": 7, "title": "Vertrag 🖋"},
    )
    assert second.data["nested"] == {"pages": [1, 2]}
    assert [event.seq for event in log.read("datasource:1", after=1)] == [2]
    assert [event.seq for event in log.read("datasource:1", limit=1)] == [1]
    assert log.last_seq("datasource:1") == 2
    assert log.last_seq("datasource:2") == 0


def test_text_that_postgres_cannot_keep_is_kept_with_a_replacement():
    log.append("datasource:1", "document_failed", {"message": "a\0b", "nested": [{"half\ud800": "\udc00"}]})
    data = log.read("datasource:1")[0].data
    assert data["message"] == "a\ufffdb"
    assert data["nested"] == [{"half\ufffd": "\ufffd"}]


def test_an_older_run_can_write_nothing_after_the_channel_was_handed_over():
    zombie, heir = uuid4(), uuid4()
    log.open_channel("turn:1", zombie)
    log.append("turn:1", "turn_started", {"attempt": 1}, run_token=zombie)
    log.open_channel("turn:1", heir)
    with pytest.raises(log.Fenced):
        log.append("turn:1", "answer_delta", {"text": "old"}, run_token=zombie)
    with pytest.raises(log.Fenced):
        log.append("turn:1", "answer_delta", {"text": "nobody's"})
    assert log.append("turn:1", "turn_restarted", {"attempt": 2}, run_token=heir) == 2
    assert kinds("turn:1") == ["turn_started", "turn_restarted"]


def test_a_closed_channel_keeps_nothing_and_its_run_is_fenced():
    token = uuid4()
    log.open_channel("turn:1", token)
    log.append("turn:1", "turn_started", {}, run_token=token)
    log.append("turn:2", "turn_started", {})
    log.close_channel("turn:1")
    with pytest.raises(log.Fenced):
        log.append("turn:1", "answer_delta", {}, run_token=token)
    assert kinds("turn:1") == []
    assert log.last_seq("turn:1") == 0
    assert kinds("turn:2") == ["turn_started"]


def test_an_event_of_a_transaction_that_fails_never_happened():
    log.append("turn:1", "turn_started", {})
    with transaction.atomic():
        log.append("turn:1", "answer_delta", {}, ephemeral=True)
        transaction.set_rollback(True)
    assert log.append("turn:1", "turn_finished", {}) == 2
    assert kinds("turn:1") == ["turn_started", "turn_finished"]


@pytest.mark.django_db(transaction=True)
def test_many_writers_of_one_channel_leave_no_gap():
    def write() -> None:
        try:
            for number in range(25):
                log.append("datasource:1", "document_progressed", {"done": number}, ephemeral=True)
        finally:
            connection.close()

    writers = [threading.Thread(target=write) for _ in range(6)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [event.seq for event in log.read("datasource:1")] == list(range(1, 151))


@pytest.mark.django_db(transaction=True)
def test_an_ephemeral_append_leaves_later_statements_durable():
    def setting() -> str:
        with connection.cursor() as cursor:
            cursor.execute("SHOW synchronous_commit")
            return cursor.fetchone()[0]

    before = setting()
    log.append("turn:1", "answer_delta", {"text": "a"}, ephemeral=True)
    assert setting() == before
    with transaction.atomic():
        log.append("turn:1", "answer_delta", {"text": "b"}, ephemeral=True)
        assert setting() == before


@pytest.mark.django_db(transaction=True)
def test_an_event_too_large_for_a_notification_is_stored_and_only_pointed_to():
    with psycopg.connect(**listen_parameters()) as listener:
        listener.execute(f"LISTEN {log.NOTIFY_CHANNEL}")
        log.append("turn:1", "citation_checked", {"quote": '"' * 3990})  # 7980 bytes once quoted
        log.append("turn:1", "citation_checked", {"quote": "é" * 5000})
        log.append("turn:1", "citation_checked", {"quote": "short"})
        payloads = [note.payload for note in listener.notifies(timeout=5, stop_after=3)]
    assert payloads[:2] == ['["turn:1", 1]', '["turn:1", 2]']
    assert "short" in payloads[2]
    assert [len(event.data["quote"]) for event in log.read("turn:1")] == [3990, 5000, 5]


def age(channel: str, **by: float) -> None:
    Event.objects.filter(channel=channel).update(created=timezone.now() - timedelta(**by))


def test_trimming_drops_the_pieces_of_finished_answers_and_what_is_a_week_old():
    for channel in ("turn:done", "turn:fresh", "turn:running"):
        for kind in ("turn_started", "answer_delta", "answer_delta", "answer_completed"):
            log.append(channel, kind, {}, ephemeral=kind == "answer_delta")
    log.append("turn:done", "turn_finished", {}, final=True)
    log.append("turn:fresh", "turn_finished", {}, final=True)
    for kind in ("document_queued", "document_ready"):
        log.append("datasource:1", kind, {})
    age("turn:done", minutes=11)
    age("turn:running", minutes=11)
    age("datasource:1", days=8)

    assert log.trim() == 3
    assert kinds("turn:done") == ["turn_started", "answer_completed", "turn_finished"]
    assert kinds("turn:fresh").count("answer_delta") == 2
    assert kinds("turn:running").count("answer_delta") == 2
    assert kinds("datasource:1") == ["document_ready"]
    assert log.append("datasource:1", "document_deleted", {}) == 3
    assert Channel.objects.get(name="turn:done").last_seq == 5


@pytest.mark.django_db(transaction=True)
def test_the_worker_trims_the_log(work):
    for kind in ("turn_started", "answer_delta", "turn_finished"):
        log.append("turn:1", kind, {}, ephemeral=kind == "answer_delta", final=kind == "turn_finished")
    age("turn:1", minutes=11)
    trim_events.configure().defer(timestamp=0)
    work()
    assert kinds("turn:1") == ["turn_started", "turn_finished"]
