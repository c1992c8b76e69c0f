"""What code makes of a model's answer, or of passages without a model: verdicts and checked evidence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext_noop

from answering.cleaning.cleaner import Cleaner
from citations.choices import OnPage, Support
from citations.entailed import ChosenModel, check_with_model, looked_up_once
from citations.parse import Quotation
from citations.place import Place, find
from citations.settled import CUTS_WORD
from datasources.models import Document
from desks.compliance.checks.asking import WrittenPart, WrittenVerdict
from desks.compliance.checks.nearest_words import NearestWords
from desks.compliance.checks.searching import Searched
from desks.compliance.models import Evidence, EvidenceKind, Verdict
from reader import page_images
from retrieval.query import Scope

MOST_PARTS, MOST_QUOTES = 10, 4  # of a requirement, of a part
LONGEST_LINE, LONGEST_DRAFT, LONGEST_REASON = 600, 4_000, 500  # characters
PASSAGES_A_PART = 2  # shown where no model judges
NOT_THERE = gettext_noop("The words that were quoted for it are not in the documents.")
CONTRADICTED = gettext_noop("The quoted words say something else than what is stated of them.")


@dataclass(slots=True, kw_only=True)
class Outcome:
    """A finding that is not stored yet. parts: as Finding.parts; evidence: rows without their finding."""

    verdict: Verdict
    reason: str = ""
    parts: list[dict[str, Any]] = field(default_factory=list)
    draft: str = ""
    evidence: list[Evidence] = field(default_factory=list)
    read: list[int] = field(default_factory=list)


def nearest_passages(searched: Searched, cleaner: Cleaner) -> Outcome:
    """Without a language model: what comes nearest to each part. A person judges; nearness is no verdict."""
    outcome = Outcome(
        verdict=Verdict.TO_JUDGE,
        parts=[
            {"text": part, "verdict": Verdict.TO_JUDGE, "statement": "", "reason": ""}
            for part in searched.parts
        ],
        read=_documents(searched),
    )
    for part, places in enumerate(NearestWords(searched).of_parts(PASSAGES_A_PART)):
        for place in places:
            if row := _row(place, part, EvidenceKind.PASSAGE):
                _add(outcome, row, cleaner)
    return outcome


def judged(written: WrittenVerdict, searched: Searched, scope: Scope, cleaner: Cleaner) -> Outcome:
    """A model's verdict as far as its quotes prove it."""
    outcome = Outcome(verdict=Verdict.NOT_APPLICABLE, read=_documents(searched))
    if not written.applies:
        outcome.reason = _line(written.why_not, cleaner)
        return outcome
    entailment = looked_up_once()
    for place, part in enumerate(written.parts[:MOST_PARTS]):
        quotes = list(_checked_quotes(place, part, searched, scope, entailment))
        outcome.parts.append(_judged_part(part, quotes, cleaner, outcome))
    outcome.verdict = together([Verdict(part["verdict"]) for part in outcome.parts])
    if outcome.verdict in (Verdict.PARTIAL, Verdict.MISSING):
        outcome.draft = _line(written.draft, cleaner, LONGEST_DRAFT)
    if not outcome.parts:
        outcome.reason = gettext_noop("The model named no part of the point.")
    return outcome


def together(verdicts: Sequence[Verdict]) -> Verdict:
    """Of the parts of a requirement. What nobody could judge keeps the whole from being judged."""
    if not verdicts or Verdict.TO_JUDGE in verdicts:
        return Verdict.TO_JUDGE
    if all(each == verdicts[0] for each in verdicts):
        return verdicts[0]
    return Verdict.PARTIAL


def _judged_part(
    part: WrittenPart, rows: Sequence[Evidence], cleaner: Cleaner, outcome: Outcome
) -> dict[str, Any]:
    told = {
        "text": _line(part.text, cleaner),
        "verdict": str(Verdict(part.verdict)),
        "statement": _line(part.statement, cleaner),
        "reason": _line(part.reason, cleaner),
    }
    if part.verdict == "missing":
        told["statement"] = ""
        return told
    for row in rows:
        _add(outcome, row, cleaner)
    if not rows:
        told |= {"verdict": str(Verdict.TO_JUDGE), "reason": NOT_THERE}
    elif all(row.support == Support.CONTRADICTED for row in rows):
        told |= {"verdict": str(Verdict.TO_JUDGE), "reason": CONTRADICTED}
    return told


def _checked_quotes(
    place: int, part: WrittenPart, searched: Searched, scope: Scope, chosen: ChosenModel
) -> Iterator[Evidence]:
    """None for a part that a model found missing."""
    if part.verdict == "missing":
        return
    seen: set[tuple[int, int, int]] = set()
    for n, written in enumerate(part.quotes[:MOST_QUOTES], start=1):
        asked = Quotation(n=n, claim=part.statement, key=written.passage, quote=written.quote)
        stands = find(asked, searched.passages, scope)
        row = _row(stands, place, EvidenceKind.QUOTE)
        if stands is None or row is None or (key := (row.document_id, row.start, row.end)) in seen:
            continue
        seen.add(key)
        check = check_with_model(
            part.statement[:LONGEST_LINE], stands.quote, stands.context, chosen, stands.at
        )
        row.support, row.reason = check.support, check.reason[:LONGEST_REASON]
        if row.support == Support.SUPPORTED and stands.cuts_word:
            row.support, row.reason = Support.NEEDS_EYE, CUTS_WORD
        yield row


def _row(place: Place | None, part: int, kind: EvidenceKind) -> Evidence | None:
    """None if the document was deleted meanwhile, or its text has changed."""
    document = None if place is None else Document.objects.filter(pk=place.document_id).first()
    if place is None or document is None or not place.quote.strip():
        return None
    boxes = page_images.place(document, place.start, place.end)
    return Evidence(
        part=part,
        kind=kind,
        document=document,
        title=document.title,
        sha256=document.sha256,
        quote=place.quote,
        start=place.start,
        end=place.end,
        pages=list(boxes) or [place.first_page],
        boxes={str(page): rects for page, rects in boxes.items()},
        on_page=OnPage(place.method),
    )


def _add(outcome: Outcome, row: Evidence, cleaner: Cleaner) -> None:
    row.n = len(outcome.evidence) + 1
    row.quote, row.reason = cleaner.hide(row.quote), cleaner.hide(row.reason)[:LONGEST_REASON]
    outcome.evidence.append(row)


def _documents(searched: Searched) -> list[int]:
    return sorted({passage.document_id for passage in searched.passages.values()})


def _line(text: str, cleaner: Cleaner, most: int = LONGEST_LINE) -> str:
    """A model's words without markup, as the policy for personal data lets them be shown."""
    line = " ".join(text.split())[: 2 * most]  # cut twice: what is masked must be whole, and grows by that
    return cleaner.prose(line, 0, len(line))[:most]
