"""What the pack's Word and text say beside what every export says: the facts that a reader would check."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from chat.exports import Beside
from packs.keys import PublicKey

MASKED = "E-mail addresses, numbers and keys are masked, as the owner of the documents wants; names are not."


def beside_answers(facts: Mapping[str, Any]) -> dict[UUID, Beside]:
    """By answer: who wrote it, with which prompts; and of each quote who has checked it."""
    return {
        UUID(answer["id"]): Beside(
            answer=[answer["model"]["said"]],
            quotes={quote["n"]: quote["checked"] for quote in answer["citations"]},
        )
        for answer in facts["answers"]
    }


def ending(facts: Mapping[str, Any], key: PublicKey) -> list[str]:
    """When the pack was written, and whose signature it has."""
    return [
        *([MASKED] if facts["masked"] else []),
        f"Part of an evidence pack that SVQ {facts['svq']} wrote at {facts['written']}. Every file of it"
        f" is signed; the key that signs has the fingerprint {key.shown}.",
    ]
