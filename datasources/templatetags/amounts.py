"""How sizes, counts and times are written on pages, in the page's language."""

from datetime import datetime, timedelta
from decimal import Decimal

from django import template
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy, npgettext_lazy

from localization.numbers import numeral

register = template.Library()


@register.filter
def ago(moment: datetime | None) -> str:
    """“just now”, “12 min ago”, “3 h ago”, “yesterday”, “12 Sep”, “12 Sep 2024”."""
    if moment is None:
        return ""
    now, moment = timezone.localtime(), timezone.localtime(moment)
    seconds = (now - moment).total_seconds()
    if seconds < 60:
        return _("just now")
    if seconds < 3600:
        return _("{n} min ago").format(n=f"{seconds // 60:.0f}")
    if moment.date() == now.date():
        return _("{n} h ago").format(n=f"{seconds // 3600:.0f}")
    if moment.date() == now.date() - timedelta(days=1):
        return _("yesterday")
    return date_format(moment, "j M" if moment.year == now.year else "j M Y")


@register.filter
def size(count: int) -> str:
    """Bytes as “640 KB” or “2.4 MB”."""
    if count < 1_000_000:
        return _("{n} KB").format(n=max(1, round(count / 1000)) if count else 0)
    return _("{n} MB").format(n=number_format(Decimal(f"{count / 1_000_000:.1f}"), 1))


@register.filter
def many(count: int) -> str:
    """“8,120”, “310 k”, “14.8 M”."""
    if count < 10_000:
        return numeral(count)
    return f"{numeral(count / 1000)} k" if count < 999_500 else f"{numeral(count / 1_000_000, 1)} M"


@register.filter
def money(amount: Decimal | None) -> str:
    """“1,204.50”; “0.0042” or “0.000042” where two digits would say too little. Nobody knows the currency."""
    if amount is None:
        return ""
    return numeral(amount, 2 if not amount or amount >= 1 else max(4, 1 - amount.adjusted()))


@register.filter
def price(amount: Decimal) -> str:
    """“0.4”, “12”: with as many digits as were given."""
    return number_format(f"{amount.normalize():f}")


# What templates count: each with its forms, which no rule makes in other languages.
COUNTED = {
    "account": ngettext_lazy("%(n)s account", "%(n)s accounts", "count"),
    "assessment": ngettext_lazy("%(n)s check", "%(n)s checks", "count"),
    "attachment": ngettext_lazy("%(n)s attachment", "%(n)s attachments", "count"),
    "attempt": ngettext_lazy("%(n)s attempt", "%(n)s attempts", "count"),
    "browser": ngettext_lazy("%(n)s browser", "%(n)s browsers", "count"),
    "API token": ngettext_lazy("%(n)s API token", "%(n)s API tokens", "count"),
    "call": ngettext_lazy("%(n)s call", "%(n)s calls", "count"),
    "cell": ngettext_lazy("%(n)s cell", "%(n)s cells", "count"),
    "comment": ngettext_lazy("%(n)s comment", "%(n)s comments", "count"),
    "conversation": ngettext_lazy("%(n)s conversation", "%(n)s conversations", "count"),
    "datasource": ngettext_lazy("%(n)s datasource", "%(n)s datasources", "count"),
    "document": ngettext_lazy("%(n)s document", "%(n)s documents", "count"),
    "entity": ngettext_lazy("%(n)s entity", "%(n)s entities", "count"),
    "entry": ngettext_lazy("%(n)s entry", "%(n)s entries", "count"),
    "evaluation": ngettext_lazy("%(n)s evaluation", "%(n)s evaluations", "count"),
    "file": ngettext_lazy("%(n)s file", "%(n)s files", "count"),
    "finding": ngettext_lazy("%(n)s finding", "%(n)s findings", "count"),
    "group": ngettext_lazy("%(n)s group", "%(n)s groups", "count"),
    "matter": ngettext_lazy("%(n)s matter", "%(n)s matters", "count"),
    "framework": ngettext_lazy("%(n)s list of points", "%(n)s lists of points", "count"),
    "scheduled evaluation": ngettext_lazy(
        "%(n)s scheduled evaluation", "%(n)s scheduled evaluations", "count"
    ),
    "mark": ngettext_lazy("%(n)s mark", "%(n)s marks", "count"),
    "memo": ngettext_lazy("%(n)s memo", "%(n)s memos", "count"),
    "mention": ngettext_lazy("%(n)s mention", "%(n)s mentions", "count"),
    "model": ngettext_lazy("%(n)s model", "%(n)s models", "count"),
    "note": ngettext_lazy("%(n)s note", "%(n)s notes", "count"),
    "other sentence": ngettext_lazy("%(n)s other sentence", "%(n)s other sentences", "count"),
    "other": ngettext_lazy("%(n)s other", "%(n)s others", "count"),
    "page": ngettext_lazy("%(n)s page", "%(n)s pages", "count"),
    "paper": ngettext_lazy("%(n)s paper", "%(n)s papers", "count"),
    "passage": ngettext_lazy("%(n)s passage", "%(n)s passages", "count"),
    "place": ngettext_lazy("%(n)s place", "%(n)s places", "count"),
    "quote": ngettext_lazy("%(n)s quote", "%(n)s quotes", "count"),
    "requirement": ngettext_lazy("%(n)s point", "%(n)s points", "count"),
    "review": ngettext_lazy("%(n)s review", "%(n)s reviews", "count"),
    "share link": ngettext_lazy("%(n)s share link", "%(n)s share links", "count"),
    "table": ngettext_lazy("%(n)s table", "%(n)s tables", "count"),
    "time": ngettext_lazy("%(n)s time", "%(n)s times", "count"),
    "tracked change": ngettext_lazy("%(n)s tracked change", "%(n)s tracked changes", "count"),
}
# Behind “in”, “of” and “from”, where some languages have another form: “2 Dokumente”, “in 2 Dokumenten”.
WITHIN = {
    "document": npgettext_lazy("behind in, of, from", "%(n)s document", "%(n)s documents", "count"),
    "part": npgettext_lazy("behind in, of, from", "%(n)s part", "%(n)s parts", "count"),
}


@register.filter
def counted(number: int, noun: str) -> str:
    """“1 file”, “1,284 files”: a noun of COUNTED, in its singular."""
    return str(COUNTED[noun] % {"count": number, "n": numeral(number)})


@register.filter
def counted_within(number: int, noun: str) -> str:
    """“2 documents” of “in 2 documents”: a noun of WITHIN."""
    return str(WITHIN[noun] % {"count": number, "n": numeral(number)})
