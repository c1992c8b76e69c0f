"""answer.pdf: a pack on paper."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from chat.exports import told_in_answer
from chat.models import Turn
from chat.web.files.answer_parts import parts_of
from exchange.packs.beside import MASKED, hash_of
from exchange.packs.content import Content, claim_of, says_more, shown_citations, summary
from exchange.packs.keys import PublicKey
from formats.rendition.lacking_letters import said_of_letters
from formats.rendition.report import NotSet, report_pdf
from localization.moments import day_and_time

TEMPLATE = Path(__file__).with_name("pack.typ")
SECONDS = 60
FAILED = gettext_noop(
    "The PDF of this pack could not be made. Take the packs of single answers, from the line under each."
)


def as_pdf(content: Content, facts: Mapping[str, Any], key: PublicKey, folder: Path) -> bytes:
    """facts: what pack.json says, in the language of the PDF; its pictures are in the folder. Raises
    ValidationError when it takes too long.
    """
    values = {
        **facts,
        "words": _words(content, facts, key),
        "lacking": _said_of_letters(json.dumps(facts, ensure_ascii=False)),
        "documents": [each | {"hash": hash_of(each)} for each in facts["documents"]],
        "answers": [
            _answer(content, turn, told) for turn, told in zip(content.turns, facts["answers"], strict=True)
        ],
    }
    try:
        return report_pdf(TEMPLATE, values, seconds=SECONDS, folder=folder)
    except NotSet as error:
        raise ValidationError(_(FAILED), code="pack_failed") from error


def _words(content: Content, facts: Mapping[str, Any], key: PublicKey) -> dict[str, str]:
    """What the template says of its own."""
    written = datetime.fromisoformat(facts["written"])
    from_where = _("{summary}, from “{collection}”. Written by SVQ {svq} on {day} at {time}.")
    signed = _(
        "Every file of the pack that this is from is signed. The page {path} at the address of the sender’s "
        "SVQ, which needs no account, says whether a byte was changed since. Fingerprint of the key that "
        "signs: {key}"
    )
    return {
        "kind": _("Evidence pack"),
        "written": from_where.format(
            summary=summary(content),
            collection=facts["collection"],
            svq=facts["svq"],
            **day_and_time(written),
        ),
        "masked": _(MASKED) if facts["masked"] else "",
        "no_source": _("No source found"),
        "answer_says": _("The answer says"),
        "answer_quotes": _("The answer quotes"),
        "document_says": _("The document says"),
        "documents": _("Documents cited"),
        "none": _("None."),
        "picture": _("The quoted words, marked on their page"),
        "signed": signed.format(path=reverse("pack_verifier"), key=key.shown),
    }


def _said_of_letters(text: str) -> str:
    """That the PDF lacks the letters of some scripts in the text; empty where it has all."""
    said = said_of_letters(text)
    return " ".join([said, _("Read them in answer.html.")]) if said else ""


def _answer(content: Content, turn: Turn, told: dict[str, Any]) -> dict[str, Any]:
    parts = [asdict(part) for part in parts_of(told["answer"])]
    asked = _("Asked on {day} at {time}.").format(**day_and_time(turn.created))
    in_answer = told_in_answer(turn)
    quotes = [
        quote
        | {
            "quote": " ".join(content.source(citation).quote_as_read.split()),
            "claim": claim_of(turn, content.source(citation)),
            "says_more": says_more(content.source(citation), in_answer),
        }
        for citation, quote in zip(shown_citations(turn), told["citations"], strict=True)
    ]
    return told | {"asked_on": asked, "parts": parts, "citations": quotes}
