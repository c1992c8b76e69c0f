"""A conversation as a Word file to hand on: answers, and their sources with each quote on its page."""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from django.utils.timezone import now
from django.utils.translation import gettext as _

from chat.exports import NOTHING_BESIDE, Beside, answer_of, said_beside, told_in_answer
from chat.models import Citation, Conversation, Turn, TurnStatus
from chat.web.answers.rendering import source_address
from chat.web.files.answer_parts import parts_of
from chat.web.files.quote_pictures import Pictures, QuotePictures, not_shown
from chat.web.files.word_paper import WordPaper
from chat.wording import introduction, statements
from localization.moments import day_and_time

MOST_PICTURES = 40  # drawn into one file
UNDER_ANSWER = 2  # the level of the heading that an answer's own stand under


def word_file(conversation: Conversation, site: str) -> bytes:
    """site: the address that links lead to, without a slash at its end."""
    turns = list(conversation.turns.order_by("number").prefetch_related("citations__document"))
    return WordFile(QuotePictures(MOST_PICTURES), site).written(str(conversation), turns)


class WordFile:
    """One file while it is written. site: as `word_file` takes it; without one it has no links.

    beside: by answer, what else is said of it. end: sentences at the end of the file.
    """

    def __init__(
        self,
        pictures: Pictures,
        site: str = "",
        beside: Mapping[UUID, Beside] | None = None,
        end: Sequence[str] = (),
    ) -> None:
        self.beside = beside or {}
        self.end = end
        self.site = site
        self.pictures = pictures

    def written(self, title: str, turns: Sequence[Turn]) -> bytes:
        paper = WordPaper(title, _("Written by SVQ on {day} at {time}.").format(**day_and_time(now())))
        for turn in turns:
            self._turn(paper, turn)
        self._documents(paper, turns)
        for text in self.end:
            paper.small(text)
        return paper.file()

    def _turn(self, paper: WordPaper, turn: Turn) -> None:
        paper.heading(turn.question, level=1)
        beside = self.beside.get(turn.pk, NOTHING_BESIDE)
        if said := introduction(turn):
            paper.line(said)
        for text in beside.answer:
            paper.small(text)
        if turn.status == TurnStatus.NOT_FOUND:
            return
        paper.parts(parts_of(answer_of(turn)), below=UNDER_ANSWER)
        for text in said_beside(turn):
            paper.small(text)
        has_model = turn.model and not turn.quotes_only and not beside.answer
        written_by = _("Answered by {model}.").format(model=turn.model) if has_model else ""
        asked = _("Asked on {day} at {time}.").format(**day_and_time(turn.created))
        paper.small(f"{written_by} {asked}".strip())
        citations = list(turn.citations.all())
        if citations:
            paper.heading(_("Sources"), level=2)
        told = told_in_answer(turn)
        for citation in citations:
            is_told = citation.n in told
            self._source(paper, citation, beside.quotes.get(citation.n, ()), is_told=is_told)

    def _source(self, paper: WordPaper, citation: Citation, said: Sequence[str], *, is_told: bool) -> None:
        paper.source(citation.n, citation.name or _("No source found"), citation.where, statements(citation))
        if not is_told:
            paper.quote(citation.quote or citation.written)
        for text in said:
            paper.small(text)
        paper.pictures(self.pictures.of(citation))
        if self.site:
            paper.small(self.site + source_address(citation.turn, citation.n))

    def _documents(self, paper: WordPaper, turns: Iterable[Turn]) -> None:
        """Which files the quotes were checked against, so that each can be recognised."""
        cited = {
            citation.document.pk: citation.document
            for turn in turns
            if turn.status != TurnStatus.NOT_FOUND
            for citation in turn.citations.all()
            if citation.document is not None and not citation.is_file_deleted
        }
        for text in not_shown(self.pictures):
            paper.small(text)
        if not cited:
            return
        paper.heading(_("Documents cited"), level=1)
        rows = [[_("Document"), _("File"), "SHA-256"]]
        rows += [[each.title, each.filename, each.sha256] for each in cited.values()]
        paper.table(rows)
        paper.small(
            _(
                "Each quote was looked for in the text of its document; “on the page” says that it is there. "
                "Whether it supports what is said is another check, told beside it."
            )
        )
