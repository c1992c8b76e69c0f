"""Does a quote carry its claim: figures must agree, and so must the meaning."""

from typing import Any

import pytest

from chat.citations.support import unsupported
from providers.protocols import Embedder
from providers.roles import embedder

QUOTE = "The Supplier shall keep backups for 30 days and pay a fine of 180,000 euros under clause 7.2."


@pytest.fixture
def model(settings: Any, tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    return embedder()


@pytest.mark.parametrize(
    "claim",
    [
        "The Supplier shall keep backups for 30 days",
        "the **supplier** shall keep\nbackups for 30 days.",
        "The Supplier has to keep its backups for 30 days (see clause 9.4 and section 12).",
        "The Supplier pays a fine of 180000 euros.",
    ],
)
def test_a_claim_that_the_quote_carries_has_no_doubt(claim: str, model: Embedder) -> None:
    assert unsupported(claim, QUOTE, model) == ""


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("Backups are kept for 31 days.", "The quote does not say 31."),
        ("Backups are kept for 31 days in 4 regions.", "The quote does not say 31, 4."),
        ("The fine is 18,000 euros.", "The quote does not say 18000."),
        ("Gulls nest on the northern cliffs in spring.", "The quote is about something else than the claim."),
        ("", "There is no claim before this quote."),
        (" ** ", "There is no claim before this quote."),
    ],
)
def test_a_doubt_is_told_in_a_sentence(claim: str, reason: str, model: Embedder) -> None:
    assert unsupported(claim, QUOTE, model) == reason
