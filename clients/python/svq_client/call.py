"""A request as a value: what is sent, and how its reply is read."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar
from urllib.parse import parse_qsl, urlsplit

from svq_client.limits import Limit, LimitedFile
from svq_client.reading import each, read, unexpected
from svq_client.replies import Reply, json_of

Value = TypeVar("Value")
Row = TypeVar("Row")
JSON = "application/json"
Params = tuple[tuple[str, str], ...]
FileToSend = str | Path | tuple[str, bytes]  # a path, or a name with the content


@dataclass(frozen=True, slots=True)
class Call(Generic[Value]):
    """A request. path: after the server's address. read: makes the value of a reply that is no refusal.
    is_reading: it changes nothing, so it may be sent again.
    """

    method: str
    path: str
    read: Callable[[Reply], Value]
    params: Params = ()
    json: Any = None
    file: FileToSend | None = None
    metadata: Mapping[str, Any] | None = None
    accept: str = JSON
    last_event: str = ""
    is_reading: bool = False

    @contextmanager
    def opened(self, limit: Limit) -> Iterator[dict[str, Any]]:
        """What httpx takes besides method and address. Raises OSError for a file that cannot be opened."""
        headers = {"Accept": self.accept} | ({"Last-Event-ID": self.last_event} if self.last_event else {})
        more: dict[str, Any] = {"params": self.params, "headers": headers}
        if self.json is not None:
            more["json"] = self.json
        if self.file is None:
            yield more
            return
        if self.metadata is not None:
            more["data"] = {"metadata": json.dumps(self.metadata)}
        name, content = self.file if isinstance(self.file, tuple) else (Path(self.file).name, Path(self.file))
        with LimitedFile(content, limit) as file:
            yield more | {"files": {"files": (name, file)}}


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """A page of a list, and the request of the next one."""

    rows: tuple[Row, ...]
    next: "Call[Page[Row]] | None"


def get(path: str, read: Callable[[Reply], Value], accept: str = JSON) -> Call[Value]:
    return Call("GET", f"/api/v1/{path}", read, accept=accept, is_reading=True)


def post(path: str, read: Callable[[Reply], Value], body: Any, *, is_reading: bool = False) -> Call[Value]:
    return Call("POST", f"/api/v1/{path}", read, json=body, is_reading=is_reading)


def one(kind: type[Value]) -> Callable[[Reply], Value]:
    return lambda reply: read(kind, json_of(reply))


def listed(path: str, kind: type[Row], params: Params = ()) -> Call[Page[Row]]:
    """Of the address of the next page only its parameters are taken: the token goes to no other server."""

    def page(reply: Reply) -> Page[Row]:
        told = json_of(reply)
        if not isinstance(told, dict):
            raise unexpected(f"a list of {kind.__name__}")
        following = told.get("next")
        then = (
            listed(path, kind, tuple(parse_qsl(urlsplit(following).query, keep_blank_values=True)))
            if isinstance(following, str)
            else None
        )
        return Page(each(kind, told.get("results")), then)

    return Call("GET", f"/api/v1/{path}", page, params=params, is_reading=True)
