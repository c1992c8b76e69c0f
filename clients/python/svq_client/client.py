"""The client for programs that wait."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
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


class Client:
    """An SVQ server, as the person of the token. Use it in a `with`, or `close()` it.

    address: such as `https://svq.example.org`. token: made in SVQ under Settings, API tokens. timeout:
    seconds for one request. All methods raise SvqError. Several threads may share a client.
    """

    def __init__(
        self,
        address: str,
        token: str,
        *,
        timeout: float = 60.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._address = checked_address(address)
        self._timeout = timeout
        self._http = httpx.Client(base_url=self._address, headers=headers(token), transport=transport)

    def __repr__(self) -> str:
        return f"Client({self._address!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    # --- datasources and documents -------------------------------------------------------------------------
    def datasources(self) -> Iterator[Datasource]:
        """Those that the token reaches, page after page."""
        return self._rows(calls.datasources())

    def datasource(self, datasource: int) -> Datasource:
        return self._sent(calls.datasource(datasource))

    def create_datasource(self, name: str, description: str = "") -> Datasource:
        return self._sent(calls.create_datasource(name, description))

    def documents(
        self, datasource: int | Datasource, *, status: Sequence[str] = (), q: str = ""
    ) -> Iterator[Document]:
        """The newest first. status: only these. q: a part of the title or of the file's name."""
        return self._rows(calls.documents(datasource, status, q))

    def document(self, document: int) -> Document:
        return self._sent(calls.document(document))

    def chunks(self, document: int | Document) -> Iterator[Chunk]:
        """What was read from it, in reading order."""
        return self._rows(calls.chunks(document))

    def upload(
        self,
        datasource: int | Datasource,
        file: FileToSend,
        *,
        metadata: Mapping[str, Any] | None = None,
        limit: float = 600.0,
    ) -> Upload:
        """Send a file, which is read in the background. file: a path, or its name with its content.
        metadata: what searches may be filtered by; `externalId` in it is an id of your own. limit: seconds.
        A file that is refused raises SvqError with the reason.
        """
        return self._sent(calls.upload(datasource, file, metadata), limit)

    def wait_until_read(
        self,
        documents: Iterable[int | Document | Upload],
        *,
        limit: float = 600.0,
        progress: Told | None = None,
    ) -> tuple[Document, ...]:
        """The documents once nothing more is read of them, whether `ready` or `failed`. limit: seconds for
        all. progress: is called at each look.
        """
        return self._run(flows.settled(calls.numbers(documents), self._limit(limit), progress))

    def delete_documents(
        self, datasource: int | Datasource, documents: Iterable[int | Document | Upload]
    ) -> tuple[Deletion, ...]:
        """They are hidden at once and deleted in ten seconds. A receipt for each that was there."""
        return self._sent(calls.delete_documents(datasource, documents))

    def deletion(self, deletion: str) -> Deletion:
        return self._sent(calls.deletion(deletion))

    def wait_until_deleted(self, deletion: Deletion, *, limit: float = 120.0) -> Deletion:
        """The receipt once nothing is left. limit: seconds."""
        return self._run(flows.deleted(deletion.id, self._limit(limit)))

    # --- passages ------------------------------------------------------------------------------------------
    def search(self, query: str, **options: Unpack[SearchOptions]) -> tuple[Passage, ...]:
        """The passages for a question, the best first. options: as `SearchOptions` has them."""
        return self.retrieve(query, **options).passages

    def retrieve(self, query: str, **options: Unpack[SearchOptions]) -> Retrieval:
        """The same, with what was done to find them."""
        return self._sent(calls.retrieve(query, options))

    # --- questions -----------------------------------------------------------------------------------------
    def ask(
        self,
        datasource: int | Datasource,
        question: str,
        *,
        limit: float = 600.0,
        **options: Unpack[QuestionOptions],
    ) -> Answer:
        """The answer once it is whole; its `status` may be `failed`. limit: seconds. options: as
        `QuestionOptions` has them.
        """
        begin = calls.begin(datasource, question, options)
        return self._run(flows.answered(begin, self._limit(limit)))

    def begin(self, datasource: int | Datasource, question: str, **options: Unpack[QuestionOptions]) -> str:
        """The number of the turn: ask now, and wait for the answer later, or in another process."""
        return self._sent(calls.begin(datasource, question, options))

    def wait_for_answer(self, turn: str, *, limit: float = 600.0) -> Answer:
        """Of a question that was asked before. limit: seconds."""
        return self._run(flows.finished(turn, self._limit(limit)))

    def ask_streamed(
        self,
        datasource: int | Datasource,
        question: str,
        *,
        limit: float = 600.0,
        **options: Unpack[QuestionOptions],
    ) -> Iterator[Step | Piece | Answer]:
        """Steps and pieces as they come, and at last the answer. It is asked when the first one is taken;
        whoever stops reading does not stop it.
        """
        until = self._limit(limit)
        begin = calls.begin(datasource, question, options)
        following = Following(self._run(flows.sent(begin, until)), until)
        while not following.is_over:
            for data in self._stream(following, until):
                yield from following.take(data)
            time.sleep(following.pause())
        yield self._run(flows.finished(following.turn, until))

    def answer(self, turn: str) -> Answer:
        """As far as it has come."""
        return self._sent(calls.answer(turn))

    def stop(self, turn: str) -> Answer:
        """What was written so far stays."""
        return self._sent(calls.stop(turn))

    def proof(self, citation: Citation) -> Proof:
        """Where it stands: boxes of its lines on each page."""
        return self._sent(calls.proof(citation))

    def crop(self, citation: Citation, page: int | None = None) -> bytes:
        """WebP of the lines around the quote, its words marked. page: the citation's first, if left out."""
        return self._sent(calls.crop(citation, page))

    # --- how it is sent ------------------------------------------------------------------------------------
    def _limit(self, seconds: float) -> Limit:
        return Limit(seconds, self._timeout)

    def _sent(self, call: Call[Value], seconds: float | None = None) -> Value:
        return self._run(flows.sent(call, Limit(self._timeout if seconds is None else seconds)))

    def _rows(self, call: Call[Page[Row]]) -> Iterator[Row]:
        following: Call[Page[Row]] | None = call
        while following is not None:
            page = self._sent(following)
            yield from page.rows
            following = page.next

    def _run(self, flow: Flow[Value]) -> Value:
        try:
            step = next(flow)
            while True:
                step = flow.send(self._done(step))
        except StopIteration as end:
            value: Value = end.value
            return value

    def _done(self, step: Send | Pause) -> Reply | None:
        if isinstance(step, Send):
            return self._reply(step.call, Limit(step.seconds))
        time.sleep(step.seconds)
        return None

    def _reply(self, call: Call[Any], limit: Limit) -> Reply:
        try:
            with (
                call.opened(limit) as given,
                self._http.stream(call.method, call.path, timeout=limit.left, **given) as response,
            ):
                body = bytearray()
                for piece in response.iter_bytes():
                    body += piece
                    if limit.left <= 0:
                        break
                else:
                    return Reply(response.status_code, response.headers, bytes(body))
            failed = too_late(call)
        except httpx.HTTPError as error:
            failed = failure(call, error)
        raise failed

    def _stream(self, following: Following, limit: Limit) -> Iterator[bytes]:
        """The events, until the connection ends or breaks."""
        call = following.call()
        try:
            with (
                call.opened(limit) as given,
                self._http.stream(
                    call.method, call.path, timeout=min(SILENCE, limit.for_one), **given
                ) as response,
            ):
                if response.status_code != 200:
                    return following.check(Reply(response.status_code, response.headers, response.read()))
                yield from response.iter_bytes()
        except httpx.HTTPError:
            return
