"""What anybody may ask a process as often as they like costs the database and the process little."""

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import pytest

from svq_site.monitoring import probe_server, probes
from svq_site.monitoring.probe_server import Probes
from svq_site.monitoring.probes import KEPT, Kept


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(probes, "time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock


@pytest.fixture
def connected(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """A row for each connection to a database that does not answer."""
    made: list[object] = []

    async def connect(**parameters: object) -> None:
        made.append(parameters)
        await asyncio.sleep(0.01)
        raise OSError

    monkeypatch.setattr(probes.psycopg.AsyncConnection, "connect", connect)
    return made


async def readyz() -> dict[str, Any]:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    await probes.readyz({}, None, send)  # type: ignore[arg-type]
    return json.loads(sent[1]["body"])


def test_many_at_once_ask_the_database_once(
    clock: SimpleNamespace, connected: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probes, "_database", Kept(probes._database._ask))

    async def many() -> list[dict[str, Any]]:
        return await asyncio.gather(*(readyz() for _ in range(50)))

    async def twice() -> None:
        assert {answer["database"] for answer in await many()} == {"does not answer"}
        assert len(connected) == 1
        clock.now += KEPT
        await many()
        assert len(connected) == 2

    asyncio.run(twice())


def test_an_answer_that_did_not_come_is_asked_for_again() -> None:
    asked: list[int] = []

    async def ask() -> str:
        asked.append(1)
        if len(asked) == 1:
            raise ValueError
        return "ok"

    async def twice() -> None:
        kept = Kept(ask)
        with pytest.raises(ValueError, match=r"^$"):
            await kept.now()
        assert await kept.now() == "ok"

    asyncio.run(twice())


def test_many_who_ask_a_worker_ask_the_database_once(
    connected: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[object] = []

    async def last_heartbeats(pids: list[int]) -> list[int]:
        counted.append(pids)
        return pids

    monkeypatch.setattr(probe_server, "last_heartbeats", last_heartbeats)

    async def many() -> None:
        worker = Probes(7, lambda: False)
        answers = await asyncio.gather(*(worker.answer("/readyz", "") for _ in range(50)))
        assert {json.loads(body)["worker"] for _, _, body in answers} == {"ok"}
        assert (len(connected), len(counted)) == (1, 1)

    asyncio.run(many())


@pytest.mark.parametrize(
    ("request_line", "begins"),
    [("GET /livez HTTP/1.1", b"HTTP/1.1 200"), ("nothing", b""), ("GET /readyz HTTP/1.1", b"")],
    ids=["answered", "no request", "failed"],
)
def test_a_connection_ends_whatever_happens(
    unused_tcp_port: int, monkeypatch: pytest.MonkeyPatch, request_line: str, begins: bytes
) -> None:
    async def fails(self: Probes) -> str:
        raise RuntimeError

    monkeypatch.setattr(Probes, "_state", fails)

    async def asked() -> bytes:
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: None)
        async with Probes(7, lambda: False).served("127.0.0.1", unused_tcp_port):
            reader, writer = await asyncio.open_connection("127.0.0.1", unused_tcp_port)
            writer.write(f"{request_line}\r\n\r\n".encode())
            read = await asyncio.wait_for(reader.read(), 5)
            writer.close()
            return read

    assert asyncio.run(asked())[:12] == begins


def test_an_answer_that_nobody_takes_is_given_up(
    unused_tcp_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[int] = []
    ended = asyncio.Event()

    async def answer(self: Probes, path: str, authorization: str) -> tuple[int, str, bytes]:
        return 200, "text/plain", b"a" * 50_000_000

    serve = Probes._serve

    async def watched(self: Probes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await serve(self, reader, writer)
        left.append(writer.transport.get_write_buffer_size())
        ended.set()

    monkeypatch.setattr(probe_server, "SECONDS", 0.3)
    monkeypatch.setattr(Probes, "answer", answer)
    monkeypatch.setattr(Probes, "_serve", watched)

    async def asked() -> None:
        async with Probes(7, lambda: False).served("127.0.0.1", unused_tcp_port):
            _, writer = await asyncio.open_connection("127.0.0.1", unused_tcp_port)
            writer.write(b"GET /livez HTTP/1.1\r\n\r\n")
            await asyncio.wait_for(ended.wait(), 10)
            writer.transport.abort()

    asyncio.run(asked())
    assert left == [0]
