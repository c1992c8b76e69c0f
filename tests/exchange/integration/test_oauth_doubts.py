"""What programs might do to others who ask to be let in, or to whoever reads their names."""

import unicodedata
from typing import Any

import pytest
from django.core.cache import cache

from accounts.models import User
from accounts.programs import described, tokens
from accounts.programs.models import Grant, Program
from tests.exchange.oauth_program import OAuthProgram, link_of, register, sent_back


@pytest.fixture(autouse=True)
def _nobody_has_tried(db: None) -> None:
    cache.clear()


@pytest.mark.parametrize("challenge", ["", " ", "="])
def test_a_challenge_that_nothing_matches_is_refused_before_the_question(alice: User, challenge: str) -> None:
    program = OAuthProgram()
    program.asked["code_challenge"] = challenge
    answer = program.answer(alice)
    assert "error=invalid_request" in link_of(answer)
    assert "code" not in sent_back(answer)


def test_a_program_that_is_about_to_be_let_in_is_not_pushed_out(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = OAuthProgram()
    code = program.code(alice)
    monkeypatch.setattr(described, "MOST_WAITING", 1)
    assert register("flood").status_code == 400
    assert program.change(code).status_code == 200


def test_marks_on_a_letter_do_not_cover_what_stands_around(alice: User) -> None:
    name = "Z" + "\u0351\u036b\u0343" * 30 + "oe\u0323\u0302"
    shown = str(OAuthProgram(name).registered["client_name"])
    assert len([sign for sign in shown if unicodedata.combining(sign)]) <= 4
    assert unicodedata.normalize("NFD", shown).endswith("oe\u0323\u0302")


def test_two_tokens_that_begin_alike_have_two_names(alice: User, monkeypatch: Any) -> None:
    monkeypatch.setattr(tokens, "new_beginning", lambda: "svqp_abc")
    for _ in range(2):
        assert OAuthProgram("Notebook").tokens(alice)["access_token"].startswith("svqp_abc")
    assert Grant.objects.count() == Program.objects.count() == 2
