"""People read about programs in their language, programs read English whatever they ask for."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from accounts.programs.models import Grant
from tests.exchange.oauth_program import OAuthProgram
from tests.localization.pseudo import HEADERS, pseudo_language
from tests.people import browser_of


@pytest.fixture(autouse=True)
def _pseudo() -> Iterator[None]:
    with pseudo_language():
        yield


def test_what_a_program_may_is_said_in_words(alice: User, admin_user: User) -> None:
    OAuthProgram("Notebook").tokens(alice)
    mine = browser_of(alice).get("/settings/programs/", headers=HEADERS).content.decode()
    assert "⁅read⁆, ⁅ask⁆" in mine
    assert "⁅All of yours⁆" in mine
    every = browser_of(admin_user).get("/settings/programs/of-everybody/", headers=HEADERS).content.decode()
    assert "⁅read⁆, ⁅ask⁆" in every


def test_it_is_told_how_many_were_ended(alice: User, admin_user: User) -> None:
    OAuthProgram().tokens(alice)
    chief, address = browser_of(admin_user), "/settings/programs/of-everybody/"
    page = chief.post(address, {"program": str(Grant.objects.get().pk)}, follow=True)
    assert "1 program ended." in page.content.decode()


def test_a_program_that_registers_is_answered_in_english(db: None) -> None:
    answer = Client().post("/oauth/register", "{}", content_type="application/json", headers=HEADERS)
    assert answer.json()["error_description"] == "redirect_uris has to be a list of addresses."


def test_why_a_program_is_not_known_is_said_to_the_person(alice: User, settings: Any) -> None:
    settings.FETCH_PRIVATE_ADDRESSES = False
    program = OAuthProgram()
    asked = program.address.replace(program.asked["client_id"], "https%3A%2F%2Flocalhost%2Fapp.json")
    page = browser_of(alice).get(asked, headers=HEADERS)
    assert page.status_code == 400
    assert "⁅The program’s address can’t be reached from this server." in page.content.decode()
