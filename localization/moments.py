"""Days and times as a language writes them."""

from datetime import datetime

from django.utils.formats import date_format
from django.utils.timezone import localtime


def day_and_time(moment: datetime) -> dict[str, str]:
    """For sentences with {day} and {time}; the time names its zone."""
    local = localtime(moment)
    return {"day": date_format(local, "j F Y"), "time": date_format(local, "H:i e")}
