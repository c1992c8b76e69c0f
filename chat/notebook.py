"""The notebook of a datasource: answers and quotes that people keep, and its Markdown."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpResponse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.exports import differing, markdown_file, on_a_line
from chat.kept_sources import as_now, documents_of
from chat.models import Citation, Note, Turn, TurnStatus
from chat.wording import remarks, remarks_on, together
from citations.choices import OnPage
from citations.marks import mark, numbered
from datasources.models import Datasource, Role
from localization.in_english import in_english
from localization.lists import in_quotes
from localization.lists import remarks as between
from localization.numbers import numeral
from localization.stored import WRITTEN
from text.normal_forms.verbatim import inert

if TYPE_CHECKING:
    from accounts.models import User

MAX_REMARK = 1000  # characters
KEPT = (TurnStatus.ANSWERED, TurnStatus.PARTIAL, TurnStatus.QUOTES, TurnStatus.STOPPED, TurnStatus.FAILED)


def may_write(user: "User", datasource: Datasource) -> bool:
    """Whether the person may keep answers and quotes there, and change what is kept."""
    return datasource.allows(user, Role.EDITOR)


def keep_answer(user: "User", turn: Turn) -> Note:
    """An answer that the person has kept already is not kept twice. Raises ValidationError where there is
    none.
    """
    if turn.is_unfinished or turn.status not in KEPT or not turn.answer:
        raise ValidationError(_("There is no answer to keep."), code="no_answer")
    return _kept_once(user, turn, _text_of(turn), turn.citations.all())


@in_english()
def _text_of(turn: Turn) -> str:
    """The answer, and what its page says beside it: kept alone, it would say more than SVQ did."""
    beside = [*map(on_a_line, remarks(turn)), differing(turn, mark)]
    return "\n\n".join([turn.answer, *filter(None, beside)])


def keep_quote(user: "User", citation: Citation) -> Note:
    """A quote alone, with the question that it was found for. Raises ValidationError without a source."""
    if citation.on_page == OnPage.ABSENT:
        raise ValidationError(
            _("These words have no source, so there is no quote to keep."), code="no_source"
        )
    return _kept_once(user, citation.turn, "", [citation])


def _kept_once(user: "User", turn: Turn, text: str, citations: Iterable[Citation]) -> Note:
    """The note that the person has of it already, or a new one."""
    said = {
        "datasource": turn.conversation.datasource,
        "author": user,
        "question": turn.question,
        "text": text,
        "sources": [_source(citation) for citation in citations],
    }
    with transaction.atomic():  # one after the other: two clicks keep it once
        Datasource.objects.select_for_update(no_key=True).get(pk=turn.conversation.datasource_id)
        return Note.objects.filter(**said).first() or Note.objects.create(**said)


def remark(note: Note, text: str) -> None:
    """Set an editor's remark about a note. Raises ValidationError."""
    text = text.replace("\0", "").strip()
    if len(text) > MAX_REMARK:
        raise ValidationError(
            ngettext(
                "The remark has {n} character; the limit is {most}. Shorten it.",
                "The remark has {n} characters; the limit is {most}. Shorten it.",
                len(text),
            ).format(n=numeral(len(text)), most=numeral(MAX_REMARK)),
            code="remark_long",
        )
    note.remark = text
    note.save(update_fields=["remark"])


@in_english()
def _source(citation: Citation) -> dict[str, Any]:
    about = remarks_on(citation)
    return {
        "n": citation.n,
        "document": citation.document_id,
        "title": citation.name,
        "pages": citation.pages,
        "where": citation.where,
        "quote": citation.quote or citation.written,
        "said": together(about),
        "words": [each.words for each in about],
    }


def quotes_of(note: Note) -> list[str]:
    return [source["quote"] for source in note.sources]


def sources_now(datasource_id: int, notes: Sequence[Note]) -> list[list[dict[str, Any]]]:
    """The sources of each note as `kept_sources.as_now` tells them."""
    there = documents_of(datasource_id, (source for note in notes for source in note.sources))
    return [[as_now(source, datasource_id, there) for source in note.sources] for note in notes]


def as_json(datasource_id: int, notes: Sequence[Note]) -> list[dict[str, Any]]:
    """The documented shape of notes."""
    return [_note_as_json(*each) for each in zip(notes, sources_now(datasource_id, notes), strict=True)]


def _note_as_json(note: Note, sources: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "id": note.pk,
        "author": note.author.get_full_name() if note.author else "",
        "question": note.question,
        "text": numbered(note.text, quotes_of(note)),
        "sources": sources,
        "remark": note.remark,
        "created": note.created.isoformat(),
    }


def as_markdown(datasource: Datasource) -> str:
    """All notes, the oldest first. Its links lead to pages of this server; nothing in the words does."""
    notes = list(datasource.notes.select_related("author").order_by("created", "pk"))
    sections = map(_section, notes, sources_now(datasource.pk, notes))
    parts = [f"# {on_a_line(_title(datasource))}", *sections]
    return "\n\n".join(parts) + "\n"


def _section(note: Note, sources: Iterable[Mapping[str, Any]]) -> str:
    author = note.author.get_full_name() if note.author else _("somebody who has left")
    kept = _("Kept on {time} by {author}.").format(
        time=date_format(localtime(note.created), WRITTEN), author=author
    )
    lines = [f"## {on_a_line(note.question)}", "", f"*{on_a_line(kept)}*"]
    if note.remark:
        lines += ["", *(f"> {on_a_line(line)}" for line in note.remark.splitlines())]
    if note.text:
        lines += ["", numbered(inert(note.text), quotes_of(note))]
    lines += ["", *map(source_line, sources)]
    return "\n".join(lines).rstrip()


def source_line(source: Mapping[str, Any]) -> str:
    """A numbered line of Markdown. source: as it is now."""
    told = [on_a_line(source[name]) for name in ("title", "where") if source[name]]
    place = between(*told) if len(told) == 2 else "".join(told)
    if source["address"]:
        place = f"[{place}]({settings.SITE_URL}{source['address']})"
    said, quote = on_a_line(source["said"]), on_a_line(source["quote"])
    return f"{source['n']}. {place or _('Nowhere')} ({said}): {in_quotes(quote)}"


def notebook_file(datasource: Datasource) -> HttpResponse:
    return markdown_file(as_markdown(datasource), _title(datasource))


def _title(datasource: Datasource) -> str:
    return _("Notebook of {datasource}").format(datasource=datasource.name)
