"""A branch of a Git repository, or a folder in it: at a server, or on this one.

Of the branch its newest commit alone is fetched, and of that the list of its files; each file when it is
needed, if the server gives single ones. Nothing is checked out.
"""

import base64
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO
from urllib.parse import urlsplit

from connectors.sources.folder import FolderSource
from connectors.sources.git_program import LARGEST, Git, GitFailed
from connectors.sources.line import TooSlow
from connectors.sources.places import parts_of
from connectors.sources.server_address import address_of
from connectors.sources.source import (
    LONGEST_PATH,
    USUAL_PORTS,
    Entry,
    FileRefused,
    NotGiven,
    SourceError,
    keep,
)
from connectors.sources.web import FILE_SECONDS, LONGEST, UNREACHABLE

FOLDER = "svq-git-"  # what the names of the folders begin with
TIP = "refs/followed/tip"
LFS = b"version https://git-lfs.github.com/spec/"
_FILES = (b"100644", b"100755", b"100664")
# What is taken of a repository on this server: no settings, no hooks, no way to objects elsewhere.
_TAKEN = re.compile(
    r"HEAD|packed-refs|shallow|refs/heads/[\w./+-]+"
    r"|objects/[0-9a-f]{2}/[0-9a-f]{38}|objects/pack/pack-[0-9a-f]{40}\.(pack|idx)"
)
TOO_LARGE = "The repository is larger than the 1 GB that SVQ fetches, or damaged."
# What git says, with the code and the words for people. The first that fits counts.
_FAILURES = (
    ("No space left", "no_room", "This server has not enough disk space to fetch the repository."),
    (
        r"index-pack output|signal 25|File too large|out of memory",
        "too_large",
        TOO_LARGE,
    ),
    (
        r"find remote ref|not a valid object name|not a tree object",
        "no_branch",
        "It has no such branch or folder, or is no Git repository.",
    ),
    (
        r"Authentication failed|could not read Username|error: 40[13]",
        "refused",
        "The server refuses this name and token, or asks for one.",
    ),
    (
        r"not found|error: 4(04|10)",
        "not_there",
        "There is no repository at this address, or you may not see it.",
    ),
    (
        r"error: 3\d\d|redirect",
        "moved",
        "The server says that the repository has moved. Give its new address; many end with .git.",
    ),
    (r"SSL|certificate", "certificate", "The server's certificate is not valid."),
)


class GitSource:
    """place: address or path, then, if anything, `#branch` or `#branch:folder`."""

    def __init__(self, place: str, user_name: str, secret: str, should_stop: Callable[[], bool]) -> None:
        self._address, self._branch, self._below = parts_of(place)
        self._user_name, self._secret, self._should_stop = user_name, secret, should_stop
        self._is_here = self._address.startswith("/")
        self._room: TemporaryDirectory[str] | None = None
        self._git: Git | None = None
        self._tip = TIP
        self._not_given = NotGiven()

    def entries(self) -> Iterator[Entry]:
        with self._explained():
            git = self._opened()
            tree = f"{self._tip}:{self._below}"
            with closing(git.blocks("ls-tree", "-r", "-z", "--full-tree", tree, seconds=LONGEST)) as listing:
                for told, path in _rows(listing):
                    mode, kind, version = told.split(b" ")
                    if kind == b"blob" and mode in _FILES:  # no links, no other repositories
                        yield _entry(path, version.decode("ascii"))

    def fetch(self, entry: Entry, file: BinaryIO, most: int) -> str:
        try:
            with self._not_given.counting(), self._explained():
                git = self._opened()
                before = self._packs()
                try:
                    self._copy(git, entry.version, file, most)
                finally:
                    for pack in self._packs() - before:  # of this file alone
                        pack.unlink()
        except SourceError as error:
            if error.code in ("too_large", "no_branch", "not_there"):
                raise FileRefused("The repository does not give it.") from None
            raise
        return ""

    @staticmethod
    def _copy(git: Git, version: str, file: BinaryIO, most: int) -> None:
        with closing(git.blocks("cat-file", "blob", version, seconds=FILE_SECONDS)) as blocks:
            first = next(blocks, b"")
            if first.startswith(LFS):
                raise FileRefused("It is kept by Git LFS, which SVQ does not fetch.")
            keep(chain([first], blocks), file, most)

    def close(self) -> None:
        if self._room is not None:
            self._room.cleanup()
            self._room = self._git = None

    # --- the repository, in a folder of its own ----------------------------------------------------------
    def _opened(self) -> Git:
        """Raises SourceError, GitFailed, TooSlow."""
        if self._git is not None:
            return self._git
        self._room = TemporaryDirectory(prefix=FOLDER, ignore_cleanup_errors=True)
        told = {} if self._is_here else self._of_server()
        protocol = "none" if self._is_here else self._address.partition(":")[0]
        git = Git(Path(self._room.name), told, protocol, self._should_stop)
        git.told("init", "--quiet", "--bare", "--template=", ".", seconds=LONGEST)
        if self._is_here:
            self._tip = f"refs/heads/{self._branch}" if self._branch else "HEAD"
            self._take_over()
        else:
            wanted = f"refs/heads/{self._branch}" if self._branch else "HEAD"
            options = ("--quiet", "--depth=1", "--filter=blob:none", "--no-tags", "--no-write-fetch-head")
            git.told("fetch", *options, "--", "origin", f"+{wanted}:{TIP}", seconds=LONGEST)
        self._git = git
        return git

    def _of_server(self) -> Mapping[str, str]:
        """Git connects to the address that was looked up here, whatever its name stands for by then."""
        parts = urlsplit(self._address)
        host, port = str(parts.hostname), parts.port or USUAL_PORTS[parts.scheme]
        looked_up = address_of(host, port, unknown="There is no connection to the server.")
        first = f"[{looked_up}]" if ":" in looked_up else looked_up
        told = {"remote.origin.url": self._address}
        if ":" not in host:  # an address of IPv6 stands for itself, and can't be written there
            told["http.curloptResolve"] = f"{host}:{port}:{first}"
        if self._user_name or self._secret:
            pair = base64.b64encode(f"{self._user_name}:{self._secret}".encode()).decode()
            told["http.extraHeader"] = f"Authorization: Basic {pair}"
        return told

    def _take_over(self) -> None:
        """A copy of what a repository on this server has, without links: whoever may write there could lead
        to what lies elsewhere, or have a program run. Raises SourceError.
        """
        assert self._room is not None
        room, size, source = Path(self._room.name), 0, FolderSource(self._repository())
        for entry in self._references_first():
            if self._should_stop():
                raise TooSlow
            if not _TAKEN.fullmatch(entry.path) or ".." in entry.path:
                continue
            if size + (entry.size or 0) > LARGEST:
                raise SourceError("too_large", TOO_LARGE)
            copy = room / entry.path
            copy.parent.mkdir(parents=True, exist_ok=True)
            with copy.open("wb") as file:
                try:
                    source.fetch(entry, file, LARGEST - size)
                except FileRefused as refusal:
                    raise SourceError(
                        "unreadable", f"The repository can't be copied: {refusal.message}"
                    ) from None
            size += copy.stat().st_size

    def _references_first(self) -> Iterator[Entry]:
        """Listed after them, the objects have all that they name, also where somebody pushes meanwhile."""
        for are_objects in (False, True):
            for entry in FolderSource(self._repository()).entries():
                if entry.path.startswith("objects/") == are_objects:
                    yield entry

    def _repository(self) -> str:
        """With or without files beside it."""
        try:
            beside = Path(self._address) / ".git"
            return str(beside if beside.is_dir() else self._address)
        except OSError:
            return self._address

    def _packs(self) -> set[Path]:
        assert self._room is not None
        return set((Path(self._room.name) / "objects" / "pack").glob("pack-*"))

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Raises SourceError for what git says."""
        try:
            yield
        except TooSlow:
            raise SourceError(
                "slow", "The server answers too slowly, or the repository is too large."
            ) from None
        except GitFailed as failure:
            for words, code, message in _FAILURES:
                if re.search(words, failure.said, re.IGNORECASE):
                    raise SourceError(code, message) from None
            away = "There is no connection to the server, or it does not speak Git."
            here = "There is no Git repository in this folder, or it is damaged."
            raise SourceError(UNREACHABLE, here if self._is_here else away) from None


def _rows(blocks: Iterator[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """What is said of each file, and its path."""
    left = b""
    for block in blocks:
        *whole, left = (left + block).split(b"\0")
        if len(left) > 2**20:
            raise SourceError("unreadable", "A path in the repository is too long.")
        for row in whole:
            told, _, path = row.partition(b"\t")
            yield told, path


def _entry(path: bytes, version: str) -> Entry:
    name = path.decode("utf-8", "replace")
    is_text = name.encode("utf-8", "replace") == path
    return Entry(
        path=name[: LONGEST_PATH + 1],  # longer ones are left out
        version=version,
        refusal="" if is_text else "Its name is not in UTF-8. Give it another one.",
    )
