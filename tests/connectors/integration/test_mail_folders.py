"""Folders of mails, on a server of a package and on ones that lie."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from email.message import EmailMessage
from io import BytesIO

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from accounts.limits import Limit
from datasources.models import Datasource
from exchange.connectors import following, services, trying
from exchange.connectors.kinds.kind import Kind
from exchange.connectors.models import Connector, Status
from exchange.connectors.sources import mail_folder
from exchange.connectors.sources.imap import mailbox_name
from exchange.connectors.sources.mail_folder import MailSource
from exchange.connectors.sources.source import Entry, FileRefused, SourceError
from providers.connections.services import allow_owners
from tests.connectors.imap_server import NAME, PASSWORD, ImapServer, SayingServer
from tests.people import browser_of
from tests.responses import text_of
from tests.rest import Api

SEARCHED = b"* SEARCH 4\r\nTAG OK done\r\n"


@pytest.fixture(autouse=True)
def _here(db: None) -> None:
    allow_owners(connect=False, private_addresses=False, private_connectors=True)


@pytest.fixture(scope="module")
def running() -> Iterator[ImapServer]:
    with ImapServer() as server:
        yield server


@pytest.fixture
def server(running: ImapServer) -> ImapServer:
    running.empty()
    return running


def mail(subject: str, text: str) -> bytes:
    message = EmailMessage()
    message["Subject"], message["From"], message["To"] = subject, "okafor@arden.example", "a@b.example"
    message.set_content(text)
    return bytes(message)


def connected(datasource: Datasource, address: str, secret: str = PASSWORD) -> Connector:
    return services.connect(
        datasource, Kind.MAIL, address, by=datasource.owner, user_name=NAME, secret=secret
    )


def looked_at(connector: Connector) -> Connector:
    following.carry_on(connector.pk)
    connector.refresh_from_db()
    return connector


def names(datasource: Datasource) -> set[str]:
    rows = datasource.documents.current().values_list("filename", flat=True)
    return {name.rpartition(" (")[0] for name in rows}


@contextmanager
def source_of(address: str) -> Iterator[MailSource]:
    with closing(MailSource(address, NAME, PASSWORD, lambda: False)) as source:
        yield source


def entries(address: str) -> list[Entry]:
    with source_of(address) as source:
        return list(source.entries())


def test_mails_come_and_go_and_none_is_marked_as_read(contracts: Datasource, server: ImapServer) -> None:
    server.add(mail("Rent / Miete für Übersee", "Rent is due on the first."))
    server.add(mail("", "No subject at all."))
    connector = connected(contracts, server.address)
    assert looked_at(connector).error is None
    assert names(contracts) == {"Rent Miete für Übersee", "Mail"}
    with server.signed_in() as box:
        box.select("INBOX")
        assert box.search(None, "UNSEEN")[1] == [b"1 2"]
        box.store("2", "+FLAGS", r"\Deleted")
    services.look_now(connector)
    looked_at(connector)
    assert names(contracts) == {"Rent Miete für Übersee"}, "what is marked as deleted is gone"
    services.look_now(connector)
    assert looked_at(connector).error is None
    assert contracts.documents.current().get().version == 1


def test_a_mail_is_fetched_in_blocks(server: ImapServer, monkeypatch: pytest.MonkeyPatch) -> None:
    message = mail("Long", "It goes on and on.\n" * 100)
    server.add(message)
    monkeypatch.setattr(mail_folder, "BLOCK", 500)
    content = BytesIO()
    with source_of(server.address) as source:
        (entry,) = source.entries()
        source.fetch(entry, content, 10**6)
    assert content.getvalue().replace(b"\r\n", b"\n") == message


def test_a_folder_has_any_name(server: ImapServer) -> None:
    folder = "Verträge & Anhänge"
    with server.signed_in() as box:
        box.create(f'"{mailbox_name(folder)}"')
    server.add(mail("Annex", "Keys."), f'"{mailbox_name(folder)}"')
    place = services.checked_place(
        Kind.MAIL,
        server.address.replace("INBOX", "Vertr%C3%A4ge%20&%20Anh%C3%A4nge"),
        by=None,  # type: ignore[arg-type]
    )
    assert [entry.path.rpartition(" (")[0] for entry in entries(place)] == ["Annex"]


@pytest.mark.parametrize(
    ("folder", "secret", "code"), [("INBOX", "wrong", "refused"), ("Nowhere", PASSWORD, "not_there")]
)
def test_what_a_server_refuses_is_said(
    contracts: Datasource, server: ImapServer, folder: str, secret: str, code: str
) -> None:
    connector = connected(contracts, server.address.replace("INBOX", folder), secret)
    assert (looked_at(connector).status, connector.error_code) == (Status.FAILED, code)
    assert secret not in str(connector.error)


def test_half_a_list_is_none() -> None:
    """Else what is missing in it would be deleted here."""
    with SayingServer(SEARCHED, b"TAG NO later\r\n") as server, pytest.raises(SourceError) as refused:
        entries(server.address)
    assert refused.value.code == "unreachable"


@pytest.mark.parametrize(
    "told",
    [
        b"* 1 FETCH (UID 4 BODY[HEADER.FIELDS (SUBJECT)]<0> {9999999999}\r\n",
        b"* " + b"x" * 1_100_000 + b"\r\n",
        b"\xff\xfe\x00\r\n\r\n",
    ],
)
def test_a_server_that_tells_too_much_or_nonsense_fails_the_look(told: bytes) -> None:
    with SayingServer(SEARCHED, told) as server, pytest.raises(SourceError) as refused:
        entries(server.address)
    assert refused.value.code == "unreachable"


def test_a_server_that_drips_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail_folder, "LIST_SECONDS", 0.3)
    with SayingServer(b"") as server, pytest.raises(SourceError) as refused:
        entries(server.address)
    assert refused.value.code == "slow"


def test_a_subject_is_no_path() -> None:
    header = b"Subject: =?utf-8?q?..=2F..=2Fetc=2Fpasswd=00?= \xf0\x28\r\n\r\n"
    told = b"* 1 FETCH (UID 4 FLAGS () RFC822.SIZE 12 BODY[HEADER.FIELDS (SUBJECT)]<0> {%d}\r\n%s)\r\n"
    told += b"TAG OK done\r\n"
    with SayingServer(SEARCHED, told % (len(header), header)) as server:
        (entry,) = entries(server.address)
    assert "/" not in entry.path
    assert not entry.path.startswith("."), "it would be a hidden file"
    assert entry.path.isprintable()
    assert (entry.version, entry.size) == ("7.4", 12)


def fetched(*numbers: int) -> bytes:
    rows = (b"* %d FETCH (UID %d FLAGS () RFC822.SIZE 9)\r\n" % (n, n) for n in numbers)
    return b"".join(rows) + b"TAG OK done\r\n"


def test_mails_that_a_list_leaves_out_are_not_gone() -> None:
    """The server has just said that they are there."""
    three = b"* SEARCH 4 5 6\r\nTAG OK done\r\n"
    with SayingServer(three, fetched(4), three) as server, pytest.raises(SourceError):
        entries(server.address)
    with SayingServer(three, fetched(4), SEARCHED) as server:
        assert [entry.version for entry in entries(server.address)] == ["7.4"], "deleted meanwhile"


def test_only_what_was_asked_for_is_taken_and_once() -> None:
    with SayingServer(SEARCHED, fetched(4, 999, 4)) as server:
        assert [entry.version for entry in entries(server.address)] == ["7.4"]


@pytest.mark.parametrize(
    "told", [b"* SEARCH {2}\r\n4 \r\nTAG OK done\r\n", b"* SEARCH 4 (evil) *\r\nTAG OK done\r\n"]
)
def test_numbers_that_are_none_are_no_list(told: bytes) -> None:
    with SayingServer(told) as server, pytest.raises(SourceError):
        entries(server.address)
    assert not any("evil" in asked for asked in server.asked)


def test_an_answer_without_an_end_does_not_fill_the_memory() -> None:
    block = b"* 4 FETCH (UID 4 BODY[] {1000000}\r\n" + b"x" * 1_000_000 + b")\r\n"
    with SayingServer(SEARCHED, block * 6 + b"TAG OK done\r\n") as server, pytest.raises(SourceError):
        entries(server.address)


def test_a_password_is_no_command() -> None:
    with (
        SayingServer(SEARCHED) as server,
        closing(MailSource(server.address, NAME, "p\r\nX9 DELETE INBOX", lambda: False)) as source,
        pytest.raises(SourceError) as refused,
    ):
        list(source.entries())
    assert refused.value.code == "refused"
    assert not any("DELETE" in asked for asked in server.asked)


@pytest.mark.parametrize(
    ("subject", "name"),
    [
        (b"=?unicode_escape?q?=5Cud800?=", "ud800"),
        (b"=?utf-7?Q?+2AA-?=", "Mail"),
        (b"=?utf-8?q?inv=E2=80=AEfdp.exe?=", "invfdp.exe"),
        (b"=?x-unknown?q?Rent?=", "Rent"),
        (b"=?utf-8?b?A?=", "=?utf-8?b?A?="),
        ("Miete für Übersee".encode(), "Miete für Übersee"),
        (b"Miete f\xfcr Juni", "Miete für Juni"),
    ],
)
def test_no_subject_stops_a_folder(subject: bytes, name: str) -> None:
    header = b"Subject: " + subject + b"\r\n\r\n"
    told = b"* 1 FETCH (UID 4 FLAGS () BODY[HEADER.FIELDS (SUBJECT)]<0> {%d}\r\n%s)\r\nTAG OK done\r\n"
    with SayingServer(SEARCHED, told % (len(header), header)) as server:
        (entry,) = entries(server.address)
    assert entry.path.rpartition(" (")[0] == name


def test_a_mail_that_is_gone_meanwhile_costs_the_others_nothing() -> None:
    gone = Entry(path="a.eml", version="7.4")
    with (
        SayingServer(b"TAG OK none\r\n") as server,
        source_of(server.address) as source,
        pytest.raises(FileRefused),
    ):
        source.fetch(gone, BytesIO(), 10)


def test_a_mail_folder_is_tried_before_it_is_connected(server: ImapServer, contracts: Datasource) -> None:
    browser, page = browser_of(contracts.owner), reverse("connectors", args=[contracts.pk])
    given = {"kind": "imap", "place": "imaps://mail.nowhere.invalid/INBOX", "every": "60", "user_name": NAME}
    refused = text_of(browser.post(page, given))
    assert "This field is required" in refused or "password" in refused.lower()
    refused = text_of(browser.post(page, given | {"secret": PASSWORD}))
    assert "No server with the name mail.nowhere.invalid is known. Nothing was saved." in refused
    refused = text_of(browser.post(page, given | {"place": server.address, "secret": "wrong"}))
    assert "refuses this name and password" in refused
    for absent in ("Nowhere", "Nowhere/*"):
        place = server.address.replace("INBOX", absent)
        refused = text_of(browser.post(page, given | {"place": place, "secret": PASSWORD}))
        assert "The server has no such mail folder. Nothing was saved." in refused
        asked = given | {"place": place, "secret": PASSWORD, "every": 60}
        told = Api(contracts.owner).post(f"data-sources/{contracts.pk}/connectors", asked)
        assert (told.status_code, told.json()["code"]) == (400, "unreachable")
    assert not contracts.connectors.exists()
    browser.post(page, given | {"place": server.address, "secret": PASSWORD})
    assert contracts.connectors.get().user_name == NAME


def test_its_address_can_be_changed_until_a_mail_has_come(server: ImapServer, contracts: Datasource) -> None:
    connector = connected(contracts, "imaps://mail.nowhere.invalid/INBOX")
    browser, page = browser_of(contracts.owner), reverse("connector", args=[contracts.pk, connector.pk])
    given = {"action": "save", "user_name": NAME, "secret": "", "every": "60"}
    elsewhere = {"place": "imaps://other.invalid/INBOX", "secret": "another"}
    assert "Nothing was saved" in text_of(browser.post(page, given | elsewhere))
    with SayingServer(b"* OK\r\n") as another:
        refused = text_of(browser.post(page, given | {"place": another.address}))
    assert "Enter the password again" in refused
    assert another.asked == []
    given["secret"] = PASSWORD
    browser.post(page, given | {"place": server.address})
    connector.refresh_from_db()
    assert connector.place == server.address
    server.add(mail("Lease", "The rent is due."))
    looked_at(connector)
    browser.post(page, given | {"place": "imaps://other.invalid/INBOX"})
    connector.refresh_from_db()
    assert connector.place == server.address
    with pytest.raises(ValidationError, match="Files have come"):
        services.change(connector, place="imaps://other.invalid/INBOX", secret=PASSWORD)


def test_servers_of_a_private_network_are_not_reached() -> None:
    allow_owners(connect=False, private_addresses=False, private_connectors=False)
    with pytest.raises(SourceError) as refused:
        entries("imaps://127.0.0.1/INBOX")
    assert refused.value.code == "private"
    with pytest.raises(ValidationError):
        services.checked_place(Kind.MAIL, "imaps://127.0.0.1/INBOX", by=None)  # type: ignore[arg-type]


@pytest.mark.parametrize("place", ["https://mail.example/INBOX", "imaps://a:b@mail.example/", "imap:INBOX"])
def test_an_address_of_a_mail_folder_begins_with_imaps(place: str) -> None:
    with pytest.raises(ValidationError, match="imaps://"):
        services.checked_place(Kind.MAIL, place, by=None)  # type: ignore[arg-type]


def test_one_place_has_one_address() -> None:
    places = {
        services.checked_place(Kind.MAIL, place, by=None)  # type: ignore[arg-type]
        for place in ("imaps://Mail.example:993/A%20b/", "imaps://mail.example/A%20b")
    }
    assert len(places) == 1


def test_names_of_folders_are_written_as_imap_has_them() -> None:
    assert mailbox_name("Entwürfe") == "Entw&APw-rfe"
    assert mailbox_name("A&B") == "A&-B"


def test_folders_in_a_folder_are_followed_where_that_was_chosen(
    contracts: Datasource, server: ImapServer
) -> None:
    with server.signed_in() as box:
        for folder in ("Matters", "Matters/Entwürfe", "Matters/Arden/2026", "Mattersburg"):
            box.create(f'"{mailbox_name(folder)}"')
    server.add(mail("Above", "It lies above."), "Matters")
    server.add(mail("Draft", "Not yet done."), f'"{mailbox_name("Matters/Entwürfe")}"')
    server.add(mail("Lease", "Rent is due."), "Matters/Arden/2026")
    server.add(mail("Elsewhere", "Another town."), "Mattersburg")
    alone = connected(contracts, server.address.replace("INBOX", "Matters"))
    assert looked_at(alone).error is None
    assert names(contracts) == {"Above"}
    connector = connected(contracts, server.address.replace("INBOX", "Matters/*"))
    assert looked_at(connector).error is None
    assert names(contracts) == {"Above", "Draft", "Lease"}
    paths = {path.rpartition(" (")[0] for path in connector.files.values_list("path", flat=True)}
    assert paths == {"Above", "Entwürfe/Draft", "Arden/2026/Lease"}
    with server.signed_in() as box:
        box.select("Matters/Arden/2026")
        box.store("1", "+FLAGS", r"\Deleted")
    services.look_now(connector)
    looked_at(connector)
    assert names(contracts) == {"Above", "Draft"}
    everything = {entry.path.rpartition(" (")[0] for entry in entries(server.address.replace("INBOX", "*"))}
    assert {"Mattersburg/Elsewhere", "Matters/Above"} <= everything


@pytest.mark.parametrize(
    ("row", "paths"),
    [
        (rb'* LIST (\HasNoChildren) "." A.B.C', ["B/C"]),
        (rb'* LIST () "." "A.x\"y"', ['x"y']),
        (rb'* LIST () "." {5}' + b"\r\nA.b c", ["b c"]),
        (rb'* LIST () "." "A...etc.passwd"', ["Folder/Folder/etc/passwd"]),
        (rb'* LIST () "." A.&AA', ["&AA"]),
        (rb'* LIST (\NoSelect) "." A.B', []),
        (rb'* LIST () "." Other', []),
    ],
)
def test_a_list_of_folders_is_read_with_care(row: bytes, paths: list[str]) -> None:
    own, done = rb'* LIST (\Noselect) "." A' + b"\r\nTAG OK done\r\n", b"\r\nTAG OK done\r\n"
    with SayingServer(own, row + done, SEARCHED, fetched(4)) as server:
        found = [entry.path for entry in entries(server.address.replace("INBOX", "A/*"))]
    assert found == [f"{path}/Mail (4).eml" for path in paths]


def test_folders_that_are_not_listed_are_no_empty_folder() -> None:
    for told in (b"TAG NO later\r\n", b"TAG OK none\r\n", b"* LIST rubbish\r\nTAG OK done\r\n"):
        with SayingServer(told) as server, pytest.raises(SourceError):
            entries(server.address.replace("INBOX", "A/*"))


def test_folders_without_an_end_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail_folder, "MOST_FOLDERS", 3)
    rows = b"".join(b'* LIST () "." A.%d\r\n' % number for number in range(5))
    with (
        SayingServer(b'* LIST () "." A\r\nTAG OK done\r\n', rows + b"TAG OK done\r\n") as server,
        pytest.raises(SourceError) as refused,
    ):
        entries(server.address.replace("INBOX", "A/*"))
    assert refused.value.code == "many_folders"


def test_a_folder_that_is_not_opened_costs_the_others_nothing() -> None:
    """What is known of its mails stays: it says nothing of them."""
    own, rows = b'* LIST () "." A', b'* LIST () "." A.Closed\r\n* LIST () "." A.Open'
    done = b"\r\nTAG OK done\r\n"
    empty = b"* SEARCH\r\nTAG OK done\r\n"
    with SayingServer(own + done, rows + done, empty, SEARCHED, fetched(4)) as server:
        found = {entry.path: entry.refusal for entry in entries(server.address.replace("INBOX", "A/*"))}
    assert found == {"Closed": "The server does not open this mail folder.", "Open/Mail (4).eml": ""}


def test_many_folders_are_listed_within_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail_folder, "LONGEST", 0)
    with SayingServer(SEARCHED, fetched(4)) as server, pytest.raises(SourceError) as refused:
        entries(server.address)
    assert (refused.value.code, "could not be listed" in refused.value.message) == ("slow", True)


def test_passwords_are_not_guessed_by_way_of_this_server(
    contracts: Datasource, server: ImapServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trying, "TRIES", Limit(name="folder-passwords", attempts=1, seconds=60))
    browser, page = browser_of(contracts.owner), reverse("connectors", args=[contracts.pk])
    given = {"kind": "imap", "place": server.address, "every": "60", "user_name": NAME, "secret": "wrong"}
    first = browser.post(page, given)
    assert "refuses this name and password" in first.context["form"].errors["secret"][0]
    told = text_of(browser.post(page, given | {"secret": PASSWORD}))
    assert "You have tried this too often" in told
    assert not contracts.connectors.exists()
    connected(contracts, server.address)
    assert "connected already" in text_of(browser.post(page, given)), "no server is asked for that"


def test_a_kind_that_is_not_known_is_no_bucket(contracts: Datasource) -> None:
    connector = connected(contracts, "imaps://mail.nowhere.invalid/INBOX")
    Connector.objects.update(kind="ftp")
    assert looked_at(connector).error_code == "kind"
