"""What goes into a pack: the answers of one person, as that person may see them."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db.models import prefetch_related_objects
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from answering.values.personal_data import NOTICE
from chat.branches import branches_of
from chat.exports import same_words
from chat.masking import mask_unwritten, masked
from chat.models import UNFINISHED, Citation, Conversation, Turn, TurnStatus
from chat.web.answers.source import Source
from citations.choices import OnPage
from datasources.masking import mask_row
from datasources.models import Document
from localization.numbers import numeral
from text.personal.personal_data import mask

MOST_ANSWERS = 100
MOST_QUOTES = 1_500
# What a pack hands to others, beside what `chat.masking` masks for members: these see the documents' names.
OF_TURN = ("question", "notices", "search", "differ", "error_message")
# What is noticed beside an answer and bears on whether it can be relied on. Other notices may name documents
# that are not cited, costs, or servers of the house: these stay in it.
TOLD_OUTSIDE = frozenset(
    {
        "counted",
        "sample",
        "listed",
        "attached",
        "reused",
        "withheld",
        "stalled",
        "broken_off",
        "cut_off",
        "too_much",
        "answers_partly",
        "answers_not",
        "elsewhere",
        NOTICE,
    }
)
IN_OTHER_WORDS = {
    "read_whole": gettext_noop("Whole documents were read for this answer."),
    "not_read_whole": gettext_noop("Some pages that this answer needs could not be read."),
}
OF_CITATION = ("document_title", "cited_as")
OF_DOCUMENT = ("title", "filename")
UNFINISHED_ANSWER = gettext_noop("The answer is still being written. Take the pack when it is there.")
NO_ANSWER = gettext_noop("There is no answer in this conversation yet.")
MANY_QUOTES = gettext_noop("This answer has more quotes than an evidence pack holds ({quotes}).")
LARGE = gettext_noop(
    "An evidence pack holds {answers} answers with {quotes} quotes at most; this conversation"
    " has more. Take the packs of single answers, from the line under each."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """turns: with their citations and these with their documents; masked in memory where the datasource's
    owner wants that, which `is_masked` tells. title, collection: masked as well.
    """

    kind: str  # "answer" or "conversation"
    title: str
    collection: str
    conversation: Conversation
    turns: Sequence[Turn]
    is_masked: bool
    _sources: dict[tuple[UUID, int], Source] = field(default_factory=dict, init=False)

    @property
    def quotes(self) -> Iterable[Citation]:
        """All that are shown: an answer that was not given has none."""
        return (citation for turn in self.turns for citation in shown_citations(turn))

    def source(self, citation: Citation) -> Source:
        """What is shown of a quote; one for all forms of the pack, as it asks the database."""
        return self._sources.setdefault((citation.turn_id, citation.n), Source(citation))

    @property
    def documents(self) -> Sequence[Document]:
        """Those that are cited and still have their rows, in the order in which they are cited."""
        cited = (citation.document for citation in self.quotes)
        return list({document.pk: document for document in cited if document}.values())

    @property
    def gone(self) -> Sequence[str]:
        """The titles of cited documents whose rows are gone: only their names are left."""
        quotes = (each for each in self.quotes if each.document is None and each.on_page != OnPage.ABSENT)
        return sorted({citation.document_title for citation in quotes})


def shown_citations(turn: Turn) -> Sequence[Citation]:
    return [] if turn.status == TurnStatus.NOT_FOUND else list(turn.citations.all())


def claim_of(turn: Turn, source: Source) -> str:
    """What the answer says with a quote; empty where those are the quote's own words."""
    claim, quote = (same_words(text).rstrip(".") for text in (source.claim, source.citation.quote))
    return "" if turn.quotes_only or claim == quote else source.claim


def says_more(source: Source, told: Collection[int]) -> bool:
    """Whether the quote tells what the answer does not: its words, or the rest of their sentence. told: as
    `told_in_answer` has them.
    """
    return source.has_rest or source.citation.n not in told


def content_of_turn(turn: Turn) -> Content:
    """Raises ValidationError while it is being written, and where it has too much."""
    if turn.is_unfinished:
        raise ValidationError(_(UNFINISHED_ANSWER), code="unfinished")
    if turn.citations.count() > MOST_QUOTES:
        raise ValidationError(_(MANY_QUOTES).format(quotes=numeral(MOST_QUOTES)), code="pack_large")
    return content_of_answers("answer", turn.question, turn.conversation, [turn])


def content_of_conversation(conversation: Conversation) -> Content:
    """The finished answers of the branch that is open at first, without other versions of a question. Raises
    ValidationError where there is none, or too much.
    """
    shown = conversation.turns.filter(number__in=branches_of(conversation).path())
    finished = shown.exclude(status__in=UNFINISHED).order_by("number")
    turns = list(finished[: MOST_ANSWERS + 1])
    if not turns:
        raise ValidationError(_(NO_ANSWER), code="no_answer")
    quotes = Citation.objects.filter(turn__in=finished).count()
    if len(turns) > MOST_ANSWERS or quotes > MOST_QUOTES:
        raise ValidationError(
            _(LARGE).format(answers=MOST_ANSWERS, quotes=numeral(MOST_QUOTES)), code="pack_large"
        )
    return content_of_answers("conversation", str(conversation), conversation, turns)


def summary(content: Content) -> str:
    """“3 answers with 12 quotes from 2 documents”."""
    quotes, documents = len(list(content.quotes)), len(content.documents) + len(content.gone)
    answers = ngettext("{n} answer", "{n} answers", len(content.turns)).format(n=numeral(len(content.turns)))
    if not quotes:
        return answers
    of_quotes = ngettext("{n} quote", "{n} quotes", quotes).format(n=numeral(quotes))
    if not documents:
        return _("{answers} with {quotes}").format(answers=answers, quotes=of_quotes)
    of_documents = ngettext("{n} document", "{n} documents", documents).format(n=numeral(documents))
    told = _("{answers} with {quotes} from {documents}")
    return told.format(answers=answers, quotes=of_quotes, documents=of_documents)


def content_of_answers(kind: str, title: str, conversation: Conversation, turns: Sequence[Turn]) -> Content:
    """These answers as somebody outside may see them: passages that were near but are not cited stay in the
    house. kind, title: as `Content` has them.
    """
    prefetch_related_objects(turns, "citations__document")
    for turn in turns:
        turn.conversation = conversation
        turn.nearest, turn.error_message = [], ""
        turn.notices = list(_notices_for_outsiders(turn.notices))
        for citation in turn.citations.all():
            citation.turn = turn
            if citation.is_file_deleted:  # the purge, which takes these away for good, may be days off
                citation.before = citation.after = ""
    collection = conversation.datasource.name
    is_masked = conversation.datasource_id in masked([conversation.datasource_id])
    if is_masked:
        _mask(turns)
        title, collection = mask(title), mask(collection)
    return Content(
        kind=kind,
        title=title,
        collection=collection,
        conversation=conversation,
        turns=turns,
        is_masked=is_masked,
    )


def _notices_for_outsiders(notices: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for notice in notices:
        code = notice["code"]
        if code in TOLD_OUTSIDE:
            yield {name: notice[name] for name in ("code", "text", "words") if name in notice}
        elif code in IN_OTHER_WORDS:
            yield {"code": code, "text": IN_OTHER_WORDS[code]}


def _mask(turns: Sequence[Turn]) -> None:
    """In memory alone, whether or not the job that masks the rows has run."""
    mask_unwritten(turns)
    for turn in turns:
        mask_row(turn, *OF_TURN)
        for citation in turn.citations.all():
            mask_row(citation, *OF_CITATION)
            if citation.document is not None:
                mask_row(citation.document, *OF_DOCUMENT)
