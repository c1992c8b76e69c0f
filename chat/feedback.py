"""What people say about the answers they got: thumbs up or down, with a reason."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.models import Feedback, FeedbackReason, Turn
from localization.numbers import numeral

MAX_NOTE = 1000  # characters


def give(turn: Turn, *, helpful: bool, reason: str = "", note: str = "") -> Feedback:
    """Replaces earlier feedback. Raises ValidationError."""
    note = " ".join(note.replace("\0", "").split())
    if turn.is_unfinished:
        raise ValidationError(_("The answer is still being written. Wait for it."), code="busy")
    if reason not in FeedbackReason:
        raise ValidationError(_("This reason does not exist. Nothing was changed."), code="reason_unknown")
    if len(note) > MAX_NOTE:
        raise ValidationError(
            ngettext(
                "The note has {n} character; the limit is {most}. Shorten it.",
                "The note has {n} characters; the limit is {most}. Shorten it.",
                len(note),
            ).format(n=numeral(len(note)), most=numeral(MAX_NOTE)),
            code="note_long",
        )
    given, __ = Feedback.objects.update_or_create(
        turn=turn, defaults={"helpful": helpful, "reason": "" if helpful else reason, "note": note}
    )
    return given


def take_back(turn: Turn) -> None:
    Feedback.objects.filter(turn=turn).delete()
