"""Where no server plays the judge: none is set, and none is connected."""

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from citations.judge import judge_support
from citations.statements import Statement
from providers.protocols import ProviderError

pytestmark = pytest.mark.django_db


def test_a_claim_has_no_second_opinion() -> None:
    with pytest.raises(ProviderError, match="No model server plays the judge"):
        judge_support(Statement(n=1, claim="A.", quote="B."))


def test_asking_for_one_is_refused_before_anything_is_checked(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text('{"claim": "Sales rose.", "quote": "Sales rose."}', encoding="utf-8")
    with pytest.raises(CommandError, match="No model server plays the judge"):
        call_command("check_claims", str(file), "--judge", stdout=io.StringIO())
