"""Connected folders over REST and on their pages."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from connectors import following, services
from connectors.models import Connector, Status
from datasources.models import Datasource, Membership, Role
from providers.connections.secrets import decrypted
from tests.people import browser_of
from tests.responses import text_of
from tests.rest import Api

ASKED = {
    "kind": "webdav",
    "place": "https://dav.example/leases",
    "user_name": "alice",
    "secret": "open sesame ",
    "every": 15,
}


@pytest.fixture
def place(contracts: Datasource) -> str:
    return f"data-sources/{contracts.pk}/connectors"


def test_it_is_made_changed_and_disconnected_by_a_program(alice: User, place: str) -> None:
    owner = Api(alice)
    made = owner.post(place, ASKED)
    assert made.status_code == 201, made.content
    told = made.json()
    assert (told["place"], told["every"], told["deletes"], told["status"]) == (
        ASKED["place"],
        15,
        True,
        "queued",
    )
    assert "secret" not in told
    assert decrypted(Connector.objects.get().encrypted_secret) == ASKED["secret"], "to the last space"
    one = f"{place}/{told['id']}"
    assert owner.get(place).json()["results"] == [owner.get(one).json()]
    off = owner.send("PATCH", one, {"is_on": False, "deletes": False}).json()
    assert (off["is_on"], off["deletes"]) == (False, False)
    assert owner.post(f"{one}/look").json()["code"] == "off"
    assert owner.send("PATCH", one, {"is_on": True}).json()["status"] == "queued"
    kept = owner.send("PATCH", one, {"place": "https://dav.example/other"}).json()
    assert kept["place"] == ASKED["place"], "another folder is another connector"
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
    "asked",
    [{"kind": "ftp"}, {"every": 7}, {"place": "dav.example"}, {"colour": "red"}, {"kind": "folder"}],
)
def test_what_makes_no_sense_is_refused(alice: User, place: str, asked: dict[str, Any]) -> None:
    assert Api(alice).post(place, ASKED | asked).status_code == 400
    assert not Connector.objects.exists()


def test_an_owner_connects_a_folder_on_its_page(alice: User, contracts: Datasource) -> None:
    browser = browser_of(alice)
    page = reverse("connectors", args=[contracts.pk])
    assert "A folder of this server" not in text_of(browser.get(page)), "that is for administrators"
    refused = browser.post(page, ASKED | {"place": "nowhere"})
    assert refused.status_code == 422
    assert "Give an address that begins with" in text_of(refused)
    assert 'value="nowhere"' in refused.content.decode()
    made = browser.post(page, ASKED, follow=True)
    assert "https://dav.example/leases" in text_of(made)
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


@pytest.mark.parametrize(
    ("kind", "given", "asks_password"),
    [
        ("site", "https://www.example.com/help/", False),
        ("git", "https://git.example.com/firm/matters.git#main:notes", True),
    ],
)
def test_sites_and_repositories_are_connected_as_folders_are(
    alice: User,
    contracts: Datasource,
    place: str,
    settings: Any,
    kind: str,
    given: str,
    asks_password: bool,
) -> None:
    settings.FETCH_WEB_PAGES = True
    browser, page = browser_of(alice), reverse("connectors", args=[contracts.pk])
    form = browser.get(f"{page}?kind={kind}").content.decode()
    assert ('name="secret"' in form) is asks_password
    made = browser.post(page, {"kind": kind, "place": given, "every": 60}, follow=True)
    assert given.rstrip("/") in text_of(made)
    told = Api(alice).get(place).json()["results"]
    assert [(row["kind"], row["place"]) for row in told] == [(kind, given.rstrip("/"))]
    assert Api(alice).post(place, {"kind": kind, "place": given}).status_code == 400, "it is there already"
    assert Api(alice).post(place, {"kind": kind, "place": "/etc"}).status_code == 400


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
