"""Labels within sentences."""

from django.utils.translation import get_language

from localization.promises import StrOrPromise

CAPITAL_NOUNS = ("de",)  # where a small letter would be a fault


def within_a_sentence(label: StrOrPromise) -> str:
    """“not covered” of “Not covered”; in German as it is."""
    return str(label) if (get_language() or "").startswith(CAPITAL_NOUNS) else str(label).lower()
