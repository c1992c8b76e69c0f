"""answer.pdf: a pack on paper."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime

from chat.models import Turn
from chat.web.files.answer_parts import parts_of
from formats.rendition.lacking_letters import said_of_letters
from formats.rendition.report import NotSet, report_pdf
from packs.content import Content, shown_citations, summary
from packs.keys import PublicKey

TEMPLATE = Path(__file__).with_name("pack.typ")
SECONDS = 60
FAILED = "The PDF of this pack could not be made. Take the packs of single answers, from the line under each."


def as_pdf(content: Content, facts: Mapping[str, Any], key: PublicKey, folder: Path) -> bytes:
    """facts: pack.json; its pictures are in the folder. Raises ValidationError when it takes too long."""
    values = {
        **facts,
        "lacking": _said_of_letters(json.dumps(facts, ensure_ascii=False)),
        "summary": summary(content),
        "written_on": _day(datetime.fromisoformat(facts["written"])),
        "key": key.shown,
        "path": reverse("pack_verifier"),
        "answers": [
            _answer(content, turn, told) for turn, told in zip(content.turns, facts["answers"], strict=True)
        ],
    }
    try:
        return report_pdf(TEMPLATE, values, seconds=SECONDS, folder=folder)
    except NotSet as error:
        raise ValidationError(FAILED, code="pack_failed") from error


def _said_of_letters(text: str) -> str:
    """That the PDF lacks the letters of some scripts in the text; empty where it has all."""
    said = said_of_letters(text)
    return f"{said} Read them in answer.html." if said else ""


def _answer(content: Content, turn: Turn, told: dict[str, Any]) -> dict[str, Any]:
    parts = [asdict(part) for part in parts_of(told["answer"])]
    quotes = [
        quote
        | {
            "quote": " ".join(content.source(citation).quote_as_read.split()),
            "claim": content.source(citation).claim,
        }
        for citation, quote in zip(shown_citations(turn), told["citations"], strict=True)
    ]
    return told | {"asked_on": _day(turn.created), "parts": parts, "citations": quotes}


def _day(moment: datetime) -> str:
    return date_format(localtime(moment), "j F Y \\a\\t H:i e")
