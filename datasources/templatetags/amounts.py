"""How sizes, counts and times are written on pages."""

from datetime import datetime, timedelta
from decimal import Decimal

from django import template
from django.utils import timezone
from django.utils.dateformat import format as date_format

from text.counted import counted

register = template.Library()


@register.filter
def ago(moment: datetime | None) -> str:
    """“just now”, “12 min ago”, “3 h ago”, “yesterday”, “12 Sep”, “12 Sep 2024”."""
    if moment is None:
        return ""
    now, moment = timezone.localtime(), timezone.localtime(moment)
    seconds = (now - moment).total_seconds()
    if seconds < 60:
        return "just now"
    if seconds < 3600:
        return f"{seconds // 60:.0f} min ago"
    if moment.date() == now.date():
        return f"{seconds // 3600:.0f} h ago"
    if moment.date() == now.date() - timedelta(days=1):
        return "yesterday"
    return date_format(moment, "j M" if moment.year == now.year else "j M Y")


@register.filter
def size(count: int) -> str:
    """Bytes as “640 KB” or “2.4 MB”."""
    if not count:
        return "0 KB"
    if count < 1_000_000:
        return f"{max(1, round(count / 1000))} KB"
    return f"{count / 1_000_000:.1f} MB"


@register.filter
def many(count: int) -> str:
    """“8,120”, “310 k”, “14.8 M”."""
    if count < 10_000:
        return f"{count:,}"
    return f"{count / 1000:,.0f} k" if count < 999_500 else f"{count / 1_000_000:,.1f} M"


@register.filter
def money(amount: Decimal | None) -> str:
    """“1,204.50”; “0.0042” or “0.000042” where two digits would say too little. Nobody knows the currency."""
    if amount is None:
        return ""
    return f"{amount:,.2f}" if not amount or amount >= 1 else f"{amount:.{max(4, 1 - amount.adjusted())}f}"


@register.filter
def price(amount: Decimal) -> str:
    """“0.4”, “12”: with as many digits as were given."""
    return f"{amount.normalize():f}"


register.filter(counted)
