"""Event streams as a client of a real server process sees them: every event once, whatever breaks."""

import asyncio
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

import httpx
import psycopg
import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.utils import timezone
from rest_framework_simplejwt.tokens import AccessToken

from accounts.api_tokens import make_token
from accounts.models import ApiToken, PeopleGroup, TokenScope, User
from accounts.tokens import RefreshToken, end_sign_in
from chat.models import Conversation, Turn
from datasources.models import Datasource, GroupShare, Membership, Role
from datasources.services import share_with_group, unshare
from events import log
from events.hub import Subscription, listen_parameters
from events.models import Event
from events.stream import RECHECK_SECONDS
from tests.processes import PATIENCE, free_port, url_of_test_database, wait_until

pytestmark = pytest.mark.django_db(transaction=True)

HOST = "127.0.0.1"
AT_ONCE = RECHECK_SECONDS / 2  # what ends sooner has not been found by looking again

# The server as it is, but with a page for the events and with more frequent signs of life.
SETTINGS = """
from {base} import *
EVENT_RENDERERS = {{"turn": "plain_renderer"}}
"""
RENDERER = """
from events import log

def snapshot(channel, user):
    events = log.read(channel)
    return f"<p>{user.email}:{','.join(str(e.seq) for e in events)}</p>", len(events)

def fragment(channel, event, user):
    return f"<i>{event.seq}</i>" if event.kind != "tool_called" else None
"""
APPLICATION = """
from svq_site.asgi import application
import events.stream
events.stream.KEEP_ALIVE_SECONDS = 0.2
"""


class Web:
    """One server process, which a test may kill and start again at the same address."""

    def __init__(self, folder: Path) -> None:
        for name, text in {
            "settings_of_test": SETTINGS.format(base=os.environ["DJANGO_SETTINGS_MODULE"]),
            "plain_renderer": RENDERER,
            "quick_application": APPLICATION,
        }.items():
            (folder / f"{name}.py").write_text(text)
        self.folder = folder
        self.log = folder / "log"
        self.port = free_port()
        self.client = httpx.Client(
            base_url=f"http://{HOST}:{self.port}",
            timeout=PATIENCE,
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=0),
            trust_env=False,
        )
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        if self.process and self.process.poll() is None:
            return
        reading_end, self.pipe = os.pipe()
        environment = {
            "DJANGO_SETTINGS_MODULE": "settings_of_test",
            "DATABASE_URL": url_of_test_database(),
            "PYTHONPATH": os.pathsep.join(filter(None, [str(self.folder), os.environ.get("PYTHONPATH")])),
            "SVQ_PARENT_PIPE_FD": str(reading_end),
        }
        with self.log.open("ab") as log_file:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "uvicorn", "quick_application:application", f"--port={self.port}"],
                cwd=settings.BASE_DIR,
                env=os.environ | environment,
                pass_fds=[reading_end],
                stderr=log_file,
            )
        os.close(reading_end)
        wait_until(self.answers)

    def answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex((HOST, self.port)) == 0

    def end(self, how: signal.Signals) -> int:
        assert self.process
        self.process.send_signal(how)
        code = self.process.wait(PATIENCE)
        os.close(self.pipe)
        return code

    def get(
        self, channels: list[str], headers: dict[str, str], path: str = "/events/", **more: str
    ) -> AbstractContextManager[httpx.Response]:
        query = {"channel": channels, **more}
        return self.client.stream("GET", path, params=query, headers=headers)

    def refusal(self, *args, **kwargs) -> tuple[int, dict[str, str]]:
        """Status and error of a request that is refused."""
        with self.get(*args, **kwargs) as response:
            response.read()
            return response.status_code, response.json()

    def messages(self, *args, **kwargs) -> Iterator["Message"]:
        """What the stream says, until its clean end; closing the iterator drops the connection."""
        with self.get(*args, **kwargs) as response:
            assert response.status_code == 200, response.read()
            fields: dict[str, str] = {}
            for line in response.iter_lines():
                name, _, value = line.partition(": ")
                if name:
                    fields[name] = value
                    continue
                if "event" in fields:
                    yield Message(kind=fields["event"], id=fields.get("id", ""), data=fields["data"])
                fields = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    kind: str
    id: str
    data: str

    @property
    def json(self) -> dict:
        return json.loads(self.data)

    @property
    def seq(self) -> int:
        return self.json["seq"]


@pytest.fixture(scope="module")
def process(django_db_setup, django_db_blocker, tmp_path_factory) -> Iterator[Web]:
    web = Web(tmp_path_factory.mktemp("web"))
    yield web
    web.client.close()
    if web.process and web.process.poll() is None:
        web.end(signal.SIGKILL)
    assert "Traceback" not in web.log.read_text()


@pytest.fixture
def web(process: Web) -> Web:
    process.start()
    return process


@pytest.fixture
def turn(contracts: Datasource, alice: User) -> str:
    """The channel of a turn of alice's."""
    return turn_of(Conversation.objects.create(datasource=contracts, user=alice))


def turn_of(conversation: Conversation) -> str:
    return Turn.objects.create(conversation=conversation, number=1, question="?").channel


def session(user: User) -> dict[str, str]:
    client = Client()
    client.force_login(user)
    return {"Cookie": f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"}


def token(user: User) -> dict[str, str]:
    return {"Authorization": f"Bearer {AccessToken.for_user(user)}"}


def write(channel: str, count: int, **data) -> None:
    for _ in range(count):
        log.append(channel, "answer_delta", {"text": "word ", **data}, ephemeral=True)


def take(messages: Iterator[Message], count: int) -> list[Message]:
    return [next(messages) for _ in range(count)]


# What is delivered ------------------------------------------------------------------------------------------


def test_a_reader_gets_what_was_and_what_comes_and_the_stream_ends_with_the_turn(web, turn, alice):
    log.append(turn, "turn_started", {"attempt": 1})
    messages = web.messages([turn], session(alice))
    first = next(messages)
    assert first.kind == "turn_started"
    assert first.json == {"v": 1, "attempt": 1, "channel": turn, "seq": 1}
    log.append(turn, "answer_delta", {"offset": 0, "text": "Grüße\n<b>"})
    assert next(messages).json["text"] == "Grüße\n<b>"
    log.append(turn, "turn_finished", {"status": "answered"}, final=True)
    rest = list(messages)
    assert [message.kind for message in rest] == ["turn_finished"]
    with web.get([turn], session(alice) | {"Last-Event-ID": rest[-1].id}) as response:
        assert response.status_code == 204  # which tells a browser not to come back


def test_an_event_larger_than_a_notification_arrives_live_and_in_its_place(web, turn, alice):
    messages = web.messages([turn], token(alice))
    write(turn, 1)
    assert next(messages).seq == 1
    write(turn, 1, text="§" * 20_000)
    write(turn, 1)
    large, small = take(messages, 2)
    assert (large.seq, large.json["text"]) == (2, "§" * 20_000)
    assert small.seq == 3


def test_twenty_readers_that_keep_losing_the_connection_get_every_event_once(web, turn, alice):
    total, headers = 240, token(alice)
    received: list[list[int]] = [[] for _ in range(20)]

    def read(mine: list[int], luck: random.Random) -> None:
        last: dict[str, str] = {}
        while len(mine) < total:
            with closing(web.messages([turn], headers | last)) as messages:
                for message in take(messages, min(luck.randint(1, 60), total - len(mine))):
                    mine.append(message.seq)
                    last = {"Last-Event-ID": message.id}

    readers = [
        threading.Thread(target=read, args=(mine, random.Random(number)))
        for number, mine in enumerate(received)
    ]
    for reader in readers:
        reader.start()
    for _ in range(total):
        write(turn, 1)
        time.sleep(0.004)
    for reader in readers:
        reader.join(PATIENCE)
    assert received == [list(range(1, total + 1))] * 20


def test_several_channels_share_a_stream_and_resume_together(web, turn, contracts, alice):
    documents = f"datasource:{contracts.pk}"
    write(turn, 2)
    log.append(documents, "document_queued", {"document": 1})
    messages = web.messages([turn, documents], session(alice))
    seen = {(message.json["channel"], message.seq) for message in take(messages, 3)}
    assert seen == {(turn, 1), (turn, 2), (documents, 1)}
    log.append(documents, "document_ready", {"document": 1})
    last = next(messages)
    assert last.id == f"{quote(turn)}:2,{quote(documents)}:2"
    messages.close()
    log.append(turn, "turn_finished", {}, final=True)
    log.append(documents, "document_queued", {"document": 2})
    resumed = web.messages([turn, documents], session(alice), last=last.id)
    assert sorted(message.seq for message in take(resumed, 2)) == [3, 3]
    log.append(documents, "document_ready", {"document": 2})
    assert next(resumed).seq == 4  # the end of the turn is not the end of the documents


def test_only_the_run_that_owns_the_turn_is_heard(web, turn, alice):
    zombie, heir = uuid4(), uuid4()
    log.open_channel(turn, zombie)
    log.append(turn, "turn_started", {"attempt": 1}, run_token=zombie)
    messages = web.messages([turn], token(alice))
    assert next(messages).kind == "turn_started"
    log.open_channel(turn, heir)
    with pytest.raises(log.Fenced):
        log.append(turn, "answer_delta", {"text": "late"}, run_token=zombie)
    log.append(turn, "turn_restarted", {"attempt": 2}, run_token=heir)
    log.append(turn, "turn_finished", {}, run_token=heir, final=True)
    assert [(message.seq, message.kind) for message in messages] == [
        (2, "turn_restarted"),
        (3, "turn_finished"),
    ]


def test_a_reader_who_missed_only_the_end_still_gets_it(web, turn, alice):
    write(turn, 2)
    log.append(turn, "turn_finished", {}, final=True)
    Event.objects.filter(channel=turn, seq=2).delete()  # trimmed, while the reader had come just so far
    messages = web.messages([turn], token(alice), last=f"{quote(turn)}:2")
    assert [message.kind for message in messages] == ["turn_finished"]


def test_a_reader_whose_place_is_gone_is_told_to_load_anew(web, contracts, alice):
    documents = f"datasource:{contracts.pk}"
    write(documents, 5)
    Event.objects.filter(channel=documents, seq__lte=4).delete()
    for place in (2, 99):  # trimmed away, and never given by this log
        messages = web.messages([documents], token(alice), last=f"{documents}:{place}")
        reset = next(messages)
        assert (reset.kind, reset.json) == ("stream-reset", {"v": 1, "channel": documents, "seq": 5})
        write(documents, 1)
        assert next(messages).seq == 6
        Event.objects.filter(channel=documents, seq=6).delete()
        log.Channel.objects.filter(name=documents).update(last_seq=5)


def test_a_reader_never_skips_when_notifications_are_lost_or_come_too_fast(turn, settings):
    settings.DATABASE_POOL = 1  # the threads give their connections back
    with asyncio.Runner() as runner:
        reader = Subscription({turn: 0})

        def read(count: int) -> list[int]:
            seqs: list[int] = []
            for _ in range(count):  # calls are enough, even if each brings but one
                if len(seqs) < count:
                    seqs += [event.seq for event in runner.run(reader.next(0.01))]
            return seqs

        write(turn, 3)
        assert read(3) == [1, 2, 3]
        write(turn, 3)
        reader.offer(turn, log.read(turn)[-1])
        assert read(3) == [4, 5, 6]
        write(turn, 501)
        for event in log.read(turn, after=6, limit=501):
            reader.offer(turn, event)
        assert read(501) == list(range(7, 508))


# What breaks ------------------------------------------------------------------------------------------------


def test_nothing_is_lost_or_doubled_when_the_server_is_killed_and_started_again(web, turn, alice):
    write(turn, 3)
    messages = web.messages([turn], session(alice))
    before = take(messages, 3)
    web.end(signal.SIGKILL)
    with pytest.raises(httpx.TransportError):
        next(messages)
    write(turn, 3)
    web.start()
    resumed = web.messages([turn], session(alice) | {"Last-Event-ID": before[-1].id})
    write(turn, 3)
    assert [message.seq for message in before + take(resumed, 6)] == list(range(1, 10))


@contextmanager
def postgres_away() -> Iterator[None]:
    """As in a restart of Postgres: the server's connections are cut, and new ones are refused for a while."""
    name = connection.settings_dict["NAME"]
    with psycopg.connect(**listen_parameters() | {"dbname": "postgres"}) as outside:
        outside.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        try:
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
            yield
        finally:
            outside.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')


def test_an_open_stream_outlives_a_restart_of_postgres(web, turn, alice):
    write(turn, 2)
    messages = web.messages([turn], token(alice))
    seqs = [message.seq for message in take(messages, 2)]
    with postgres_away():
        write(turn, 2)
        status, error = web.refusal([turn], token(alice))
        assert (status, error["code"]) == (503, "database_unavailable")
    seqs += [message.seq for message in take(messages, 2)]
    write(turn, 2)
    seqs += [message.seq for message in take(messages, 2)]
    assert seqs == [1, 2, 3, 4, 5, 6]


def test_a_stopping_server_ends_its_streams_cleanly_and_at_once(web, turn, alice):
    write(turn, 1)
    messages = [web.messages([turn], token(alice)) for _ in range(3)]
    assert [next(reader).seq for reader in messages] == [1, 1, 1]
    assert web.end(signal.SIGTERM) in (0, -signal.SIGTERM)
    assert [list(reader) for reader in messages] == [[], [], []]


def test_a_reader_of_a_stopping_server_goes_on_at_another_without_a_lost_event(
    web, second_process, turn, alice
):
    second_process.start()
    write(turn, 20)
    reader, known, last = web.messages([turn], token(alice)), [], ""
    for message in take(reader, 5):
        known.append(message.seq)
        last = message.id
    web.process.send_signal(signal.SIGTERM)
    write(turn, 20)
    for message in reader:  # to the clean end
        known.append(message.seq)
        last = message.id
    web.process.wait(PATIENCE)
    write(turn, 10)
    again = second_process.messages([turn], token(alice) | {"Last-Event-ID": last})
    known += [message.seq for message in take(again, 50 - len(known))]
    assert known == list(range(1, 51))


def test_a_server_does_not_outlive_the_process_that_started_it(web, turn, alice):
    write(turn, 1)
    messages = web.messages([turn], token(alice))
    next(messages)
    os.close(web.pipe)
    assert list(messages) == []
    web.process.wait(PATIENCE)


# Who may read -----------------------------------------------------------------------------------------------


def test_strangers_learn_nothing_not_even_whether_a_channel_exists(web, turn, contracts, bob, charlie):
    log.append(turn, "turn_started", {})
    documents = f"datasource:{contracts.pk}"
    log.append(documents, "document_queued", {})
    unknown = f"turn:{uuid4()}"
    answers = set()
    for user, channel in [
        (charlie, turn),
        (charlie, documents),
        (bob, turn),
        (bob, turn.upper()),
        (bob, unknown),
        (bob, "datasource:0"),
        (bob, "elsewhere:1"),
        (bob, "turn:1"),
    ]:
        for path in ("/events/", "/events/html/"):
            status, error = web.refusal([channel], token(user), path=path)
            assert status == 403, channel
            answers.add(tuple(error.items()))
    assert [[name for name, _ in answer] for answer in answers] == [["code", "message", "hint"]]
    assert next(web.messages([documents], session(bob))).kind == "document_queued"
    assert web.refusal([documents, turn], session(bob))[0] == 403


def test_nobody_reads_without_signing_in(web, turn, alice):
    inactive = token(alice)
    User.objects.filter(pk=alice.pk).update(is_active=False)
    for headers in ({}, {"Cookie": "sessionid=made-up"}, {"Authorization": "Bearer made-up"}, inactive):
        status, error = web.refusal([turn], headers)
        assert (status, error["code"]) == (401, "not_signed_in"), headers


def test_a_stream_ends_when_its_reader_loses_the_datasource_or_signs_out(web, contracts, bob):
    documents = f"datasource:{contracts.pk}"
    cookie = session(bob)
    write(documents, 1)
    by_session, by_token = web.messages([documents], cookie), web.messages([documents], token(bob))
    assert [next(by_session).seq, next(by_token).seq] == [1, 1]
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_session")
    assert list(by_session) == []
    Membership.objects.filter(user=bob).delete()
    assert list(by_token) == []


@pytest.fixture(scope="module")
def second_process(django_db_setup, django_db_blocker, tmp_path_factory) -> Iterator[Web]:
    web = Web(tmp_path_factory.mktemp("second"))
    yield web
    web.client.close()
    if web.process and web.process.poll() is None:
        web.end(signal.SIGKILL)


def unshared(user: User, browser: Client) -> None:
    unshare(Datasource.objects.get(), user)


def deactivated(user: User, browser: Client) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


def with_another_password(user: User, browser: Client) -> None:
    user.set_password("another long password")
    user.save()


def signed_out(user: User, browser: Client) -> None:
    browser.logout()


def without_the_datasource(user: User, browser: Client) -> None:
    Datasource.objects.get().delete()


def out_of_the_group(user: User, browser: Client) -> None:
    user.group_members.all().delete()


def without_the_group(user: User, browser: Client) -> None:
    GroupShare.objects.all().delete()


@pytest.mark.parametrize(
    "lose",
    [
        unshared,
        deactivated,
        with_another_password,
        signed_out,
        without_the_datasource,
        out_of_the_group,
        without_the_group,
    ],
)
def test_who_loses_access_gets_nothing_more_from_any_server(web, second_process, contracts, bob, alice, lose):
    second_process.start()
    documents = f"datasource:{contracts.pk}"
    if lose in (out_of_the_group, without_the_group):
        Membership.objects.filter(user=bob).delete()
        group = PeopleGroup.objects.create(name="Legal")
        group.members.create(person=bob)
        share_with_group(contracts, group, Role.VIEWER)
    browser = Client()
    browser.force_login(bob)
    cookie = {"Cookie": f"{settings.SESSION_COOKIE_NAME}={browser.session.session_key}"}
    write(documents, 1)
    streams = [server.messages([documents], cookie) for server in (web, second_process)]
    others = web.messages([documents], token(alice))
    assert [next(stream).seq for stream in (*streams, others)] == [1, 1, 1]
    lose(bob, browser)
    begun = time.monotonic()
    write(documents, 1)
    assert [list(stream) for stream in streams] == [[], []]
    assert time.monotonic() - begun < AT_ONCE
    if lose is not without_the_datasource:
        assert next(others).seq == 2  # the others read on


def test_a_stream_ends_with_the_sign_in_of_its_token(web, contracts, bob):
    documents = f"datasource:{contracts.pk}"
    write(documents, 1)
    refresh = RefreshToken.for_user(bob)
    stream = web.messages([documents], {"Authorization": f"Bearer {refresh.access_token}"})
    assert next(stream).seq == 1
    end_sign_in(refresh)
    begun = time.monotonic()
    assert list(stream) == []
    assert time.monotonic() - begun < AT_ONCE


def test_a_stream_ends_when_its_api_token_expires(web, contracts, bob):
    made, secret = make_token(bob, name="Bot", scopes=[TokenScope.READ], datasource_ids=None, days=1)
    ApiToken.objects.filter(pk=made.pk).update(expires=timezone.now() + timedelta(seconds=6))
    documents = f"datasource:{contracts.pk}"
    write(documents, 1)
    stream = web.messages([documents], {"Authorization": f"Bearer {secret}"})
    assert next(stream).seq == 1
    begun = time.monotonic()
    assert list(stream) == []
    assert time.monotonic() - begun < AT_ONCE


def test_a_stream_ends_with_the_api_token_that_opened_it(web, contracts, bob):
    made, secret = make_token(bob, name="Bot", scopes=[TokenScope.READ], datasource_ids=None, days=1)
    documents = f"datasource:{contracts.pk}"
    write(documents, 1)
    stream = web.messages([documents], {"Authorization": f"Bearer {secret}"})
    assert next(stream).seq == 1
    made.delete()
    write(documents, 1)
    assert list(stream) == []


def test_an_api_token_hears_only_what_it_is_for(web, turn, contracts, alice):
    """Only its own questions when it may only ask; nothing of a datasource that it was not made for."""
    documents = f"datasource:{contracts.pk}"
    heard = {}
    for name, scope, only in (
        ("asks", TokenScope.ASK, [contracts.pk]),
        ("writes", TokenScope.WRITE, None),
        ("elsewhere", TokenScope.READ, [contracts.pk + 1]),
    ):
        made, secret = make_token(alice, name=name, scopes=[scope], datasource_ids=only, days=1)
        own = turn_of(Conversation.objects.create(datasource=contracts, user=alice, api_token=made))
        headers = {"Authorization": f"Bearer {secret}"}
        heard[name] = [status_of(web, channel, headers) for channel in (own, turn, documents)]
    assert heard == {"asks": [200, 403, 403], "writes": [403, 403, 403], "elsewhere": [403, 403, 403]}


def status_of(web, channel: str, headers: dict[str, str]) -> int:
    with web.get([channel], headers) as response:
        return int(response.status_code)


def test_a_request_that_makes_no_sense_is_told_what_to_do(web, turn, alice):
    headers = token(alice)
    for channels, more, status, code in [
        ([], {}, 400, "channels_missing"),
        ([f"turn:{number}" for number in range(11)], {}, 400, "channels_missing"),
        ([turn], {"last": "yesterday"}, 400, "malformed_last_id"),
        ([turn], {"last": f"{turn}:-1"}, 400, "malformed_last_id"),
    ]:
        got, error = web.refusal(channels, headers, **more)
        assert (got, error["code"]) == (status, code)
    status, error = web.refusal([turn], headers | {"Host": "evil.example"})
    assert (status, error["code"]) == (400, "unknown_host")


def test_proxies_and_browsers_are_told_how_to_treat_the_stream(web, turn, alice):
    with web.get([turn], token(alice)) as response:
        assert response.headers["Content-Type"] == "text/event-stream; charset=utf-8"
        assert response.headers["Cache-Control"] == "no-cache, no-transform"
        assert response.headers["X-Accel-Buffering"] == "no"
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        lines = response.iter_lines()
        name, _, milliseconds = next(lines).partition(": ")
        assert name == "retry"
        assert 1000 <= int(milliseconds) <= 5000
        next(lines)
        assert next(lines).startswith(":")  # something comes even when nothing happens


# Pages ------------------------------------------------------------------------------------------------------


def test_a_page_gets_a_snapshot_first_then_changes_and_done_as_the_last(web, turn, alice):
    write(turn, 3)
    messages = web.messages([turn], session(alice), path="/events/html/")
    assert next(messages) == Message(kind="ev", id="", data="<p>alice@example.org:1,2,3</p>")
    write(turn, 1)
    assert next(messages).data == "<i>4</i>"
    log.append(turn, "tool_called", {})
    write(turn, 50)
    log.append(turn, "turn_finished", {}, final=True)
    rest = list(messages)
    assert "".join(message.data for message in rest) == "".join(f"<i>{number}</i>" for number in range(6, 57))
    assert [message.kind for message in rest] == ["ev"] * (len(rest) - 1) + ["done"]
    assert len(rest) < 20  # many changes, few messages

    again = list(web.messages([turn], session(alice), path="/events/html/"))
    assert [message.kind for message in again] == ["done"]
    assert again[0].data.endswith(":" + ",".join(map(str, range(1, 57))) + "</p>")


def test_a_channel_without_a_page_says_so(web, contracts, alice):
    status, error = web.refusal([f"datasource:{contracts.pk}"], session(alice), path="/events/html/")
    assert (status, error["code"]) == (404, "no_page_events")
