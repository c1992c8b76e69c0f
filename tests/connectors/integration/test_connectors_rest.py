"""Connected folders over REST and on their pages."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from datasources.models import Datasource, Membership, Role
from exchange.connectors import following, services
from exchange.connectors.kinds.kind import Kind
from exchange.connectors.kinds.registry import ALL
from exchange.connectors.models import Connector, Status
from exchange.connectors.sources import site as sites
from providers.connections.secrets import decrypted
from providers.connections.services import allow_owners
from tests.connectors.git_server import GitServer, Repository
from tests.connectors.site_server import SiteServer, page
from tests.connectors.webdav_server import NAME, PASSWORD, WebDavServer
from tests.people import browser_of
from tests.responses import text_of
from tests.rest import Api

ASKED = {"kind": "webdav", "user_name": NAME, "secret": PASSWORD, "every": 15}


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[dict[str, Any]]:
    """Of a server that can be looked at."""
    allow_owners(connect=False, private_addresses=False, private_connectors=True)
    (tmp_path / "cloud").mkdir()
    with WebDavServer(tmp_path / "cloud") as server:
        yield ASKED | {"place": server.address}


@pytest.fixture
def place(contracts: Datasource) -> str:
    return f"data-sources/{contracts.pk}/connectors"


def test_it_is_made_changed_and_disconnected_by_a_program(
    alice: User, place: str, asked: dict[str, Any]
) -> None:
    owner = Api(alice)
    made = owner.post(place, asked)
    assert made.status_code == 201, made.content
    told = made.json()
    assert (told["place"], told["every"], told["deletes"], told["status"]) == (
        asked["place"],
        15,
        True,
        "queued",
    )
    assert "secret" not in told
    assert decrypted(Connector.objects.get().encrypted_secret) == PASSWORD
    one = f"{place}/{told['id']}"
    assert owner.get(place).json()["results"] == [owner.get(one).json()]
    off = owner.send("PATCH", one, {"is_on": False, "deletes": False}).json()
    assert (off["is_on"], off["deletes"]) == (False, False)
    assert owner.post(f"{one}/look").json()["code"] == "off"
    assert owner.send("PATCH", one, {"is_on": True}).json()["status"] == "queued"
    for name, value in (("place", "https://dav.example/other"), ("kind", "s3")):
        refused = owner.send("PATCH", one, {name: value, "every": 60})
        assert refused.status_code == 400
        assert name in str(refused.json()), "named, and not left out"
    told = owner.get(one).json()
    assert (told["place"], told["every"]) == (asked["place"], 15)
    assert owner.send("PATCH", one, told).status_code == 200, "it can be sent back whole"
    assert owner.post(f"{one}/look").status_code == 202
    assert owner.send("DELETE", one).status_code == 204
    assert not Connector.objects.exists()


def test_a_program_sees_what_became_of_each_file(
    alice: User, place: str, connected: Callable[..., Connector], folder: Path
) -> None:
    (folder / "lease.txt").write_text("Rent is due.")
    (folder / "clip.mp4").write_text("no film")
    connector = connected()
    following.carry_on(connector.pk)
    files = Api(alice).get(f"{place}/{connector.pk}/files").json()["results"]
    assert [file["path"] for file in files] == ["clip.mp4", "lease.txt"]
    assert files[0]["document"] is None
    assert "cannot read" in files[0]["refusal"]
    assert (files[1]["document"] is not None, files[1]["refusal"]) == (True, "")


@pytest.mark.parametrize(
    "wrong",
    [{"kind": "ftp"}, {"every": 7}, {"place": "dav.example"}, {"colour": "red"}, {"kind": "folder"}],
)
def test_what_makes_no_sense_is_refused(alice: User, place: str, wrong: dict[str, Any]) -> None:
    given = ASKED | {"place": "https://dav.example/leases"} | wrong
    assert Api(alice).post(place, given).status_code == 400
    assert not Connector.objects.exists()


def test_an_owner_connects_a_folder_on_its_page(
    alice: User, contracts: Datasource, asked: dict[str, Any]
) -> None:
    browser = browser_of(alice)
    page = reverse("connectors", args=[contracts.pk])
    assert "A folder of this server" not in text_of(browser.get(page)), "that is for administrators"
    refused = browser.post(page, asked | {"place": "nowhere"})
    assert refused.status_code == 422
    assert "Give an address that begins with" in text_of(refused)
    assert 'value="nowhere"' in refused.content.decode()
    made = browser.post(page, asked, follow=True)
    assert asked["place"] in text_of(made)
    assert "sesame" not in made.content.decode()
    assert Connector.objects.get().deletes is False, "the box was not ticked"


def test_its_page_says_what_failed_and_what_to_do(
    alice: User, contracts: Datasource, connected: Callable[..., Connector], folder: Path
) -> None:
    (folder / "lease.txt").write_text("Rent is due.")
    (folder / "clip.mp4").write_text("no film")
    connector = connected()
    browser, page = browser_of(alice), reverse("connector", args=[contracts.pk, connector.pk])
    following.carry_on(connector.pk)
    text = text_of(browser.get(page))
    assert "Up to date" in text
    assert "1 document from there, 1 file not added." in text
    assert "clip.mp4" in text
    for file in folder.iterdir():
        file.unlink()
    browser.post(page, {"action": "look"})
    following.carry_on(connector.pk)
    assert "The files of 1 document are no longer there. No document was deleted." in text_of(
        browser.get(page)
    )
    assert "Delete 1 document?" in text_of(browser.get(page + "?ask=let_go"))
    rest = f"data-sources/{contracts.pk}/connectors/{connector.pk}/look"
    assert Api(alice).post(rest, {"may_go": 2}).json()["code"] == "gone_changed"
    assert "answer again" in text_of(browser.post(page, {"action": "let_go", "may_go": "2"}, follow=True))
    browser.post(page, {"action": "let_go", "may_go": "1"})
    following.carry_on(connector.pk)
    connector.refresh_from_db()
    assert connector.status == Status.IDLE
    assert not contracts.documents.current().exists()
    browser.post(page, {"action": "save", "every": "1440"})
    connector.refresh_from_db()
    assert (connector.every, connector.deletes) == (1440, False)
    assert "Its documents stay here" in text_of(browser.get(page + "?ask=disconnect"))
    browser.post(page, {"action": "disconnect"})
    assert not Connector.objects.exists()


@pytest.fixture
def others(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """A site and a repository, by their kinds."""
    settings.FETCH_WEB_PAGES = True
    monkeypatch.setattr(sites, "GAP", 0.0)
    allow_owners(connect=False, private_addresses=False, private_connectors=True)
    repository = Repository(tmp_path / "matters")
    repository.commit({"notes/lease.txt": "Rent is due."})
    with SiteServer() as site, GitServer(repository) as git:
        site.pages["/help"] = page("Help", "How rent is paid.")
        yield {"site": f"{site.address}/help", "git": f"{git.address}#main:notes"}


@pytest.mark.parametrize(("kind", "asks_password"), [("site", False), ("git", True)])
def test_sites_and_repositories_are_connected_as_folders_are(
    alice: User,
    contracts: Datasource,
    place: str,
    others: dict[str, str],
    kind: str,
    asks_password: bool,
) -> None:
    browser, page, given = browser_of(alice), reverse("connectors", args=[contracts.pk]), others[kind]
    form = browser.get(f"{page}?kind={kind}").content.decode()
    assert ('name="secret"' in form) is asks_password
    made = browser.post(page, {"kind": kind, "place": given, "every": 60}, follow=True)
    assert given in text_of(made)
    told = Api(alice).get(place).json()["results"]
    assert [(row["kind"], row["place"]) for row in told] == [(kind, given)]
    assert Api(alice).post(place, {"kind": kind, "place": given}).status_code == 400, "it is there already"
    assert Api(alice).post(place, {"kind": kind, "place": "/etc"}).status_code == 400


@pytest.mark.parametrize(
    ("kind", "end", "said"),
    [
        ("site", "/nowhere", "There is no such page at the site (HTTP 404)."),
        ("git", "#other", "It has no such branch."),
    ],
)
def test_what_cannot_be_looked_at_is_not_kept(
    alice: User, place: str, others: dict[str, str], kind: str, end: str, said: str
) -> None:
    given = others[kind].partition("#")[0] + end
    refused = Api(alice).post(place, {"kind": kind, "place": given})
    assert refused.status_code == 400
    told = refused.json()
    assert f"{told['message']} {told['hint']}" == f"{said} Nothing was saved."
    assert not Connector.objects.exists()


def test_a_server_that_is_away_or_refuses_is_not_kept(alice: User, place: str, asked: dict[str, Any]) -> None:
    owner = Api(alice)
    for wrong in (
        {"place": "http://127.0.0.1:9/dav"},
        {"secret": "wrong"},
        {"place": f"{asked['place']}/no"},
    ):
        assert owner.post(place, asked | wrong).status_code == 400
    bucket = {"kind": "s3", "place": asked["place"]}
    assert "does not speak S3" in str(owner.post(place, bucket).json()) or not Connector.objects.exists()
    assert not Connector.objects.exists()


def test_the_form_says_how_a_repository_is_narrowed(alice: User, contracts: Datasource) -> None:
    form = text_of(browser_of(alice).get(f"{reverse('connectors', args=[contracts.pk])}?kind=git"))
    assert "#branch:folder for a folder of it" in form


def test_each_kind_is_declared_once() -> None:
    assert sorted(each.kind for each in ALL) == sorted(Kind)
    names = {name for each in ALL for name in each.asks}
    assert names <= {"secret", *services.TEXTS}
    assert all(each.needed <= each.asks.keys() for each in ALL)


def test_an_owner_sets_how_often_an_administrators_folder_is_looked_at(
    bob: User, contracts: Datasource, connected: Callable[..., Connector]
) -> None:
    """From which no file has come yet: its address is in the form, as it was."""
    connector = connected()
    Membership.objects.filter(datasource=contracts, user=bob).update(role=Role.OWNER)
    page = reverse("connector", args=[contracts.pk, connector.pk])
    given = {"action": "save", "place": connector.place, "every": 1440, "deletes": "on"}
    assert "Saved." in text_of(browser_of(bob).post(page, given, follow=True))
    connector.refresh_from_db()
    assert connector.every == 1440


def test_a_mail_folder_is_not_dialled_for_how_often_it_is_looked_at(contracts: Datasource) -> None:
    connector = services.connect(
        contracts, "imap", "imaps://mail.nowhere.invalid/INBOX", by=contracts.owner, user_name="a", secret="b"
    )
    page = reverse("connector", args=[contracts.pk, connector.pk])
    given = {"action": "save", "place": connector.place, "user_name": "a", "secret": "", "every": 1440}
    browser = browser_of(contracts.owner)
    assert "Saved." in text_of(browser.post(page, given, follow=True))
    refused = text_of(browser.post(page, given | {"secret": "another"}))
    assert "No server with the name mail.nowhere.invalid is known. Nothing was saved." in refused
    one = f"data-sources/{contracts.pk}/connectors/{connector.pk}"
    assert Api(contracts.owner).send("PATCH", one, {"user_name": "carol"}).status_code == 400
    assert Api(contracts.owner).send("PATCH", one, {"every": 60}).status_code == 200
