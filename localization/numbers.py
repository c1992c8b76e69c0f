"""Numbers as the language of the page writes them."""

from decimal import Decimal

from django.utils.formats import number_format
from django.utils.functional import lazy


def numeral(value: int | float | Decimal, places: int = 0) -> str:
    """“1,204.5” in English, “1.204,5” in German; rounded to so many places."""
    return number_format(Decimal(f"{value:.{places}f}"), decimal_pos=places, force_grouping=True)


lazy_numeral = lazy(numeral, str)  # for what is written once and shown in several languages
