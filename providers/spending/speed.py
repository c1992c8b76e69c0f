"""How fast models have been, measured by their calls."""

from collections.abc import Mapping
from datetime import timedelta

from django.db.models import Sum
from django.utils import timezone
from django.utils.translation import gettext

from providers.spending.models import Spending

DAYS = 30  # what a server was like before says little of it


def speeds() -> Mapping[tuple[str, str], str]:
    """By model and host, in words: “58 tokens/s” written, or read by what writes none; “1.2 s a page” by what
    reads pages. The time is that of whole calls, with the wait for the first word. What was not asked is not
    there.
    """
    rows = Spending.objects.filter(day__gt=timezone.localdate() - timedelta(days=DAYS), milliseconds__gt=0)
    sums = (
        rows.order_by()
        .values("model", "host")
        .annotate(
            asked=Sum("calls"),
            read=Sum("prompt_tokens"),
            written=Sum("completion_tokens"),
            took=Sum("milliseconds"),
        )
    )
    return {(each["model"], each["host"]): _in_words(**each) for each in sums}


def _in_words(*, asked: int, read: int, written: int, took: int, **_: str) -> str:
    seconds = took / 1000
    if tokens := written or read:
        speed = f"{tokens / seconds:,.{0 if tokens >= 10 * seconds else 1}f}"
        return gettext("{n} tokens/s").format(n=speed)
    return gettext("{n} s a page").format(n=f"{seconds / asked:.1f}")
