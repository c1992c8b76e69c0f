"""Signing in, up and out, forgetting a password, one's own settings, and what the error pages say."""

import re
import threading
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse

from accounts.models import Theme, User
from accounts.web import views
from tests.people import PASSWORD
from tests.processes import PATIENCE, wait_until
from tests.rest import Api

NEW = "a longer horse battery"


@pytest.fixture(autouse=True)
def _no_counted_attempts() -> None:
    cache.clear()


def sign_in(client: Client, password: str = PASSWORD, **more: str) -> Any:
    form = {"login": "alice@example.org", "password": password} | more
    return client.post(reverse("account_login"), form)


def words(response: Any) -> str:
    """What the page says, without its markup."""
    text = re.sub(r"<(script|style|template)\b.*?</\1>|<[^>]+>", " ", response.content.decode(), flags=re.S)
    return " ".join(text.split())


# --- signing in and out ----------------------------------------------------------------------------------
def test_signing_in_and_out(client: Client, alice: User) -> None:
    page = client.get(reverse("account_settings"))
    assert page.status_code == 302
    assert page["Location"].startswith(reverse("account_login"))
    signed_in = sign_in(client, next=reverse("account_settings"))
    assert signed_in["Location"] == reverse("account_settings")
    assert "alice@example.org" in words(client.get(reverse("account_settings")))
    client.post(reverse("account_logout"))
    assert client.get(reverse("account_settings")).status_code == 302


def test_the_session_outlives_the_browser_only_when_asked(client: Client, alice: User) -> None:
    sign_in(client)
    assert client.session.get_expire_at_browser_close()
    client.logout()
    sign_in(client, remember="on")
    assert not client.session.get_expire_at_browser_close()


def test_a_wrong_password_keeps_the_address_and_says_so(client: Client, alice: User) -> None:
    page = sign_in(client, "wrong")
    assert 'value="alice@example.org"' in page.content.decode()
    assert 'role="alert"' in page.content.decode()
    assert "wrong" not in words(page).split()
    assert "This e-mail address and password do not belong together." in words(page)


def test_a_sign_in_never_leads_to_another_site(client: Client, alice: User) -> None:
    assert sign_in(client, next="https://evil.example/")["Location"] == reverse("home")


def test_guessing_passwords_is_slowed_down(client: Client, alice: User) -> None:
    for _ in range(8):
        page = sign_in(client, "wrong")
    assert "Too many" in words(page)
    assert sign_in(client).status_code != 302, "even the right one has to wait"


def test_hammering_the_form_gets_the_page_for_it(client: Client, alice: User) -> None:
    pages = [client.post(reverse("account_signup"), {}) for _ in range(25)]
    assert pages[-1].status_code == 429
    assert "wait a minute" in words(pages[-1])


# --- signing up ------------------------------------------------------------------------------------------
def test_nobody_signs_up_unless_the_operator_allows_it(client: Client, db: None, settings: Any) -> None:
    assert "Make an account" not in words(client.get(reverse("account_login")))
    form = {"email": "new@example.org", "password1": NEW, "password2": NEW}
    page = client.post(reverse("account_signup"), form)
    assert "make_account" in words(page)
    assert not User.objects.filter(email="new@example.org").exists()


def test_signing_up(client: Client, db: None, settings: Any) -> None:
    settings.SIGNUP_OPEN = True
    assert "Make an account" in words(client.get(reverse("account_login")))
    form = {"email": "New@example.org", "password1": NEW, "password2": NEW}
    made = client.post(reverse("account_signup"), form)
    assert made["Location"] == reverse("account_email_verification_sent")
    (message,) = mail.outbox
    assert sign_in(client, NEW, login="new@example.org")["Location"] == made["Location"]
    refused = Api().post("auth/login", {"email": "new@example.org", "password": NEW})
    assert (refused.status_code, refused.json()["code"]) == (401, "address_not_confirmed")
    link = re.search(r"http://localhost:8000(/account/confirm-email/\S+)", str(message.body))
    assert link
    client.post(link[1])
    assert sign_in(client, NEW, login="new@example.org")["Location"] == reverse("home")
    assert "new@example.org" in words(client.get(reverse("account_settings")))


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """For how long answers were held back by a clock that stands still."""
    held: list[float] = []
    monkeypatch.setattr(views, "time", SimpleNamespace(monotonic=lambda: 0.0, sleep=held.append))
    return held


def test_signing_up_does_not_tell_who_has_an_account(alice: User, settings: Any, waited: list[float]) -> None:
    settings.SIGNUP_OPEN = True
    answers = []
    for email in (alice.email, "new@example.org"):
        form = {"email": email, "password1": NEW, "password2": NEW}
        page = Client().post(reverse("account_signup"), form, follow=True)
        answers.append((page.status_code, page.redirect_chain, words(page)))
    assert answers[0] == answers[1]
    assert waited == [1.0, 1.0]
    told, link = mail.outbox
    assert "has one already" in str(told.body)
    assert "confirm-email" in str(link.body)
    alice.refresh_from_db()
    assert alice.check_password(PASSWORD)


def test_an_administrator_can_confirm_an_address(client: Client, db: None, settings: Any) -> None:
    settings.SIGNUP_OPEN = True
    form = {"email": "new@example.org", "password1": NEW, "password2": NEW}
    assert "Ask whoever runs it" in words(client.post(reverse("account_signup"), form, follow=True))
    staff = Client()
    staff.force_login(User.objects.create_superuser("root@example.org", PASSWORD))
    chosen = [User.objects.get(email="new@example.org").pk]
    act = {"action": "confirm_address", "_selected_action": chosen}
    staff.post(reverse("admin:accounts_user_changelist"), act)
    assert sign_in(Client(), NEW, login="new@example.org")["Location"] == reverse("home")


def test_a_weak_password_is_refused_with_the_reason(client: Client, db: None, settings: Any) -> None:
    settings.SIGNUP_OPEN = True
    form = {"email": "new@example.org", "password1": "short", "password2": "short"}
    page = client.post(reverse("account_signup"), form)
    assert "too short" in words(page)
    assert 'aria-invalid="true"' in page.content.decode()


# --- passwords -------------------------------------------------------------------------------------------
def test_without_mail_the_operator_is_named(client: Client, alice: User) -> None:
    address = reverse("account_reset_password")
    for page in (client.get(address), client.post(address, {"email": alice.email})):
        assert "manage.py make_account EMAIL --reset" in words(page)
    assert not mail.outbox


def test_a_forgotten_password_is_replaced_by_mail(client: Client, alice: User, settings: Any) -> None:
    settings.EMAIL_URL = "smtp://mail.example.org"
    client.post(reverse("account_reset_password"), {"email": alice.email}, follow=True)
    (message,) = mail.outbox
    found = re.search(r"http://localhost:8000(/account/password/reset/key/\S+)", str(message.body))
    assert found
    form = client.get(found[1], follow=True)
    done = client.post(form.request["PATH_INFO"], {"password1": NEW, "password2": NEW}, follow=True)
    assert "Use the new one from now on" in words(done)
    assert sign_in(client).status_code == 200
    assert sign_in(client, NEW)["Location"] == reverse("home")
    assert "no longer valid" in words(Client().get(found[1], follow=True))


def test_nobody_learns_who_has_an_account(client: Client, alice: User, settings: Any) -> None:
    settings.EMAIL_URL = "smtp://mail.example.org"
    address = reverse("account_reset_password")
    known = client.post(address, {"email": alice.email}, follow=True)
    unknown = client.post(address, {"email": "nobody@example.org"}, follow=True)
    assert words(known) == words(unknown)
    assert [message.to for message in mail.outbox] == [[alice.email]]


def test_links_lead_to_the_set_address_whatever_the_host_header_says(
    client: Client, alice: User, settings: Any
) -> None:
    settings.EMAIL_URL, settings.SITE_URL = "smtp://mail.example.org", "https://svq.example.org"
    settings.ALLOWED_HOSTS = ["testserver", "evil.example"]
    for host in ("testserver:6666", "evil.example"):
        form = {"email": alice.email}
        client.post(reverse("account_reset_password"), form, HTTP_HOST=host)
        body = str(mail.outbox.pop().body)
        assert "https://svq.example.org/account/password/reset/key/" in body
        assert host not in body


class Stuck:
    """A mail server that says nothing until both people have their answers."""

    answered = threading.Event()
    sent: ClassVar[list[list[str]]] = []

    def __init__(self, **given: Any) -> None:
        pass

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        assert self.answered.wait(PATIENCE)
        self.sent.extend(message.to for message in messages)
        return len(messages)


def test_nobody_waits_for_a_mail_that_only_known_addresses_get(
    alice: User, settings: Any, waited: list[float]
) -> None:
    settings.EMAIL_URL = "smtp://mail.example.org"
    settings.EMAIL_BACKEND = f"{__name__}.Stuck"
    answers = []
    for email in (alice.email, "nobody@example.org"):
        page = Client().post(reverse("account_reset_password"), {"email": email})
        answers.append((page.status_code, page["Location"]))
    assert answers[0] == answers[1]
    assert waited == [0.5, 0.5]
    assert not Stuck.sent, "both have their answers before anything is sent"
    Stuck.answered.set()
    wait_until(lambda: Stuck.sent == [[alice.email]], "the mail")


def test_changing_the_password_ends_other_sessions(client: Client, alice: User) -> None:
    other = Client()
    sign_in(client)
    sign_in(other)
    form = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    changed = client.post(reverse("account_change_password"), form, follow=True)
    assert "Password changed" in words(changed)
    assert client.get(reverse("account_settings")).status_code == 200
    assert other.get(reverse("account_settings")).status_code == 302


# --- settings --------------------------------------------------------------------------------------------
def test_settings_are_kept(client: Client, alice: User) -> None:
    client.force_login(alice)
    save = reverse("save_account_setting")
    client.post(save, {"field": "name", "name": "Alice B.", "theme": "dark"})
    client.post(save, {"field": "single_key_shortcuts"})
    page = client.post(save, {"field": "theme", "theme": "light"}, follow=True)
    assert "Saved: Theme." in words(page)
    html = page.content.decode()
    assert '<html lang="en" data-theme="light">' in html
    assert 'data-shortcuts="off"' in html
    assert client.cookies["theme"].value == "light"
    alice.refresh_from_db()
    assert (alice.name, alice.show_answers_when_complete) == ("Alice B.", False)


def test_a_theme_that_does_not_exist_changes_nothing(client: Client, alice: User) -> None:
    client.force_login(alice)
    refused = client.post(reverse("save_account_setting"), {"field": "theme", "theme": "neon"})
    assert refused.status_code == 422
    assert "theme" not in client.cookies
    assert client.post(reverse("theme"), {"theme": "neon"}).status_code == 400
    alice.refresh_from_db()
    assert (alice.name, alice.theme) == ("Alice", Theme.SYSTEM)


def test_the_theme_follows_the_person_and_stays_in_the_browser(client: Client, alice: User) -> None:
    client.force_login(alice)
    back = reverse("account_settings")
    answer = client.post(reverse("theme"), {"theme": "dark"}, headers={"referer": f"http://testserver{back}"})
    assert answer["Location"] == f"http://testserver{back}"
    alice.refresh_from_db()
    assert alice.theme == Theme.DARK
    client.post(reverse("account_logout"))
    assert 'data-theme="dark"' in client.get(reverse("account_login")).content.decode()
    assert 'data-theme="dark"' not in Client().get(reverse("account_login")).content.decode()


def test_switching_the_theme_never_leads_to_another_site(client: Client, db: None) -> None:
    answer = client.post(reverse("theme"), {"theme": "dark"}, headers={"referer": "https://evil.example/"})
    assert answer["Location"] == reverse("home")


# --- error pages -----------------------------------------------------------------------------------------
def test_what_is_not_there_is_told_in_our_words(client: Client, db: None) -> None:
    page = client.get("/no/such/page")
    assert page.status_code == 404
    assert "not shared with you" in words(page)


def test_a_form_from_before_signing_in_is_refused_with_a_way_out(alice: User) -> None:
    page = Client(enforce_csrf_checks=True).post(reverse("account_login"), {"login": "x", "password": "y"})
    assert page.status_code == 403
    assert "This form is too old" in words(page)


def test_a_fault_is_told_without_the_database(
    alice: User, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    def broken(*args: Any, **kwargs: Any) -> None:
        raise RuntimeError("a fault")

    monkeypatch.setattr("accounts.web.views.ThemeForm", broken)
    with django_assert_num_queries(0):
        page = Client(raise_request_exception=False).post(reverse("theme"), {"theme": "dark"})
    assert page.status_code == 500
    assert "What was stored before is safe" in words(page)
    assert "a fault" not in words(page)
