"""What a share link shows: its answers, masked as in an evidence pack, and the pages that they cite."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy

from chat.branches import branches_of
from chat.citation_rows import proof
from chat.models import UNFINISHED, Citation, Turn
from exchange.packs.content import Content, content_of_answers, shown_citations
from exchange.packs.pictures import hides_pages
from exchange.shares.models import ShareLink

MOST_ANSWERS = 50
NOTHING = gettext_lazy("There is no finished answer to share yet.")
MANY = format_lazy(
    gettext_lazy("A share link shows {n} answers at most. Share single answers, from the line under each."),
    n=MOST_ANSWERS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPage:
    """A page that a shared quote stands on."""

    citation: Citation
    number: int


def shown_by(link: ShareLink) -> Content:
    """Raises ValidationError where it has no answer, or too many."""
    return _content(link, answers_of(link))


def answers_of(link: ShareLink) -> Sequence[Turn]:
    """Those that are finished; of a conversation, those of the branch that was newest when it was made."""
    there = link.conversation.turns.exclude(status__in=UNFINISHED)
    if link.turn_id is None:
        branch = branches_of(link.conversation, until=link.last_number).path()
        chosen = there.filter(number__in=branch)
    else:
        chosen = there.filter(pk=link.turn_id)
    answers = list(chosen.order_by("number")[: MOST_ANSWERS + 1])
    if not answers:
        raise ValidationError(NOTHING, code="nothing_to_share")
    if len(answers) > MOST_ANSWERS:
        raise ValidationError(MANY, code="too_many_answers")
    return answers


def page_of(link: ShareLink, number: int, n: int, page: int) -> SharedPage | None:
    """The page of that number on which quote `n` of answer `number` stands; None for any other page."""
    answers = [turn for turn in answers_of(link) if turn.number == number]
    if not answers:
        return None
    content = _content(link, answers)
    for citation in shown_citations(answers[0]):
        if citation.n == n and page in pages_of(content, citation):
            return SharedPage(citation=citation, number=page)
    return None


def pages_of(content: Content, citation: Citation) -> Sequence[int]:
    """The numbers of the pages that are shown with a quote."""
    return [] if hides_pages(content, citation) else proof.drawn_on(citation)


def _content(link: ShareLink, answers: Sequence[Turn]) -> Content:
    kind = "answer" if link.turn_id else "conversation"
    return content_of_answers(kind, link.about, link.conversation, answers)
