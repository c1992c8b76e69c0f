"""Every page in a language in which each message stands in brackets: what does not was never marked.

Pages join when their templates and their Python are marked: PAGES.
"""

import re
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.core import mail
from django.test import Client
from django.urls import reverse

from accounts.mail import _senders
from accounts.models import User
from tests.localization.pseudo import CODE, HEADERS, pseudo_language
from tests.localization.visible import has_letters, visible
from tests.people import browser_of

FOR_STRANGERS = ("account_login", "account_signup", "account_reset_password")
FOR_EVERYBODY = (
    *("account_settings", "account_appearance", "account_change_password", "account_limits"),
    *("mfa_index", "share_links", "usage"),
)
FOR_ADMINISTRATORS = (
    *("people", "groups", "directories", "sign_in_settings", "new_identity_provider", "new_saml_provider"),
    *("audit_log", "background_work"),
)
# The person's own data, names of things, and what no language changes.
SAME_EVERYWHERE = re.compile(
    r"alice@example\.org|\bAlice\b|\bA\b|\bSVQ\b|Ctrl K|testserver|https?://\S+|\bexample\.(?:org|com)\b"
    rf"|{'|'.join(settings.NAMES_OF_LANGUAGES.values())}"
    r"|OpenID Connect|SAML|Entra ID|<EntityDescriptor …>|\bCSV\b"
    r"|\b\d{1,2} [A-Z][a-z]{2,8}(?: \d{4})?\b|\d+(?:\.\d+)? (?:k|M)\b"
)


@pytest.fixture(autouse=True)
def _pseudo() -> Iterator[None]:
    with pseudo_language():
        yield


def outside_of_brackets(html: str) -> list[str]:
    """The texts, or their parts, that were not translated."""
    found = []
    for text in visible(without_brackets(html)):
        bare = SAME_EVERYWHERE.sub("", _without_halves(text))
        if has_letters(bare):
            found.append(" ".join(bare.split()))
    return found


def without_brackets(text: str) -> str:
    """Brackets may be inside of others: a value that was translated as well."""
    while (shorter := re.sub(r"⁅[^⁅⁆]*⁆", "", text)) != text:
        text = shorter
    return text


def _without_halves(text: str) -> str:
    """Of “Yes,No”, one; of a text that is cut short, its beginning."""
    return re.sub(r"^[^⁅]*⁆|⁅[^⁆]*$", "", text)


def test_what_is_not_marked_is_found() -> None:
    assert outside_of_brackets("<p>⁅One ⁅two⁆ three⁆ four <b>⁅five⁆</b></p>") == ["four"]
    assert outside_of_brackets('<a title="Close">⁅Shut⁆</a>') == ["Close"]


@pytest.mark.parametrize("name", FOR_STRANGERS)
def test_a_page_before_signing_in(name: str, client: Client, db: None, settings: object) -> None:
    settings.SIGNUP_OPEN = True  # type: ignore[attr-defined]
    assert outside_of_brackets(client.get(reverse(name), headers=HEADERS).content.decode()) == []


@pytest.mark.parametrize("name", FOR_EVERYBODY)
def test_a_page_of_the_account(name: str, alice: User) -> None:
    page = browser_of(alice).get(reverse(name), headers=HEADERS)
    assert outside_of_brackets(page.content.decode()) == []


@pytest.mark.parametrize("name", FOR_ADMINISTRATORS)
def test_a_page_of_administrators(name: str, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_staff=True, is_superuser=True)
    page = browser_of(alice).get(reverse(name), headers=HEADERS)
    assert outside_of_brackets(page.content.decode()) == []


def test_what_is_not_there_is_told_in_the_language_of_the_reader(client: Client, db: None) -> None:
    page = client.get("/no/such/page", headers=HEADERS)
    assert page.status_code == 404
    assert outside_of_brackets(page.content.decode()) == []


def test_a_mail_is_in_the_language_of_its_reader(alice: User, settings: object) -> None:
    """Whatever browser asked for it."""
    settings.EMAIL_URL = "smtp://localhost"  # type: ignore[attr-defined]
    User.objects.filter(pk=alice.pk).update(language=CODE)
    Client().post(reverse("account_reset_password"), {"email": alice.email})
    (message,) = _senders.submit(lambda: mail.outbox).result()
    assert outside_of_brackets(f"<p>{message.subject.removeprefix('[SVQ] ')}</p>{message.body}") == []
