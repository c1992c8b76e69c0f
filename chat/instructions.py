"""What a person asks of every answer in a datasource: kept for each person and datasource."""

from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError

from chat.models import Instructions
from datasources.models import Datasource

if TYPE_CHECKING:
    from accounts.models import User

MAX_INSTRUCTIONS = 2000  # characters


def instructions_of(user_id: int, datasource_id: int) -> str:
    """Empty without any."""
    kept = Instructions.objects.filter(user=user_id, datasource=datasource_id)
    return kept.values_list("text", flat=True).first() or ""


def change(user: "User", datasource: Datasource, text: str) -> str:
    """Gives the text as it is kept; an empty one takes the instructions away. Raises ValidationError."""
    text = text.replace("\0", "").replace("\r\n", "\n").strip()
    if len(text) > MAX_INSTRUCTIONS:
        raise ValidationError(
            f"The instructions have {len(text):,} characters; the limit is {MAX_INSTRUCTIONS:,}. "
            "Shorten them. Nothing was changed.",
            code="instructions_long",
        )
    if text:
        Instructions.objects.update_or_create(user=user, datasource=datasource, defaults={"text": text})
    else:
        Instructions.objects.filter(user=user, datasource=datasource).delete()
    return text
