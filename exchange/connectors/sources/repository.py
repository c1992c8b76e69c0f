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
from typing import BinaryIO
from urllib.parse import urlsplit

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from exchange.connectors.sources.folder import FolderSource
from exchange.connectors.sources.git_program import LARGEST, Git, GitFailed
from exchange.connectors.sources.held_folder import HeldFolder
from exchange.connectors.sources.line import TooSlow
from exchange.connectors.sources.places import parts_of
from exchange.connectors.sources.server_address import address_of
from exchange.connectors.sources.source import (
    LONGEST_PATH,
    USUAL_PORTS,
    Entry,
    FileRefused,
    NotGiven,
    SourceError,
    keep,
)
from exchange.connectors.sources.web import FILE_SECONDS, LONGEST, UNREACHABLE
from localization.stored import sentences

FOLDER = "svq-git-"  # what the names of the folders begin with
TIP = "refs/followed/tip"
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
LFS = b"version https://git-lfs.github.com/spec/"
_FILES = (b"100644", b"100755", b"100664")
# What is taken of a repository on this server: no settings, no hooks, no way to objects elsewhere.
_TAKEN = re.compile(
    r"HEAD|packed-refs|shallow|refs/heads/[\w./+-]+"
    r"|objects/[0-9a-f]{2}/[0-9a-f]{38}|objects/pack/pack-[0-9a-f]{40}\.(pack|idx)"
)
TOO_LARGE = gettext_noop("The repository is larger than the 1 GB that SVQ fetches, or damaged.")
# What git says, with the code and the words for people. The first that fits counts.
_FAILURES = (
    (
        "No space left",
        "no_room",
        gettext_noop("This server has not enough disk space to fetch the repository."),
    ),
    (
        r"index-pack output|signal 25|File too large|out of memory",
        "too_large",
        TOO_LARGE,
    ),
    (
        r"find remote ref|not a valid object name|not a tree object",
        "no_branch",
        gettext_noop("It has no such branch or folder, or is not a Git repository."),
    ),
    (
        r"Authentication failed|could not read Username|error: 40[13]",
        "refused",
        gettext_noop("The server refuses this name and token, or asks for one."),
    ),
    (
        r"not found|error: 4(04|10)",
        "not_there",
        gettext_noop("There is no repository at this address, or you may not see it."),
    ),
    (
        r"error: 3\d\d|redirect",
        "moved",
        gettext_noop(
            "The server says that the repository has moved. Give its new address; many end with .git."
        ),
    ),
    (r"SSL|certificate", "certificate", gettext_noop("The server's certificate is not valid.")),
)


class GitSource:
    """place: address or path, then, if anything, `#branch` or `#branch:folder`."""

    def __init__(self, place: str, user_name: str, secret: str, should_stop: Callable[[], bool]) -> None:
        self._address, self._branch, self._below = parts_of(place)
        self._user_name, self._secret, self._should_stop = user_name, secret, should_stop
        self._is_here = self._address.startswith("/")
        self._folder: HeldFolder | None = None
        self._git: Git | None = None
        self._tip = TIP
        self._not_given = NotGiven()

    def try_it(self) -> None:
        """Whether there is such a branch. Of a server that is asked alone, and nothing is fetched."""
        with self._explained():
            if self._is_here:
                self._opened()
                return
            wanted = f"refs/heads/{self._branch}" if self._branch else "HEAD"
            git = self._made()
            if not git.output("ls-remote", "--", "origin", wanted, seconds=LONGEST).strip():
                raise SourceError("no_branch", _("It has no such branch."))

    def entries(self) -> Iterator[Entry]:
        with self._explained():
            git = self._opened()
            tree = f"{self._tip}:{self._below}"
            with closing(git.blocks("ls-tree", "-r", "-z", "--full-tree", tree, seconds=LONGEST)) as listing:
                for row, path in _rows(listing):
                    mode, kind, version = row.split(b" ")
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
                raise FileRefused(_("The repository does not give it.")) from None
            raise
        return ""

    @staticmethod
    def _copy(git: Git, version: str, file: BinaryIO, most: int) -> None:
        with closing(git.blocks("cat-file", "blob", version, seconds=FILE_SECONDS)) as blocks:
            first = next(blocks, b"")
            if first.startswith(LFS):
                raise FileRefused(_("It is kept by Git LFS, which SVQ does not fetch."))
            keep(chain([first], blocks), file, most)

    def close(self) -> None:
        if self._folder is not None:
            self._folder.remove()
            self._folder = self._git = None

    # --- the repository, in a folder of its own ----------------------------------------------------------
    def _opened(self) -> Git:
        """Raises SourceError, GitFailed, TooSlow."""
        if self._git is not None:
            return self._git
        git = self._made()
        if self._is_here:
            self._tip = f"refs/heads/{self._branch}" if self._branch else "HEAD"
            self._take_over()
        else:
            wanted = f"refs/heads/{self._branch}" if self._branch else "HEAD"
            options = ("--quiet", "--depth=1", "--filter=blob:none", "--no-tags", "--no-write-fetch-head")
            git.output("fetch", *options, "--", "origin", f"+{wanted}:{TIP}", seconds=LONGEST)
        self._git = git
        return git

    def _made(self) -> Git:
        """An empty repository, which knows the server."""
        self.close()
        self._folder = HeldFolder(FOLDER)
        settings = {} if self._is_here else self._of_server()
        protocol = "none" if self._is_here else self._address.partition(":")[0]
        git = Git(self._folder.path, settings, protocol, self._should_stop)
        git.output("init", "--quiet", "--bare", "--template=", ".", seconds=LONGEST)
        return git

    def _of_server(self) -> Mapping[str, str]:
        """Git connects to the address that was looked up here, whatever its name stands for by then."""
        parts = urlsplit(self._address)
        host, port = str(parts.hostname), parts.port or USUAL_PORTS[parts.scheme]
        looked_up = address_of(host, port, unknown=_("There is no connection to the server."))
        first = f"[{looked_up}]" if ":" in looked_up else looked_up
        settings = {"remote.origin.url": self._address}
        if ":" not in host:  # an address of IPv6 stands for itself, and can't be written there
            settings["http.curloptResolve"] = f"{host}:{port}:{first}"
        if self._user_name or self._secret:
            pair = base64.b64encode(f"{self._user_name}:{self._secret}".encode()).decode()
            settings["http.extraHeader"] = f"Authorization: Basic {pair}"
        return settings

    def _take_over(self) -> None:
        """A copy of what a repository on this server has, without links: whoever may write there could lead
        to what lies elsewhere, or have a program run. Raises SourceError.
        """
        assert self._folder is not None
        target, size, source = self._folder.path, 0, FolderSource(self._repository())
        for entry in self._references_first():
            if self._should_stop():
                raise TooSlow
            if not _TAKEN.fullmatch(entry.path) or ".." in entry.path:
                continue
            if size + (entry.size or 0) > LARGEST:
                raise SourceError("too_large", _(TOO_LARGE))
            copy = target / entry.path
            copy.parent.mkdir(parents=True, exist_ok=True)
            with copy.open("wb") as file:
                try:
                    source.fetch(entry, file, LARGEST - size)
                except FileRefused as refusal:
                    raise SourceError(
                        "unreadable", sentences(_("The repository can't be copied."), refusal.message)
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
        assert self._folder is not None
        return set((self._folder.path / "objects" / "pack").glob("pack-*"))

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Raises SourceError for what git says."""
        try:
            yield
        except TooSlow:
            raise SourceError(
                "slow", _("The server answers too slowly, or the repository is too large.")
            ) from None
        except GitFailed as failure:
            for words, code, message in _FAILURES:
                if re.search(words, failure.said, re.IGNORECASE):
                    raise SourceError(code, _(message)) from None
            away = _("There is no connection to the server, or it does not speak Git.")
            here = _("There is no Git repository in this folder, or it is damaged.")
            raise SourceError(UNREACHABLE, here if self._is_here else away) from None


def _rows(blocks: Iterator[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """What is said of each file, and its path."""
    left = b""
    for block in blocks:
        *whole, left = (left + block).split(b"\0")
        if len(left) > 2**20:
            raise SourceError("unreadable", _("A path in the repository is too long."))
        for row in whole:
            described, _tab, path = row.partition(b"\t")
            yield described, path


def _entry(path: bytes, version: str) -> Entry:
    name, refusal = path.decode("utf-8", "replace"), ""
    if name.encode("utf-8", "replace") != path:
        refusal = _("Its name is not in UTF-8. Give it another one.")
    elif _CONTROLS.search(name):
        name, refusal = (
            _CONTROLS.sub("\ufffd", name),
            _("Its name has control characters. Give it another one."),
        )
    return Entry(path=name[: LONGEST_PATH + 1], version=version, refusal=refusal)  # longer ones are left out
