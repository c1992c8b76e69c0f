"""What is done with personal data in an answer, and what its reader is told of that."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from django.db import models
from django.utils.translation import gettext_lazy as _

from citations.checked import CheckedQuote
from text.personal.personal_data import Found, Kind, counted, kinds_in, masked_in
from text.words import letters

NOTICE = "personal_data"  # the code of what tells a reader of personal data
# What of a quote may have such data:
OF_QUOTE = ("quote", "written", "claim", "before", "after", "reason", "checks", "judge", "place_in_file")


class PersonalData(models.TextChoices):
    """What is done with addresses, numbers and keys of people in an answer."""

    OFF = "off", _("Shown as it is")
    WARN = "warn", _("Shown, with a warning")
    MASK = "mask", _("Masked")


def masking_notice(data: Mapping[Kind, Collection[str]]) -> str:
    """The notice about personal data that is masked in an answer. data: what was found, by kind."""
    return f"Masked in this answer, as the datasource's settings require: {listed(data)}."


def listed(data: Mapping[Kind, Collection[str]]) -> str:
    return ", ".join(counted(kind, len(values)) for kind, values in data.items())


def remember(data: dict[Kind, set[str]], text: str, found: Iterable[Found]) -> None:
    """Add to `data` what was found in the text."""
    for each in found:
        data[each.kind].add(letters(text[each.start : each.end]))


def masked_quote(quote: CheckedQuote) -> CheckedQuote:
    """Without personal data; its place in the document stays."""
    kinds = [each.value for each in kinds_in(quote.quote or quote.written)]
    return replace(quote, masked=kinds, **{name: masked_in(getattr(quote, name)) for name in OF_QUOTE})
