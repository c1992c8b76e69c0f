"""A server that answers what a test says, for both clients."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import httpx

from svq_client import AsyncClient, Client
from svq_client.replies import Reply

Value = TypeVar("Value")
ADDRESS = "http://svq.example"
TOKEN = "svq_AbCdEf0123456789"
Handler = Callable[[httpx.Request], httpx.Response]

DATASOURCE: dict[str, Any] = {
    "id": 3,
    "name": "Leases",
    "description": "",
    "owner": "alice@example.org",
    "suggested_questions": [],
    "created": "2026-11-30T10:00:00.5Z",
    "updated": "2026-11-30T10:00:00+00:00",
    "role": "owner",
}
DOCUMENT: dict[str, Any] = {
    "id": 12,
    "datasource": 3,
    "title": "Lease",
    "filename": "lease.pdf",
    "mime": "application/pdf",
    "size": 1024,
    "version": 1,
    "status": "ready",
    "progress": {"done": 1, "total": 2},
    "page_count": None,
    "chunk_count": 0,
    "read_elsewhere": False,
    "error": None,
    "created": "2026-11-30T10:00:00Z",
    "metadata": {"tags": ["a"]},
}
TURN: dict[str, Any] = {
    "id": "0b9f6f0e",
    "conversation": "5f0c1a52",
    "question": "How long?",
    "answer": "Thirty days. [1]",
    "status": "answered",
    "ahead": None,
    "citations": [],
    "verdict": {},
    "unsourced": 0,
    "missing": "",
    "notices": [{"code": "reused", "text": "An earlier answer."}],
    "model": "quotes",
    "seconds": 1,
    "error": None,
}


def reply(body: Any = None, status: int = 200, **headers: str) -> Reply:
    return Reply(status, headers, json.dumps(body).encode())


def client_of(handler: Handler, token: str = TOKEN, timeout: float = 5) -> Client:
    return Client(ADDRESS, token, timeout=timeout, transport=httpx.MockTransport(handler))


def asked_async(
    handler: Handler, ask: Callable[[AsyncClient], Coroutine[Any, Any, Value]], timeout: float = 5
) -> Value:
    """What an asynchronous client gets."""

    async def asked() -> Value:
        transport = httpx.MockTransport(handler)
        async with AsyncClient(ADDRESS, TOKEN, timeout=timeout, transport=transport) as client:
            return await ask(client)

    return asyncio.run(asked())
