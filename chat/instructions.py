"""A person's own instructions for all answers in a datasource."""

from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.utils.translation import ngettext

from chat.models import Instructions
from datasources.models import Datasource
from localization.numbers import numeral

if TYPE_CHECKING:
    from accounts.models import User

MAX_INSTRUCTIONS = 2000  # characters


def instructions_of(user_id: int, datasource_id: int) -> str:
    """Empty where there are none."""
    kept = Instructions.objects.filter(user=user_id, datasource=datasource_id)
    return kept.values_list("text", flat=True).first() or ""


def change(user: "User", datasource: Datasource, text: str) -> str:
    """Returns the text as stored; an empty text deletes the instructions. Raises ValidationError."""
    text = text.replace("\0", "").replace("\r\n", "\n").strip()
    if len(text) > MAX_INSTRUCTIONS:
        raise ValidationError(
            ngettext(
                "The instructions have {n} character; the limit is {most}. Shorten them. "
                "Nothing was changed.",
                "The instructions have {n} characters; the limit is {most}. Shorten them. "
                "Nothing was changed.",
                len(text),
            ).format(n=numeral(len(text)), most=numeral(MAX_INSTRUCTIONS)),
            code="instructions_long",
        )
    if text:
        Instructions.objects.update_or_create(user=user, datasource=datasource, defaults={"text": text})
    else:
        Instructions.objects.filter(user=user, datasource=datasource).delete()
    return text
