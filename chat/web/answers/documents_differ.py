"""The card of two documents that answer a question differently: both sides with their pages, and a sentence
that may rank the two.
"""

from dataclasses import dataclass
from datetime import date

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from answering.differing.kinds import POLARITY
from answering.values.personal_data import PersonalData
from chat import two_sides
from chat.citation_rows.as_read import as_read
from chat.models import AnswerSettings, Citation, Turn
from chat.one_clause import OneClause, day_of, in_order, one_clause
from chat.web.answers.rendering import source_address
from chat.web.answers.source import Crop, Source
from reader import page_images


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Of a quote: its document with its day, where it stands there, and the page of the conversation that
    opens it.
    """

    n: int
    title: str
    day: date | None
    where: str
    address: str

    @classmethod
    def of(cls, citation: Citation) -> "Place":
        return cls(
            n=citation.n,
            title=citation.name,
            day=day_of(citation),
            where=citation.where,
            address=source_address(citation.turn, citation.n),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """`value` is empty where one document says yes and the other no: the quote is the answer then.

    before, marked, after: the quote, with what is marked in it. middle: where the value stands in the crop,
    in parts of its width.
    """

    place: Place
    value: str
    before: str
    marked: str
    after: str
    crop: Crop | None
    middle: float

    @property
    def quote(self) -> str:
        return f"{self.before}{self.marked}{self.after}"

    @property
    def picture(self) -> str:
        """What the crop is, for who does not see it."""
        return _("{place} of {title}, with the quote marked: {quote}").format(
            place=capfirst(self.place.where), title=self.place.title, quote=self.quote
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentsDiffer:
    title: str
    sides: list[Side]
    clause: OneClause | None
    ranked_by: Place | None
    unranked: str  # what is said where nothing ranks them
    ranking: str  # the quote that has the sentence, or empty

    @property
    def is_ranked_by_a_side(self) -> bool:
        """Whether one of the two sides says itself that it changes the other."""
        return self.ranked_by is not None and self.ranked_by.n in {side.place.n for side in self.sides}


def documents_differ(turn: Turn) -> DocumentsDiffer | None:
    """None where nothing differs, or where it can no longer be shown."""
    found = two_sides.two_sides(turn)
    if found is None:
        return None
    # Words on the lines around a quote are in no answer whose datasource masks personal data.
    masks = AnswerSettings.objects.of(turn.conversation.datasource).personal_data == PersonalData.MASK
    clause = one_clause(found.one.citation, found.other.citation)
    return DocumentsDiffer(
        title=_("One clause, two versions") if clause else _(found.title),
        sides=[
            _side(side, whole=found.kind == POLARITY, drawn=not masks) for side in in_order(found, clause)
        ],
        clause=clause,
        ranked_by=Place.of(found.ranked_by) if found.ranked_by else None,
        unranked=_(two_sides.UNRANKED),
        ranking=_folded(as_read(found.ranked_by)) if found.ranked_by else "",
    )


def _side(side: two_sides.Side, *, whole: bool, drawn: bool) -> Side:
    quote = side.citation.quote
    before, after = quote[: side.start], quote[side.end :]
    crop, middle = _crop(side) if drawn else (None, 0.0)
    return Side(
        place=Place.of(side.citation),
        value="" if whole else side.value,
        before=_folded(before) + " " * before[-1:].isspace(),
        marked=_folded(as_read(side.citation)) if whole else side.value,
        after=" " * after[:1].isspace() + _folded(after),
        crop=crop,
        middle=0.0 if whole else middle,
    )


def _crop(side: two_sides.Side) -> tuple[Crop | None, float]:
    """Of the page with the value, and where it stands across it; None where the page cannot be shown."""
    citation, source = side.citation, Source(side.citation)
    value = source.boxes_of(side.start, side.end)
    crop = next((crop for crop in source.crops if crop.page in value), None) or next(iter(source.crops), None)
    if crop is None or citation.document is None:
        return None, 0.0
    boxes = citation.boxes_on(crop.page)
    (first, *_) = value.get(crop.page) or boxes
    heads = source.heads.boxes.get(crop.page, [])
    return crop, page_images.across_crop(citation.document, crop.page, boxes, heads, of=first)


def _folded(text: str) -> str:
    return " ".join(text.split())
