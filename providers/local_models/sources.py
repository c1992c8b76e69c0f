"""Sources of a model's files: a folder or a file server; the hub is in `hub`."""

import os
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol
from urllib.parse import quote, urlsplit

import httpx
from django.utils.translation import gettext

from localization.stored import said
from providers.http.public_addresses import NotPublic
from providers.http.size_limit import AS_IT_IS, TooLarge
from providers.http.time_limit import within
from providers.local_models.clients import client
from providers.local_models.configuration import CONFIG, OTHERS, TOKENIZER
from providers.local_models.errors import NotInstalled

PIECE = 1024**2  # bytes
LIST_PATIENCE = 20.0  # seconds, in all, until it is told which files there are
ANSWER_PATIENCE = 60.0  # seconds until a file begins, redirections included
SUMS = "SHA256SUMS"
CARD = "README.md"  # of the model
LONGEST_CARD = 100_000  # bytes that are read of it, and of the sums
SHA256 = re.compile(r"[0-9a-f]{64}")
# The graphs that are looked for where no list can be had.
USUAL_GRAPHS = (
    "onnx/model_quantized.onnx",
    "onnx/model_int8.onnx",
    "onnx/model_quint8_avx2.onnx",
    "onnx/model_qint8_arm64.onnx",
    "onnx/model.onnx",
    "model_quantized.onnx",
    "model.onnx",
)
DATA_ENDINGS = ("_data", ".data")  # of files that hold the weights of a large graph
LISTED = (".json", ".onnx", *DATA_ENDINGS, ".onnx_data", ".md", ".gguf")


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """size: bytes, None where it is not told. sha256, blob: what the source says of the content; `blob` is
    the name that git gives it.
    """

    path: str
    size: int | None = None
    sha256: str = ""
    blob: str = ""

    @property
    def expected_hash(self) -> str:
        """By which the content is checked; "" where the source tells none."""
        return self.sha256 or self.blob


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """revision: the commit of the hub, else "". licence: as the source tells it, else ""."""

    files: tuple[SourceFile, ...]
    revision: str = ""
    licence: str = ""


@dataclass(slots=True, kw_only=True)
class Opened:
    """The content from byte `start` on. `version`: what tells it from a later content, if the source says."""

    start: int
    pieces: Iterator[bytes]
    size: int | None = None  # of the whole file
    version: str = ""


class Source(Protocol):
    """A place that has the files of one model."""

    place: str

    def listing(self) -> Listing:
        """Raises NotInstalled."""
        ...

    def opened(self, path: str, start: int, version: str) -> AbstractContextManager[Opened]:
        """From byte 0 where the source cannot begin elsewhere, or has another version by now.

        Raises NotInstalled, httpx.HTTPError, OSError.
        """
        ...


class FolderSource:
    """A folder on this machine, which may be a snapshot in somebody's cache of the hub."""

    def __init__(self, folder: Path) -> None:
        self.place, self._folder = str(folder), folder

    def listing(self) -> Listing:
        if not self._folder.is_dir():
            raise NotInstalled(said("{folder} is not a folder.", folder=str(self._folder)))
        paths = [Path(top, name) for top, _, names in _walked(self._folder) for name in names]
        files = [
            SourceFile(path=path.relative_to(self._folder).as_posix(), size=path.stat().st_size)
            for path in sorted(paths)
            if path.is_file() and path.suffix.lower() in LISTED
        ]
        card = self._folder / CARD
        text = card.read_bytes()[:LONGEST_CARD].decode(errors="replace") if card.is_file() else ""
        return Listing(files=tuple(files), licence=licence_of(text))

    @contextmanager
    def opened(self, path: str, start: int, version: str) -> Iterator[Opened]:
        with (self._folder / path).open("rb") as file:
            yield Opened(start=0, pieces=iter(lambda: file.read(PIECE), b""))


def licence_of(card: str) -> str:
    """What the head of a model's card says, such as "license: mit"; "" where it says nothing."""
    head = card.partition("---")[2].partition("\n---")[0] if card.startswith("---") else ""
    told = re.search(r"^license: *[\"']?([\w.+ -]{1,100}?)[\"']? *$", head, re.MULTILINE)
    return told[1] if told else ""


def _walked(folder: Path) -> Iterator[tuple[str, list[str], list[str]]]:
    """The folder and those in it, no deeper."""
    for top, folders, names in os.walk(folder):
        if Path(top) != folder:
            folders.clear()
        yield top, folders, names


class WebSource:
    """A file server with the names of the hub. Files that it does not list are asked for by name.

    `alone`: the graph is all that the model has.
    """

    def __init__(self, address: str, *, public_only: bool, graph: str = "", alone: bool = False) -> None:
        self.place, self._alone = address.rstrip("/"), alone
        self._public_only, self._graph = public_only, graph
        if not _is_web(address):
            raise NotInstalled(
                gettext("The address has to begin with https:// or http://, and a name behind it.")
            )

    def listing(self) -> Listing:
        graphs = (self._graph,) if self._graph else () if self._alone else USUAL_GRAPHS
        with (
            _failures_in_words(self.place),
            client(public_only=self._public_only) as web,
            within(LIST_PATIENCE, web),
        ):
            sums = {
                row[1].lstrip("*").removeprefix("./"): row[0].lower()
                for row in (line.split(maxsplit=1) for line in self._small(web, SUMS).splitlines())
                if len(row) == 2 and SHA256.fullmatch(row[0].lower())
            }
            licence = licence_of(self._small(web, CARD))
            ending = ".gguf" if self._alone else ".onnx"
            named = [name for name in sums if name.endswith(ending)] or graphs
            told = partial(self._file, web, sums)
            if self._alone:
                files = [told(path) for path in ([self._graph] if self._graph else named)]
                return Listing(files=tuple(file for file in files if file), licence=licence)
            files = [told(path) for path in (CONFIG, TOKENIZER, *OTHERS)]
            for graph in named:
                if file := told(graph):
                    files += [file, *(told(f"{graph}{ending}") for ending in DATA_ENDINGS)]
                    break
        return Listing(files=tuple(file for file in files if file), licence=licence)

    def _file(self, web: httpx.Client, sums: dict[str, str], path: str) -> SourceFile | None:
        with web.stream("GET", self._url(path)) as answer:
            if answer.status_code in (403, 404, 410):
                return None
            answer.raise_for_status()
            return SourceFile(path=path, size=_length(answer), sha256=sums.get(path, ""))

    def _small(self, web: httpx.Client, path: str) -> str:
        """The beginning of an optional text file."""
        with web.stream("GET", self._url(path)) as answer:
            if answer.status_code != 200:
                return ""
            return next(answer.iter_bytes(LONGEST_CARD), b"").decode(errors="replace")

    def _url(self, path: str) -> str:
        return f"{self.place}/{quote(path)}"

    @contextmanager
    def opened(self, path: str, start: int, version: str) -> Iterator[Opened]:
        with (
            client(public_only=self._public_only) as web,
            stream(web, self._url(path), start, version) as opened,
        ):
            yield opened


@contextmanager
def stream(
    web: httpx.Client, url: str, start: int, version: str, headers: dict[str, str] | None = None
) -> Iterator[Opened]:
    """Raises NotInstalled if asking again cannot help; httpx.HTTPError, TimeoutError if it may."""
    asked = {**(headers or {}), **AS_IT_IS}
    if start:
        asked |= {"range": f"bytes={start}-"} | ({"if-range": version} if version else {})
    name = url.rpartition("/")[2]
    try:
        with within(ANSWER_PATIENCE, web):
            answer = web.send(web.build_request("GET", url, headers=asked), stream=True)
        with closing(answer):
            if answer.status_code in (401, 403, 404, 410):
                raise NotInstalled(
                    said(
                        "{name} is not there (status {status_code}).",
                        name=name,
                        status_code=str(answer.status_code),
                    )
                )
            answer.raise_for_status()
            begins = _first_byte(answer)
            yield Opened(
                start=begins,
                pieces=answer.iter_bytes(),
                size=_length(answer, begins),
                version=_version(answer),
            )
    except NotPublic as error:
        raise NotInstalled(said("{name} is sent from an address that is not public.", name=name)) from error
    except TooLarge as error:
        raise NotInstalled(said("{name} is sent compressed, which was not asked for.", name=name)) from error
    except httpx.TooManyRedirects as error:
        raise NotInstalled(said("{name} is redirected too many times.", name=name)) from error


def _is_web(address: str) -> bool:
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


def _version(answer: httpx.Response) -> str:
    """A strong validator that can be sent back; a download cannot be resumed with a weak one."""
    tag = str(answer.headers.get("etag", ""))
    return "" if tag.startswith("W/") or not tag.isascii() else tag


def _first_byte(answer: httpx.Response) -> int:
    told = re.match(r"bytes (\d{1,18})-", answer.headers.get("content-range", ""))
    return int(told[1]) if answer.status_code == 206 and told else 0


def _length(answer: httpx.Response, begins: int = 0) -> int | None:
    """Bytes of the whole file."""
    told = answer.headers.get("content-length", "")
    return begins + int(told) if told.isdecimal() and "content-encoding" not in answer.headers else None


@contextmanager
def _failures_in_words(place: str) -> Iterator[None]:
    """Connection failures in words."""
    host = urlsplit(place).hostname or ""
    try:
        yield
    except NotPublic as error:
        raise NotInstalled(
            said(
                "{host} is not a public address. Use the command line to install from a private address.",
                host=host,
            )
        ) from error
    except TooLarge as error:
        raise NotInstalled(
            said("{host} sends its files compressed, which was not asked for.", host=host)
        ) from error
    except httpx.HTTPStatusError as error:
        raise NotInstalled(
            said("{host} answers with status {status}.", host=host, status=str(error.response.status_code)),
            transient=True,
        ) from error
    except (httpx.HTTPError, httpx.InvalidURL, UnicodeError, TimeoutError) as error:
        raise NotInstalled(
            said("{host} does not answer. Try again later.", host=host), transient=True
        ) from error
