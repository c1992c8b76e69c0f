"""Pages, mails and live parts of pages are in the language of whoever reads them; programs read English."""

from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.people import browser_of
from tests.responses import text_of

GERMAN = {"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}


@pytest.fixture(autouse=True)
def _all_offered(settings: Any) -> None:
    settings.LANGUAGES = list(settings.NAMES_OF_LANGUAGES.items())


def language(client: Client, headers: dict[str, str] | None = None, name: str = "account_login") -> str:
    page = client.get(reverse(name), headers=headers or {})
    told = page.headers["Content-Language"]
    assert f'<html lang="{told}"' in page.content.decode()
    return str(told)


def test_a_page_is_in_the_language_of_the_browser(client: Client, db: None) -> None:
    assert language(client) == "en"
    assert language(client, GERMAN) == "de"
    assert language(client, {"Accept-Language": "zh-CN"}) == "zh-hans"
    assert language(client, {"Accept-Language": "tlh, *"}) == "en"
    page = client.get(reverse("account_login"), headers=GERMAN)
    assert {"Accept-Language", "Cookie"} <= set(page.headers["Vary"].split(", "))
    assert "no-store" in page.headers["Cache-Control"]


def test_one_request_leaves_its_language_to_no_other(client: Client, db: None) -> None:
    assert language(client, GERMAN) == "de"
    assert language(client) == "en"


def test_arabic_runs_from_the_right(client: Client, db: None) -> None:
    page = client.get(reverse("account_login"), headers={"Accept-Language": "ar"}).content.decode()
    assert '<html lang="ar" dir="rtl"' in page
    assert "dir=" not in client.get(reverse("account_login")).content.decode().partition(">")[0]


def test_the_choice_of_the_person_beats_the_browser(alice: User) -> None:
    client = browser_of(alice)
    save = reverse("save_account_setting")
    client.post(save, {"field": "language", "language": "fr"})
    assert language(client, GERMAN, "account_appearance") == "fr"
    client.cookies.pop(settings.SESSION_COOKIE_NAME)
    assert language(client, GERMAN) == "fr"  # the sign-in page of this browser, too
    client = browser_of(alice)
    client.post(save, {"field": "language", "language": ""})
    assert language(client, GERMAN, "account_appearance") == "de"


def test_a_chosen_language_is_seen_at_once(alice: User) -> None:
    form = {"field": "language", "language": "es"}
    answer = browser_of(alice).post(reverse("save_account_setting"), form, headers={"HX-Request": "true"})
    assert answer.headers["HX-Refresh"] == "true"


def test_a_language_that_is_not_offered_is_refused(alice: User) -> None:
    client = browser_of(alice)
    assert (
        client.post(reverse("save_account_setting"), {"field": "language", "language": "tlh"}).status_code
        == 422
    )
    alice.refresh_from_db()
    assert alice.language == ""


def test_a_language_that_is_offered_no_more_is_forgotten(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(language="tlh")
    assert language(browser_of(alice), GERMAN, "account_appearance") == "de"


def test_a_browser_without_an_account_chooses_on_the_sign_in_page(client: Client, db: None) -> None:
    here = reverse("account_login")
    assert "Español" in client.get(here).content.decode()
    answer = client.post(reverse("set_language"), {"language": "es", "next": here}, headers=GERMAN)
    assert answer.headers["Location"] == here
    assert language(client, GERMAN) == "es"


def test_choosing_a_language_leads_to_no_other_site(client: Client, db: None) -> None:
    answer = client.post(reverse("set_language"), {"language": "es", "next": "https://evil.example/"})
    assert "evil" not in answer.headers["Location"]
    guarded = Client(enforce_csrf_checks=True)
    assert guarded.post(reverse("set_language"), {"language": "es"}).status_code == 403


def test_programs_read_english(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(language="de")
    client = browser_of(alice)
    refused = client.post(reverse("api-datasources"), {}, content_type="application/json", headers=GERMAN)
    assert "required" in refused.json()["message"]
    assert "Content-Language" not in refused.headers


def test_the_administration_stays_english(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(language="de", is_staff=True, is_superuser=True)
    page = browser_of(alice).get(reverse("admin:index"), headers=GERMAN)
    assert page.headers["Content-Language"] == "en"
    assert "Log out" in text_of(page)


def test_what_a_form_says_is_in_the_language_of_the_page(client: Client, db: None) -> None:
    form = {"login": "nobody", "password": ""}
    page = client.post(reverse("account_login"), form, headers=GERMAN)
    assert "Dieses Feld ist zwingend erforderlich" in text_of(page)


def test_the_account_offers_its_languages(alice: User, settings: Any) -> None:
    page = reverse("account_appearance")
    assert "Deutsch" in browser_of(alice).get(page).content.decode()
    settings.LANGUAGES = [("en", "English")]
    alone = browser_of(alice).get(page).content.decode()
    assert 'id="set-language"' not in alone
