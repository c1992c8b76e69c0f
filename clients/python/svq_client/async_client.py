"""The client for programs with an event loop of asyncio."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping, Sequence
from contextlib import aclosing
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack

import httpx

from svq_client import calls, flows
from svq_client.call import Call, FileToSend, Page
from svq_client.connection import checked_address, failure, headers, too_late
from svq_client.flows import Flow, Pause, Send, Told
from svq_client.following import SILENCE, Following
from svq_client.limits import Limit
from svq_client.options import QuestionOptions, SearchOptions
from svq_client.replies import Reply
from svq_client.values import (
    Answer,
    Chunk,
    Citation,
    Datasource,
    Deletion,
    Document,
    Passage,
    Piece,
    Proof,
    Retrieval,
    Step,
    Upload,
)

Value = TypeVar("Value")
Row = TypeVar("Row")


class AsyncClient:
    """As `Client`, whose methods say what these do: they are awaited, and lists and streams read by `async
    for`. Use it in an `async with`, or `await close()`. Files are read from the disk between two awaits.
    """

    def __init__(
        self,
        address: str,
        token: str,
        *,
        timeout: float = 60.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._address = checked_address(address)
        self._timeout = timeout
        self._http = httpx.AsyncClient(base_url=self._address, headers=headers(token), transport=transport)

    def __repr__(self) -> str:
        return f"AsyncClient({self._address!r})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    # --- datasources and documents -------------------------------------------------------------------------
    def datasources(self) -> AsyncIterator[Datasource]:
        return self._rows(calls.datasources())

    async def datasource(self, datasource: int) -> Datasource:
        return await self._sent(calls.datasource(datasource))

    async def create_datasource(self, name: str, description: str = "") -> Datasource:
        return await self._sent(calls.create_datasource(name, description))

    def documents(
        self, datasource: int | Datasource, *, status: Sequence[str] = (), q: str = ""
    ) -> AsyncIterator[Document]:
        return self._rows(calls.documents(datasource, status, q))

    async def document(self, document: int) -> Document:
        return await self._sent(calls.document(document))

    def chunks(self, document: int | Document) -> AsyncIterator[Chunk]:
        return self._rows(calls.chunks(document))

    async def upload(
        self,
        datasource: int | Datasource,
        file: FileToSend,
        *,
        metadata: Mapping[str, Any] | None = None,
        limit: float = 600.0,
    ) -> Upload:
        return await self._sent(calls.upload(datasource, file, metadata), limit)

    async def wait_until_read(
        self,
        documents: Iterable[int | Document | Upload],
        *,
        limit: float = 600.0,
        progress: Told | None = None,
    ) -> tuple[Document, ...]:
        return await self._run(flows.settled(calls.numbers(documents), self._limit(limit), progress))

    async def delete_documents(
        self, datasource: int | Datasource, documents: Iterable[int | Document | Upload]
    ) -> tuple[Deletion, ...]:
        return await self._sent(calls.delete_documents(datasource, documents))

    async def deletion(self, deletion: str) -> Deletion:
        return await self._sent(calls.deletion(deletion))

    async def wait_until_deleted(self, deletion: Deletion, *, limit: float = 120.0) -> Deletion:
        return await self._run(flows.deleted(deletion.id, self._limit(limit)))

    # --- passages ------------------------------------------------------------------------------------------
    async def search(self, query: str, **options: Unpack[SearchOptions]) -> tuple[Passage, ...]:
        return (await self.retrieve(query, **options)).passages

    async def retrieve(self, query: str, **options: Unpack[SearchOptions]) -> Retrieval:
        return await self._sent(calls.retrieve(query, options))

    # --- questions -----------------------------------------------------------------------------------------
    async def ask(
        self,
        datasource: int | Datasource,
        question: str,
        *,
        limit: float = 600.0,
        **options: Unpack[QuestionOptions],
    ) -> Answer:
        begin = calls.begin(datasource, question, options)
        return await self._run(flows.answered(begin, self._limit(limit)))

    async def begin(
        self, datasource: int | Datasource, question: str, **options: Unpack[QuestionOptions]
    ) -> str:
        return await self._sent(calls.begin(datasource, question, options))

    async def wait_for_answer(self, turn: str, *, limit: float = 600.0) -> Answer:
        return await self._run(flows.finished(turn, self._limit(limit)))

    async def ask_streamed(
        self,
        datasource: int | Datasource,
        question: str,
        *,
        limit: float = 600.0,
        **options: Unpack[QuestionOptions],
    ) -> AsyncIterator[Step | Piece | Answer]:
        until = self._limit(limit)
        begin = calls.begin(datasource, question, options)
        following = Following(await self._run(flows.sent(begin, until)), until)
        while not following.is_over:
            async with aclosing(self._stream(following, until)) as stream:
                async for data in stream:
                    for shown in following.take(data):
                        yield shown
            await asyncio.sleep(following.pause())
        yield await self._run(flows.finished(following.turn, until))

    async def answer(self, turn: str) -> Answer:
        return await self._sent(calls.answer(turn))

    async def stop(self, turn: str) -> Answer:
        return await self._sent(calls.stop(turn))

    async def proof(self, citation: Citation) -> Proof:
        return await self._sent(calls.proof(citation))

    async def crop(self, citation: Citation, page: int | None = None) -> bytes:
        return await self._sent(calls.crop(citation, page))

    # --- how it is sent ------------------------------------------------------------------------------------
    def _limit(self, seconds: float) -> Limit:
        return Limit(seconds, self._timeout)

    async def _sent(self, call: Call[Value], seconds: float | None = None) -> Value:
        return await self._run(flows.sent(call, Limit(self._timeout if seconds is None else seconds)))

    async def _rows(self, call: Call[Page[Row]]) -> AsyncIterator[Row]:
        following: Call[Page[Row]] | None = call
        while following is not None:
            page = await self._sent(following)
            for row in page.rows:
                yield row
            following = page.next

    async def _run(self, flow: Flow[Value]) -> Value:
        try:
            step = next(flow)
            while True:
                step = flow.send(await self._done(step))
        except StopIteration as end:
            value: Value = end.value
            return value

    async def _done(self, step: Send | Pause) -> Reply | None:
        if isinstance(step, Send):
            return await self._reply(step.call, Limit(step.seconds))
        await asyncio.sleep(step.seconds)
        return None

    async def _reply(self, call: Call[Any], limit: Limit) -> Reply:
        try:
            async with asyncio.timeout(limit.left):
                with call.opened(limit) as given:
                    response = await self._http.request(call.method, call.path, timeout=limit.left, **given)
                return Reply(response.status_code, response.headers, response.content)
        except TimeoutError:
            failed = too_late(call)
        except httpx.HTTPError as error:
            failed = failure(call, error)
        raise failed

    async def _stream(self, following: Following, limit: Limit) -> AsyncGenerator[bytes, None]:
        call = following.call()
        try:
            with call.opened(limit) as given:
                async with self._http.stream(
                    call.method, call.path, timeout=min(SILENCE, limit.for_one), **given
                ) as response:
                    if response.status_code != 200:
                        body = await response.aread()
                        following.check(Reply(response.status_code, response.headers, body))
                        return
                    async for data in response.aiter_bytes():
                        yield data
        except httpx.HTTPError:
            return
