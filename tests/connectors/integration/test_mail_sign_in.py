"""Mailboxes of Microsoft and Google, which take a token in place of a password."""

import base64
from contextlib import closing
from typing import Any

import pytest
from django.core.exceptions import ValidationError

from datasources.models import Datasource
from exchange.connectors import services, trying
from exchange.connectors.kinds import mail
from exchange.connectors.kinds.kind import Kind
from exchange.connectors.models import Connector
from exchange.connectors.sources.mail_folder import MailSource
from exchange.connectors.sources.source import SourceError
from providers.connections.services import allow_owners
from tests.connectors.clouds_server import APPLICATION, SECRET, TENANT, GoogleServer, MicrosoftServer
from tests.connectors.imap_server import SayingServer
from tests.connectors.integration.test_google_drive import key_file

MAILBOX = "alice@arden.example"
EXCHANGE, GMAIL = "imaps://outlook.office365.com/INBOX", "imaps://imap.gmail.com/INBOX"
KEY: dict[str, Any] = {"tenant": TENANT, "application": APPLICATION, "secret": SECRET}


@pytest.fixture(autouse=True)
def _here(db: None) -> None:
    allow_owners(connect=False, private_addresses=False, private_connectors=True)


def answers(said: bytes = b"TAG OK done\r\n") -> list[bytes]:
    """A server that takes what answers its sign, and then has one mail."""
    return [b"+ \r\n", said, b"* SEARCH\r\nTAG OK done\r\n"]


def test_a_token_is_sent_as_xoauth2() -> None:
    with SayingServer(*answers()) as server:
        source = MailSource(server.address, MAILBOX, "", lambda: False, token=lambda: "good")
        with closing(source):
            assert list(source.entries()) == []
    sent = next(line for line in server.asked if "AUTHENTICATE" not in line and "CAPABILITY" not in line)
    assert base64.b64decode(sent) == b"user=alice@arden.example\x01auth=Bearer good\x01\x01"
    assert not [line for line in server.asked if "LOGIN" in line]


def test_a_token_that_is_refused_is_said() -> None:
    with (
        SayingServer(b"+ \r\n", b"+ eyJzdGF0dXMiOiI0MDAifQ==\r\n", b"TAG NO refused\r\n") as server,
        closing(MailSource(server.address, MAILBOX, "", lambda: False, token=lambda: "bad")) as source,
        pytest.raises(SourceError) as refused,
    ):
        source.try_it()
    assert refused.value.code == "refused"
    assert "does not let this key read the mailbox" in refused.value.message


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What mailboxes are opened with."""
    given: list[Any] = []

    class Opened:
        def __init__(self, place: str, user_name: str, secret: str, stop: Any, *, token: Any = None) -> None:
            given.append((place, user_name, secret, token()))

        def try_it(self) -> None:
            pass

        def close(self) -> None:
            pass

    monkeypatch.setattr(mail, "MailSource", Opened)
    return given


def test_a_mailbox_of_microsoft(contracts: Datasource, settings: Any, opened: list[Any]) -> None:
    with MicrosoftServer() as server:
        settings.CLOUDS_URL = server.address
        made = trying.connect(
            contracts, Kind.EXCHANGE, EXCHANGE, by=contracts.owner, user_name=MAILBOX, **KEY
        )
    assert opened == [(EXCHANGE, MAILBOX, "", "good")]
    assert server.forms[0]["scope"] == "https://outlook.office365.com/.default"
    assert SECRET not in made.encrypted_secret


def test_a_mailbox_of_google(contracts: Datasource, settings: Any, opened: list[Any]) -> None:
    with GoogleServer() as server:
        settings.CLOUDS_URL = server.address
        how: dict[str, Any] = {"user_name": MAILBOX, "secret": key_file()}
        trying.connect(contracts, Kind.GMAIL, GMAIL, by=contracts.owner, **how)
    assert opened == [(GMAIL, MAILBOX, "", "good")]


@pytest.mark.parametrize(
    ("kind", "place"),
    [
        (Kind.EXCHANGE, "imaps://mail.example/INBOX"),
        (Kind.EXCHANGE, "imap://outlook.office365.com/INBOX"),
        (Kind.EXCHANGE, "imaps://outlook.office365.com:1993/INBOX"),
        (Kind.EXCHANGE, "imaps://outlook.office365.com.inner.example/INBOX"),
        (Kind.GMAIL, "imaps://127.0.0.1/INBOX"),
        (Kind.GMAIL, "imaps://outlook.office365.com/INBOX"),
    ],
)
def test_a_token_goes_to_its_own_server_alone(contracts: Datasource, kind: str, place: str) -> None:
    with pytest.raises(ValidationError, match="Give an address that begins with imaps://"):
        services.checked_place(kind, place, contracts.owner)
    assert not Connector.objects.exists()


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (b"* SEARCH four\r\nTAG OK done\r\n", "The server sends a mail number that is not a number."),
        (b"* SEARCH 12345678901\r\nTAG OK done\r\n", "The server sends a mail number that is not a number."),
    ],
)
def test_a_list_that_makes_no_sense_is_said_to_be_one(said: bytes, words: str) -> None:
    with (
        SayingServer(said) as server,
        closing(MailSource(server.address, "a", "b", lambda: False)) as source,
        pytest.raises(SourceError) as refused,
    ):
        list(source.entries())
    assert (refused.value.code, refused.value.message) == ("bad_list", words)


def test_folders_that_make_no_sense_are_said_to_be_some() -> None:
    with (
        SayingServer(b"* LIST no folder at all\r\nTAG OK done\r\n") as server,
        closing(MailSource(f"{server.address}/*", "a", "b", lambda: False)) as source,
        pytest.raises(SourceError) as refused,
    ):
        list(source.entries())
    assert refused.value.code == "bad_list"
    assert "can't be understood" in refused.value.message
