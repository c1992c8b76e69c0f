"""Git repositories that are followed: at a server, Git's own on loopback, and on this one."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any

import psutil
import pytest
from django.core.exceptions import ValidationError

from accounts.models import User
from datasources.models import Datasource
from exchange.connectors import following, services
from exchange.connectors.kinds.kind import Kind
from exchange.connectors.models import Connector, Status
from exchange.connectors.sources import git_program, repository
from exchange.connectors.sources.folder import FolderSource
from exchange.connectors.sources.line import TooSlow
from exchange.connectors.sources.repository import GitSource
from exchange.connectors.sources.source import Entry, FileRefused, SourceError
from providers.connections.secrets import decrypted
from providers.connections.services import allow_owners
from tests.connectors.git_server import NAME, TOKEN, GitServer, Repository
from tests.connectors.looking import looked_at
from tests.loopback import Loopback, QuietHandler
from tests.processes import wait_until

LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n"


@pytest.fixture(autouse=True)
def _here(db: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    allow_owners(connect=False, private_addresses=False, private_connectors=True)
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))


@pytest.fixture
def matters(folder: Path) -> Repository:
    """In a folder that the operator has released."""
    made = Repository(folder / "matters")
    made.commit({"lease.txt": "Rent is due.", "Übersee/annex 1.txt": "Keys.", "notes/memo.txt": "Dear all"})
    return made


@pytest.fixture(params=["single files", "all at once"])
def server(matters: Repository, request: pytest.FixtureRequest) -> Iterator[GitServer]:
    """Those of today give single files; others send all."""
    matters.git("config", "uploadpack.allowFilter", str(request.param == "single files").lower())
    with GitServer(matters) as running:
        yield running


@pytest.fixture
def one(matters: Repository) -> Iterator[GitServer]:
    matters.git("config", "uploadpack.allowFilter", "true")
    with GitServer(matters) as running:
        yield running


def follow(datasource: Datasource, place: str, **how: Any) -> Connector:
    return services.connect(datasource, Kind.GIT, place, by=datasource.owner, **how)


def here(datasource: Datasource) -> dict[str, int]:
    return dict(datasource.documents.current().order_by("pk").values_list("filename", "version"))


def entries(place: str) -> list[Entry]:
    with closing(GitSource(place, "", "", lambda: False)) as source:
        return list(source.entries())


def refused(place: str) -> SourceError:
    with pytest.raises(SourceError) as error:
        entries(place)
    return error.value


def rooms() -> list[Path]:
    return list(Path(tempfile.gettempdir()).glob(f"{repository.FOLDER}*"))


def test_files_come_change_move_and_go(contracts: Datasource, matters: Repository, server: GitServer) -> None:
    connector = looked_at(follow(contracts, server.address))
    assert connector.error is None
    assert here(contracts) == {"lease.txt": 1, "memo.txt": 1, "annex 1.txt": 1}
    assert contracts.documents.get(filename="annex 1.txt").tags == ["Übersee"]
    annex = contracts.documents.get(filename="annex 1.txt").pk
    matters.commit(
        {"lease.txt": "Rent is due on the first.", "Übersee/annex 1.txt": None, "annex.txt": "Keys."}
    )
    matters.commit({"notes/memo.txt": None})
    assert looked_at(connector).error is None
    assert here(contracts) == {"annex.txt": 1, "lease.txt": 2}
    assert contracts.documents.get(filename="annex.txt").pk == annex, "it was renamed"
    assert rooms() == []


def test_a_branch_and_a_folder_in_it(matters: Repository, server: GitServer) -> None:
    matters.git("switch", "--quiet", "--create", "release/2.0")
    matters.commit({"lease.txt": None, "notes/new.txt": "New"})
    assert [entry.path for entry in entries(f"{server.address}#main")] == [
        "lease.txt",
        "notes/memo.txt",
        "Übersee/annex 1.txt",
    ]
    assert [entry.path for entry in entries(f"{server.address}#release/2.0:notes")] == ["memo.txt", "new.txt"]
    for nothing in ("#none", "#main:none", "#main:lease.txt"):
        assert refused(server.address + nothing).code == "no_branch"


def test_a_private_repository(contracts: Datasource, one: GitServer) -> None:
    one.secret = True
    connector = looked_at(follow(contracts, one.address, user_name=NAME, secret="wrong"))
    assert (connector.error_code, here(contracts)) == ("refused", {})
    assert refused(one.address).code == "refused"
    services.change(connector, secret=TOKEN)
    connector.refresh_from_db()
    assert TOKEN not in connector.encrypted_secret
    assert decrypted(connector.encrypted_secret) == TOKEN
    assert looked_at(connector).error is None
    assert len(here(contracts)) == 3


def test_the_token_is_in_no_command(one: GitServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands are seen by all accounts of a machine."""
    commands: list[str] = []
    popen = subprocess.Popen

    def noting(command: list[str], **how: Any) -> Any:
        commands.append(" ".join(command))
        return popen(command, **how)

    monkeypatch.setattr(git_program.subprocess, "Popen", noting)
    one.secret = True
    with closing(GitSource(one.address, NAME, TOKEN, lambda: False)) as source:
        assert list(source.entries())
    assert commands
    assert not any(TOKEN in command or "Basic" in command for command in commands)


def test_a_server_that_leads_elsewhere_is_not_followed(matters: Repository, one: GitServer) -> None:
    with GitServer(matters) as other:
        one.moved = f"http://127.0.0.1:{other._server.port}"
        assert refused(one.address).code == "moved"
        assert other.asked == []


def test_what_is_no_repository_says_so(one: GitServer) -> None:
    assert refused(one.address.replace("matters", "none")).code == "not_there"

    class Page(QuietHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<html>Sign in</html>")

    page = Loopback(Page)
    assert refused(f"http://127.0.0.1:{page.port}/x.git").code == "no_branch"
    page.stop()
    assert refused(f"http://127.0.0.1:{page.port}/x.git").code == "unreachable"


def test_a_server_that_is_away_deletes_nothing(contracts: Datasource, matters: Repository) -> None:
    with GitServer(matters) as server:
        connector = looked_at(follow(contracts, server.address))
    assert looked_at(connector).error_code == "unreachable"
    assert len(here(contracts)) == 3


def test_links_and_other_repositories_are_left_out(matters: Repository, server: GitServer) -> None:
    (matters.folder / "link.txt").symlink_to("/etc/passwd")
    blob = matters.git("rev-parse", "HEAD")
    matters.git("update-index", "--add", "--cacheinfo", f"160000,{blob},inner")
    matters.commit({"large.pdf": LFS})
    assert [entry.path for entry in entries(server.address)] == [
        "large.pdf",
        "lease.txt",
        "notes/memo.txt",
        "Übersee/annex 1.txt",
    ]
    with closing(GitSource(server.address, "", "", lambda: False)) as source:
        (large, *_) = source.entries()
        with pytest.raises(FileRefused, match="LFS"):
            source.fetch(large, BytesIO(), 1000)


def test_a_file_that_is_too_large_is_refused_alone(
    contracts: Datasource, matters: Repository, server: GitServer, settings: Any
) -> None:
    settings.MAX_UPLOAD_BYTES = 2**20
    matters.commit({"long.txt": "x" * 20 * 2**20})
    connector = looked_at(follow(contracts, server.address))
    assert connector.status == Status.IDLE
    assert "larger than" in connector.files.get(path="long.txt").refusal
    assert len(here(contracts)) == 3


def test_a_repository_that_is_too_large_ends_in_a_sentence(
    matters: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_program, "LARGEST", 200_000)
    (matters.folder / "noise.txt").write_bytes(os.urandom(2_000_000))
    matters.commit({})
    with GitServer(matters) as server:
        error = refused(server.address)
    assert (error.code, "larger than" in error.message) == ("too_large", True)
    assert rooms() == []


class Drips(QuietHandler):
    """For ever, but slowly."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/x-git-upload-pack-advertisement")
        self.end_headers()
        try:
            while True:
                self.wfile.write(b"0008xxxx")
                time.sleep(0.05)
        except OSError:
            return


@pytest.fixture
def drips() -> Iterator[str]:
    server = Loopback(Drips)
    yield f"http://127.0.0.1:{server.port}/x.git"
    server.stop()


def git_processes(place: str) -> list[psutil.Process]:
    return [
        each for each in psutil.process_iter(["cmdline"]) if place in " ".join(each.info["cmdline"] or [])
    ]


def test_a_server_that_drips_is_not_waited_for(drips: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repository, "LONGEST", 1)
    assert refused(drips).code == "slow"
    wait_until(lambda: not git_processes(drips), "the end of git")


def test_git_ends_with_a_worker_that_is_killed(drips: str) -> None:
    """With the programs that it has started."""
    looks = (
        "from svq_site.host.memory import load_apps; load_apps()\n"
        "from pathlib import Path; from exchange.connectors.sources.git_program import Git; import tempfile\n"
        f"git = Git(Path(tempfile.mkdtemp()), {{}}, 'http', lambda: False)\n"
        f"git.output('ls-remote', '--', {drips!r}, seconds=60)"
    )
    worker = subprocess.Popen([sys.executable, "-c", looks], env=os.environ)
    wait_until(lambda: len(git_processes(drips)) > 2, "git's start")
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    wait_until(lambda: not git_processes(drips), "the end of git")


def test_servers_of_a_private_network_are_not_reached(contracts: Datasource, one: GitServer) -> None:
    connector = follow(contracts, one.address)
    allow_owners(connect=True, private_addresses=True, private_connectors=False)
    assert looked_at(connector).error_code == "private"
    assert one.asked == []
    with pytest.raises(ValidationError, match="private network"):
        follow(contracts, "http://169.254.169.254/x.git")


def test_git_connects_to_the_address_that_was_looked_up(
    one: GitServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the name stands for by then: here it stands for nothing."""
    port = int(one.address.split(":")[2].split("/")[0])
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [(0, 0, 0, "", ("127.0.0.1", port))])
    assert len(entries(one.address.replace("127.0.0.1", "git.invalid"))) == 3


@pytest.mark.parametrize(
    "place",
    [
        "ext::sh -c id",
        "ssh://git@git.example/x.git",
        "git@git.example:x.git",
        "file:///etc",
        "-u./payload",
        "https://me:secret@git.example/x.git",
        "https://git.example/x.git?a=b",
        "https://git.example/x.git#--upload-pack=id",
        "https://git.example/x.git#a..b",
        "https://git.example/x.git#main:../etc",
        "https://git.example/x.git#main:notes%00",
        "https://git.example/x.git#main:notes%0a",
        "https://-git.example/x.git",
        "/etc",
    ],
)
def test_what_is_no_repository_is_refused(contracts: Datasource, place: str) -> None:
    with pytest.raises(ValidationError):
        follow(contracts, place)


def test_one_place_has_one_address(contracts: Datasource) -> None:
    allow_owners(connect=True, private_addresses=True, private_connectors=True)
    follow(contracts, "https://git.example:443/x.git#main:a/")
    with pytest.raises(ValidationError, match="connected already"):
        follow(contracts, "https://GIT.example/x.git#main:/a")
    follow(contracts, "https://git.example/x.git#main:b")


def test_a_repository_of_this_server(contracts: Datasource, chief: User, matters: Repository) -> None:
    connector = looked_at(services.connect(contracts, Kind.GIT, str(matters.folder), by=chief))
    assert connector.error is None
    assert len(here(contracts)) == 3
    matters.git("gc", "--quiet")
    matters.commit({"lease.txt": "Rent is due on the first."})
    assert looked_at(connector).error is None
    assert here(contracts)["lease.txt"] == 2
    chief.is_superuser = False
    chief.save()
    assert looked_at(connector).error_code == "no_access"


def test_owners_follow_no_repository_of_this_server(contracts: Datasource, matters: Repository) -> None:
    with pytest.raises(ValidationError, match="administrators"):
        follow(contracts, f"{matters.folder}#main")


def test_a_repository_of_this_server_leads_nowhere_else(
    matters: Repository, tmp_path: Path, chief: User
) -> None:
    """Neither to objects elsewhere, nor to a program."""
    secret = Repository(tmp_path / "secret")
    secret.commit({"secret.txt": "Nobody is to read this."})
    tip, git = secret.git("rev-parse", "HEAD"), matters.folder / ".git"
    (git / "objects/info/alternates").write_text(str(secret.folder / ".git/objects"))
    ran = tmp_path / "ran"
    with (git / "config").open("a") as config:
        config.write(f'[core]\n\tfsmonitor = "touch {ran}"\n\thooksPath = {tmp_path}\n')
    (git / "refs/heads/main").write_text(f"{tip}\n")
    assert refused(str(matters.folder)).code in ("unreachable", "no_branch")
    assert not ran.exists()
    (git / "refs/heads/main").unlink()
    (git / "refs/heads/main").symlink_to(secret.folder / ".git/refs/heads/main")
    refused(str(matters.folder))


def test_a_server_without_git_says_so(one: GitServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_program, "_version", lambda: (2, 34))
    error = refused(one.address)
    assert (error.code, "no Git 2.37 or newer" in error.message) == ("no_git", True)


@pytest.mark.parametrize("kind", ["blob", "commit"])
def test_a_few_trees_that_hold_millions_of_files_end_in_a_sentence(
    contracts: Datasource, matters: Repository, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Trees in trees, each ten times; with a commit at their ends there is no file at all."""
    monkeypatch.setattr(repository, "LONGEST", 5 if kind == "blob" else 1)
    end = matters.git("hash-object", "-w", "--stdin", said=b"x") if kind == "blob" else "1" * 40
    row, mode = f"{end}\tf{{}}.txt\n", "100644" if kind == "blob" else "160000"
    tree = matters.git(
        "mktree", "--missing", said="".join(f"{mode} {kind} {row.format(n)}" for n in range(10)).encode()
    )
    for _ in range(9):
        rows = "".join(f"040000 tree {tree}\td{n}\n" for n in range(10))
        tree = matters.git("mktree", said=rows.encode())
    matters.git("update-ref", "refs/heads/main", matters.git("commit-tree", tree, "-m", "x"))
    with GitServer(matters) as server:
        connector = follow(contracts, server.address)
        services.look_now(connector)
        following.carry_on(connector.pk)
    connector.refresh_from_db()
    assert connector.error_code == ("many_files" if kind == "blob" else "slow")
    assert rooms() == []


def test_a_slow_file_is_left_out_alone(
    contracts: Datasource, matters: Repository, chief: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = GitSource._copy

    def slowly(git: Any, version: str, *asked: Any) -> None:
        if version == slow:
            raise TooSlow
        copy(git, version, *asked)

    slow = next(entry.version for entry in entries(str(matters.folder)) if entry.path == "lease.txt")
    monkeypatch.setattr(GitSource, "_copy", staticmethod(slowly))
    connector = looked_at(services.connect(contracts, Kind.GIT, str(matters.folder), by=chief))
    assert (connector.error, len(here(contracts))) == (None, 2)
    assert "too slowly" in connector.files.get(path="lease.txt").refusal


def test_an_address_of_ipv6_is_no_name_to_be_told() -> None:
    with closing(GitSource("http://[::1]:8080/a.git", "", "", lambda: False)) as source:
        assert source._of_server() == {"remote.origin.url": "http://[::1]:8080/a.git"}


def test_git_that_is_installed_meanwhile_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker has to be started again."""
    here = os.environ["PATH"]
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SourceError, match="no Git"):
        git_program.check_git()
    monkeypatch.setenv("PATH", here)
    git_program.check_git()


def test_a_push_meanwhile_is_whole_or_not_there(
    contracts: Datasource, chief: User, matters: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The branch never names what was not copied."""
    fetch = FolderSource.fetch

    def pushed(source: FolderSource, entry: Entry, *asked: Any) -> str:
        if entry.path == "refs/heads/main":
            monkeypatch.setattr(FolderSource, "fetch", fetch)
            matters.commit({"pushed.txt": "Meanwhile."})
        return fetch(source, entry, *asked)

    monkeypatch.setattr(FolderSource, "fetch", pushed)
    assert "pushed.txt" in {entry.path for entry in entries(str(matters.folder))}


def test_a_repository_of_this_server_may_be_too_large(
    contracts: Datasource, chief: User, matters: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repository, "LARGEST", 10)
    error = refused(str(matters.folder))
    assert (error.code, error.message) == ("too_large", repository.TOO_LARGE)
