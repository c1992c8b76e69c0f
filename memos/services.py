"""Making, saving and shortening memos. The caller has checked that the person may write in the datasource."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.formats import date_format
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from chat.models import Note
from datasources.masking import mask_row, masked
from datasources.models import Datasource
from formats.base.characters import clean_text, one_line
from localization.numbers import numeral
from memos.citing import cited_in
from memos.drafting import MAX_SOURCES, Draft
from memos.models import MAX_TITLE, Memo
from text.free_names import free_name

if TYPE_CHECKING:
    from accounts.models import User

MAX_TEXT = 100_000  # characters
MAX_MEMOS = 500  # of one datasource
GONE = gettext_lazy("This memo was deleted meanwhile. Copy your text before you leave this page.")
MASKED_COLUMNS = ("title", "text", "sources")


def make_memo(author: "User", datasource: Datasource, note_ids: Collection[int]) -> Memo:
    """A memo of these notes, the oldest first. Raises ValidationError."""
    draft = Draft()
    draft.add(_notes(datasource, note_ids))
    titles = Memo.objects.filter(datasource=datasource).values_list("title", flat=True)
    title = free_name(_("Memo of {day}").format(day=date_format(localdate(), "j F Y")), titles)
    memo = Memo(datasource=datasource, author=author, title=title, text=draft.text, sources=draft.sources)
    return _kept(memo)


@transaction.atomic
def add_notes(memo: Memo, note_ids: Collection[int]) -> Memo:
    """The notes at the end of the memo; the numbers go on. Raises ValidationError."""
    memo = _locked(memo)
    draft = Draft(text=memo.text, sources=memo.sources)
    draft.add(_notes(memo.datasource, note_ids))
    memo.text, memo.sources = draft.text, draft.sources
    return _written(memo)


@transaction.atomic
def save_memo(editor: "User", memo: Memo, *, title: str, text: str, edition: int) -> Memo:
    """The memo with what the editor wrote, beginning from that edition. If it was saved elsewhere meanwhile,
    it stays as it is, and what the editor wrote is kept as a memo of its own: then that one is returned.

    Raises ValidationError.
    """
    memo = _locked(memo)
    title, text = one_line(title), clean_text(text, kept="\t")
    _check_title(title)
    if (memo.title, memo.text) == (title, text):
        return memo
    if memo.edition != edition:
        return _kept(_own_copy(editor, memo, title, text))
    memo.title, memo.text = title, text
    return _written(memo)


@transaction.atomic
def take_out_source(memo: Memo, n: int) -> None:
    """Remove a source that the text does not cite. Raises ValidationError where it does."""
    memo = _locked(memo)
    if n in cited_in(memo.text, memo.sources).shown:
        raise ValidationError(
            _("The text cites [{n}]. Take it out of the text first.").format(n=n), code="cited"
        )
    memo.sources = [source for source in memo.sources if source["n"] != n]
    memo.save(update_fields=["sources", "updated"])


def _notes(datasource: Datasource, note_ids: Collection[int]) -> list[Note]:
    notes = list(datasource.notes.filter(pk__in=note_ids).order_by("created", "pk"))
    if not notes:
        raise ValidationError(_("No note is chosen. Tick those that the memo begins with."), code="no_notes")
    return notes


def _own_copy(editor: "User", memo: Memo, title: str, text: str) -> Memo:
    name = f" (text of {editor.get_full_name()})"
    own = title.removesuffix(name)[: MAX_TITLE - len(name)] + name
    return Memo(
        datasource=memo.datasource,
        author=editor,
        title=own[:MAX_TITLE],
        text=text,
        sources=memo.sources,
        beside=memo,
    )


def _locked(memo: Memo) -> Memo:
    """Raises ValidationError where it was deleted meanwhile."""
    there = (
        Memo.objects.select_for_update(of=("self",)).select_related("datasource").filter(pk=memo.pk).first()
    )
    if there is None:
        raise ValidationError(GONE, code="gone")
    return there


@transaction.atomic
def _kept(memo: Memo) -> Memo:
    """A new one, in the datasource."""
    Datasource.objects.select_for_update(no_key=True).get(pk=memo.datasource_id)
    if memo.datasource.memos.count() >= MAX_MEMOS:
        raise ValidationError(
            _("There are {n} memos here. Delete one first.").format(n=MAX_MEMOS), code="too_many_memos"
        )
    return _stored(memo)


def _written(memo: Memo) -> Memo:
    """The next edition."""
    memo.edition += 1
    return _stored(memo)


def _stored(memo: Memo) -> Memo:
    """Masked where the datasource's owner wants that, whoever wrote it."""
    if len(memo.text) > MAX_TEXT:
        raise ValidationError(
            _long(
                ngettext(
                    "The text has {n} character; the limit is {most}. Shorten it.",
                    "The text has {n} characters; the limit is {most}. Shorten it.",
                    len(memo.text),
                ),
                len(memo.text),
                MAX_TEXT,
            ),
            code="text_long",
        )
    if len(memo.sources) > MAX_SOURCES:
        raise ValidationError(
            _("A memo has up to {n} sources; this one would have more. Write a second memo.").format(
                n=MAX_SOURCES
            ),
            code="too_many_sources",
        )
    if masked([memo.datasource_id]):
        mask_row(memo, *MASKED_COLUMNS)
    memo.save()
    return memo


def _check_title(title: str) -> None:
    if not title:
        raise ValidationError(_("A memo needs a title."), code="title_missing")
    if len(title) > MAX_TITLE:
        raise ValidationError(
            _long(
                ngettext(
                    "The title has {n} character; the limit is {most}. Shorten it.",
                    "The title has {n} characters; the limit is {most}. Shorten it.",
                    len(title),
                ),
                len(title),
                MAX_TITLE,
            ),
            code="title_long",
        )


def _long(told: str, length: int, limit: int) -> str:
    return told.format(n=numeral(length), most=numeral(limit))
