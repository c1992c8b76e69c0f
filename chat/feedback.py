"""What people say about the answers they got: thumbs up or down, with a reason."""

from django.core.exceptions import ValidationError

from chat.models import Feedback, FeedbackReason, Turn

MAX_NOTE = 1000  # characters


def give(turn: Turn, *, helpful: bool, reason: str = "", note: str = "") -> Feedback:
    """Replaces earlier feedback. Raises ValidationError."""
    note = " ".join(note.replace("\0", "").split())
    if turn.is_unfinished:
        raise ValidationError("The answer is still being written. Wait for it.", code="busy")
    if reason not in FeedbackReason:
        raise ValidationError("This reason does not exist. Nothing was changed.", code="reason_unknown")
    if len(note) > MAX_NOTE:
        raise ValidationError(
            f"The note has {len(note):,} characters; the limit is {MAX_NOTE:,}. Shorten it.", code="note_long"
        )
    given, _ = Feedback.objects.update_or_create(
        turn=turn, defaults={"helpful": helpful, "reason": "" if helpful else reason, "note": note}
    )
    return given


def take_back(turn: Turn) -> None:
    Feedback.objects.filter(turn=turn).delete()
