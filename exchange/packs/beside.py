"""What the pack's Word and text say beside what every export says: the facts that a reader would check."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from chat.exports import Beside
from exchange.packs.keys import PublicKey

MASKED = gettext_noop(
    "E-mail addresses, numbers and keys are masked, as the owner of the documents wants; names are not."
)


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
        *([_(MASKED)] if facts["masked"] else []),
        _(
            "Part of an evidence pack that SVQ {svq} wrote on {time}. Every file of it is signed; the key "
            "that signs has the fingerprint {key}."
        ).format(svq=facts["svq"], time=_moment(facts["written"]), key=key.shown),
    ]


def _moment(written: str) -> str:
    return date_format(localtime(datetime.fromisoformat(written)), "j F Y, H:i e")


def hash_of(document: Mapping[str, Any]) -> str:
    """Of its file. document: as pack.json has it."""
    return f"SHA-256 {document['sha256']}" if document["sha256"] else _("Its hash is no longer known.")
