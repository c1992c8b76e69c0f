"""A scripted model server: the real OpenAI wire protocol over loopback HTTP, with answers that a test wrote.

    with ScriptedOpenAI([tools_reply(("search_chunks", {"query": "x"})), text_reply("Done.")]) as server:
        OpenAIChat(server.base_url, "key", "model") ...
        assert server.requests[0]["messages"]

Also a program: `python -m tests.openai_server --port 8123 --script replies.json`, where the file is a list
of objects with the fields of ScriptedReply, for example [{"text": "Done.", "when": "a word of the request"}].
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import re
import socket
import sys
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

MODEL = "scripted"
DIMENSIONS = 32
FRAGMENT = 12  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedReply:
    """One answer to a chat request, or a failure.

    A list of replies is used up in order. A reply with `when` answers only a request in whose JSON that text
    occurs; one with `repeat` is never used up. `delay` is in seconds before each fragment; `drop_after`
    breaks the connection after so many fragments. `deltas` are streamed as they are, instead of text, and so
    are `chunks`, without the frame that a delta gets. `body` is answered as it is, in place of all that.
    `at_once`: how many bytes of a stream are sent at once.
    """

    text: str = ""
    tools: Sequence[tuple[str, Any]] = ()  # (name, arguments as an object, or as text to be sent as it is)
    deltas: Sequence[dict[str, Any]] = ()
    chunks: Sequence[Any] = ()
    body: bytes | None = None
    at_once: int | None = None
    status: int = 200
    message: str = ""
    code: str | None = None
    retry_after: float | str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drop_after: int | None = None
    usage: tuple[int, int] | None = (7, 5)
    when: str = ""
    repeat: bool = False


def text_reply(text: str, **options: Any) -> ScriptedReply:
    """The model writes `text`."""
    return ScriptedReply(text=text, **options)


def tools_reply(*calls: tuple[str, Any], **options: Any) -> ScriptedReply:
    """The model calls tools: pairs of name and arguments."""
    return ScriptedReply(tools=calls, **options)


def error_reply(status: int, message: str = "", **options: Any) -> ScriptedReply:
    """The server refuses with `status`."""
    return ScriptedReply(status=status, message=message or f"Scripted error {status}", **options)


Script = Iterable[ScriptedReply] | Callable[[dict[str, Any]], ScriptedReply]


class ScriptedOpenAI:
    """The server, running while its `with` block runs. What it received stays readable afterwards.

    `requests`: the JSON bodies of chat requests; `embedding_requests`: of embedding requests;
    `authorizations`: the header of each request; `aborted`: answers that the client did not wait for.
    `embeddings` are replies (failures, as a rule) used up before embedding requests are answered properly.
    `listed`: what else the list of models says of its model; `others`: what is answered at other addresses;
    `list_status`: with which that list comes.
    """

    def __init__(
        self,
        script: Script = (),
        *,
        embeddings: Iterable[ScriptedReply] = (),
        dimensions: int = DIMENSIONS,
        listed: Mapping[str, Any] | None = None,
        others: Mapping[str, Any] | None = None,
        list_status: int = 200,
        port: int = 0,
    ) -> None:
        self.listed, self.others = {"id": MODEL, "object": "model", **(listed or {})}, others or {}
        self.list_status = list_status
        self.requests: list[dict[str, Any]] = []
        self.embedding_requests: list[dict[str, Any]] = []
        self.authorizations: list[str | None] = []
        self.aborted = 0
        self.dimensions = dimensions
        self.stopping = threading.Event()
        self._answer = script if callable(script) else None
        self._replies = [] if callable(script) else list(script)
        self._embedding_replies = list(embeddings)
        self._lock = threading.Lock()
        self._http = _Server(("127.0.0.1", port), self)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05})

    @property
    def base_url(self) -> str:
        """The address to give to a client, with the /v1 at its end."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self) -> ScriptedOpenAI:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def chat_reply(self, request: dict[str, Any]) -> ScriptedReply:
        """What the script says to this request; a request that it does not foresee is a status 500."""
        with self._lock:
            self.requests.append(request)
            if self._answer is None:
                return _take(self._replies, json.dumps(request, ensure_ascii=False))
        return self._answer(request)

    def embedding_reply(self, request: dict[str, Any]) -> ScriptedReply | None:
        """A scripted failure, or None when the request is to be answered with vectors."""
        with self._lock:
            self.embedding_requests.append(request)
            return self._embedding_replies.pop(0) if self._embedding_replies else None


def _take(replies: list[ScriptedReply], request: str) -> ScriptedReply:
    for position, reply in enumerate(replies):
        if reply.when in request:
            return reply if reply.repeat else replies.pop(position)
    return error_reply(500, "The script has no reply left for this request")


class _Server(ThreadingHTTPServer):
    """Keeps its connections, so that closing the server ends the threads that serve them."""

    daemon_threads = False
    request_queue_size = 128  # who calls beyond it is refused, or tries again a second later

    def __init__(self, address: tuple[str, int], scripted: ScriptedOpenAI) -> None:
        super().__init__(address, _Handler)
        self.scripted = scripted
        self.connections: set[socket.socket] = set()

    def server_close(self) -> None:
        for connection in list(self.connections):
            _hang_up(connection)
        super().server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away between two requests is no news."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def _hang_up(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):  # The other side may have been faster.
        connection.shutdown(socket.SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def setup(self) -> None:
        super().setup()
        self.server.connections.add(self.connection)

    def finish(self) -> None:
        self.server.connections.discard(self.connection)
        super().finish()

    def log_message(self, format: str, *args: Any) -> None:
        """A test reads `requests`, not a log."""

    def do_GET(self) -> None:
        self.server.scripted.authorizations.append(self.headers.get("Authorization"))
        if self.path == "/v1/models":
            data = [self.server.scripted.listed]
            return self._json(self.server.scripted.list_status, {"object": "list", "data": data})
        return self._other()

    def _other(self) -> None:
        if self.path in self.server.scripted.others:
            return self._json(200, self.server.scripted.others[self.path])
        return self._json(404, {"error": {"message": "Not found", "code": None}})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.scripted.authorizations.append(self.headers.get("Authorization"))
        try:
            match self.path:
                case "/v1/chat/completions":
                    self._chat(body)
                case "/v1/embeddings":
                    self._embeddings(body)
                case _:
                    self._other()
        except ConnectionError:
            self.server.scripted.aborted += 1
            self.close_connection = True

    def _chat(self, body: dict[str, Any]) -> None:
        reply = self.server.scripted.chat_reply(body)
        if reply.body is not None:
            self._send(reply.status, reply.body, {})
        elif reply.status != 200:
            self._error(reply)
        elif body.get("stream"):
            self._stream(reply, body)
        else:
            self._pause(reply)
            self._json(200, _completion(reply, body))

    def _stream(self, reply: ScriptedReply, body: dict[str, Any]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        counts = bool((body.get("stream_options") or {}).get("include_usage"))
        for number, chunk in enumerate(_chunks(reply, body, counts=counts)):
            self._pause(reply)
            if number == reply.drop_after:
                self.close_connection = True
                return _hang_up(self.connection)
            self._write(f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n", reply.at_once)
        self._write("data: [DONE]\n\n", reply.at_once)
        self.wfile.write(b"0\r\n\r\n")
        return None

    def _write(self, event: str, at_once: int | None) -> None:
        data = event.encode(errors="backslashreplace")  # half of a character as JSON writes it
        for start in range(0, len(data), at_once or len(data)):
            piece = data[start : start + (at_once or len(data))]
            self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            self.wfile.flush()

    def _pause(self, reply: ScriptedReply) -> None:
        if reply.delay and self.server.scripted.stopping.wait(reply.delay):
            raise ConnectionAbortedError

    def _embeddings(self, body: dict[str, Any]) -> None:
        if reply := self.server.scripted.embedding_reply(body):
            return self._error(reply)
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        size = body.get("dimensions") or self.server.scripted.dimensions
        data = [
            {"object": "embedding", "index": index, "embedding": _vector(text, size)}
            for index, text in enumerate(texts)
        ]
        data.reverse()  # The protocol promises an index, not an order.
        usage = {"prompt_tokens": len(texts), "total_tokens": len(texts)}
        return self._json(200, {"object": "list", "data": data, "model": body["model"], "usage": usage})

    def _error(self, reply: ScriptedReply) -> None:
        headers = {} if reply.retry_after is None else {"Retry-After": str(reply.retry_after)}
        headers |= reply.headers
        error = {"message": reply.message, "type": "scripted", "code": reply.code, "param": None}
        self._json(reply.status, {"error": error}, headers)

    def _json(self, status: int, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> None:
        self._send(status, json.dumps(body).encode(), headers or {})

    def _send(self, status: int, data: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _pieces(text: str) -> Iterator[str]:
    for start in range(0, len(text), FRAGMENT):
        yield text[start : start + FRAGMENT]


def _arguments(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _calls(reply: ScriptedReply) -> list[dict[str, Any]]:
    return [
        {
            "id": f"call_{number}",
            "type": "function",
            "function": {"name": name, "arguments": _arguments(value)},
        }
        for number, (name, value) in enumerate(reply.tools)
    ]


def _usage(reply: ScriptedReply) -> dict[str, int] | None:
    if reply.usage is None:
        return None
    prompt, completion = reply.usage
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def _finish_reason(reply: ScriptedReply) -> str:
    return "tool_calls" if reply.tools else "stop"


def _deltas(reply: ScriptedReply) -> Iterator[dict[str, Any]]:
    if reply.deltas:
        yield from reply.deltas
        return
    yield {"role": "assistant", "content": None if reply.tools else ""}
    for piece in _pieces(reply.text):
        yield {"content": piece}
    for index, call in enumerate(_calls(reply)):
        function = call["function"]
        yield {"tool_calls": [call | {"index": index, "function": function | {"arguments": ""}}]}
        for piece in _pieces(function["arguments"]):
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


def _chunks(reply: ScriptedReply, body: dict[str, Any], *, counts: bool) -> Iterator[Any]:
    if reply.chunks:
        yield from reply.chunks
        return
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": body["model"]}
    for delta in _deltas(reply):
        yield head | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield head | {"choices": [{"index": 0, "delta": {}, "finish_reason": _finish_reason(reply)}]}
    if counts and reply.usage:
        yield head | {"choices": [], "usage": _usage(reply)}


def _completion(reply: ScriptedReply, body: dict[str, Any]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
    if reply.tools:
        message["tool_calls"] = _calls(reply)
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": _finish_reason(reply)}],
        "usage": _usage(reply),
    }


def _vector(text: str, dimensions: int) -> list[float]:
    """Texts that share words get vectors that are near each other."""
    vector = [0.0] * dimensions
    for word in re.findall(r"\w+", text.lower()) or [""]:
        vector[zlib.crc32(word.encode()) % dimensions] += 1.0
    length = math.hypot(*vector)
    return [value / length for value in vector]


def _main() -> None:
    parser = argparse.ArgumentParser(description="A model server that answers from a script.")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--script", type=Path, required=True)
    arguments = parser.parse_args()
    replies = [ScriptedReply(**entry) for entry in json.loads(arguments.script.read_text(encoding="utf-8"))]
    with ScriptedOpenAI(replies, port=arguments.port) as server:
        print(server.base_url, flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            threading.Event().wait()


if __name__ == "__main__":
    _main()
