"""How much a person may add and ask within an hour. Counted in the transaction that adds or asks, so what is
refused or fails is not counted, and what is deleted later still is.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db.models import Sum
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import Usage, UsageKind
from accounts.sql import query
from localization.numbers import numeral
from localization.stored import Said, Value, said, said_of

if TYPE_CHECKING:
    from accounts.models import User

WINDOW = timedelta(hours=1)
KEPT = 2 * WINDOW
MEGABYTE = 2**20


class QuotaUsedUp(ValidationError):
    """`wait`: seconds until it is possible again; 0 when it never is."""

    message: str

    def __init__(self, message: str, wait: int) -> None:
        super().__init__(message, code="quota")
        self.wait = wait


def with_retry_after(response: HttpResponse, refusal: ValidationError) -> HttpResponse:
    """The answer to what was refused: with 429 and Retry-After where waiting helps."""
    if isinstance(refusal, QuotaUsedUp) and refusal.wait:
        response.status_code = 429
        response["Retry-After"] = str(refusal.wait)
    return response


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """What may be used within the hour, and what has been. `limit` 0: as much as one likes."""

    kind: UsageKind
    used: int
    limit: int

    @property
    def label(self) -> str:
        return (
            _("Questions, with cells and checks")
            if self.kind == UsageKind.QUESTIONS
            else str(self.kind.label)
        )

    @property
    def variable(self) -> str:
        return VARIABLES[self.kind]

    def told(self, amount: int) -> int | Said:
        """An amount within a sentence that is `said`."""
        return said("{n} MB", n=round(amount / MEGABYTE)) if self.kind == UsageKind.BYTES else amount

    def written(self, amount: int) -> str:
        """An amount as people read it: “12”, “1,234 MB”."""
        told = self.told(amount)
        return told if isinstance(told, Said) else numeral(told)

    @property
    def sentence(self) -> str:
        used = self.written(self.used)
        if not self.limit:
            return _("{used} no limit").format(used=used)
        return _("{used} of {limit}").format(used=used, limit=self.written(self.limit))


VARIABLES = {
    UsageKind.DOCUMENTS: "SVQ_DOCUMENTS_PER_HOUR",
    UsageKind.BYTES: "SVQ_UPLOAD_MB_PER_HOUR",
    UsageKind.QUESTIONS: "SVQ_QUESTIONS_PER_HOUR",
}


def limits() -> Mapping[UsageKind, int]:
    return {
        UsageKind.DOCUMENTS: settings.DOCUMENTS_PER_HOUR,
        UsageKind.BYTES: settings.UPLOAD_BYTES_PER_HOUR,
        UsageKind.QUESTIONS: settings.QUESTIONS_PER_HOUR,
    }


def quotas_of(person: "User") -> list[Quota]:
    """All of a person's, as they are now."""
    used = Usage.objects.filter(person=person, minute__gt=timezone.now() - WINDOW)
    sums = dict(used.values_list("kind").annotate(Sum("amount")))
    return [Quota(kind=kind, used=sums.get(kind, 0), limit=limit) for kind, limit in limits().items()]


def check(person: "User", amounts: Mapping[UsageKind, int]) -> None:
    """Raises QuotaUsedUp when that much more is too much."""
    for quota in quotas_of(person):
        more = amounts.get(quota.kind, 0)
        if more and quota.limit and quota.used + more > quota.limit:
            raise QuotaUsedUp(_refusal(quota, more, wait := _wait(person, quota, more)), wait)


def use(person: "User", amounts: Mapping[UsageKind, int]) -> None:
    """Count it; called within the transaction that adds or asks. Raises QuotaUsedUp when it is too much.

    The person's row stays locked to the end of the transaction: two at once never use the same rest.
    """
    get_user_model().objects.select_for_update(no_key=True).only("pk").get(pk=person.pk)
    now = timezone.now()
    check(person, amounts)
    query(
        "use",
        person=person.pk,
        minute=now.replace(second=0, microsecond=0),
        forget_before=now - KEPT,
        kinds=[str(kind) for kind in amounts],
        amounts=[*amounts.values()],
    )


def _wait(person: "User", quota: Quota, more: int) -> int:
    """Seconds until enough of what was used is an hour old for so much more; 0 when it never fits."""
    over = quota.used + more - quota.limit
    now = timezone.now()
    used = Usage.objects.filter(person=person, kind=quota.kind, minute__gt=now - WINDOW)
    for row in used.order_by("minute"):
        over -= row.amount
        if over <= 0:
            return max(1, math.ceil((row.minute + WINDOW - now).total_seconds()))
    return 0


def _refusal(quota: Quota, more: int, wait: int) -> Said:
    again = timezone.localtime(timezone.now() + timedelta(seconds=wait))
    if wait:
        return _try_again(quota, used=quota.told(quota.used), time=f"{again:%H:%M}", variable=quota.variable)
    return _too_much_at_once(quota, more=quota.told(more), variable=quota.variable)


def _too_much_at_once(quota: Quota, **values: Value) -> Said:
    match quota.kind:
        case UsageKind.BYTES:
            return said(
                "The limit is {n} of files within an hour, and this has {more}. Split it, or have the limit "
                "raised ({variable}).",
                n=quota.told(quota.limit),
                **values,
            )
        case UsageKind.DOCUMENTS:
            return said_of(
                "The limit is {n} document within an hour, and this has {more}. Split it, or have the limit "
                "raised ({variable}).",
                "The limit is {n} documents within an hour, and this has {more}. Split it, or have the limit "
                "raised ({variable}).",
                n=quota.limit,
                **values,
            )
    return said_of(
        "The limit is {n} question within an hour, and this has {more}. Split it, or have the limit raised "
        "({variable}).",
        "The limit is {n} questions within an hour, and this has {more}. Split it, or have the limit raised "
        "({variable}).",
        n=quota.limit,
        **values,
    )


def _try_again(quota: Quota, **values: Value) -> Said:
    match quota.kind:
        case UsageKind.BYTES:
            return said(
                "The limit is {n} of files within an hour, and you have added {used}. Nothing was stored; "
                "try again at {time}, or have the limit raised ({variable}).",
                n=quota.told(quota.limit),
                **values,
            )
        case UsageKind.DOCUMENTS:
            return said_of(
                "The limit is {n} document within an hour, and you have added {used}. Nothing was stored; "
                "try again at {time}, or have the limit raised ({variable}).",
                "The limit is {n} documents within an hour, and you have added {used}. Nothing was stored; "
                "try again at {time}, or have the limit raised ({variable}).",
                n=quota.limit,
                **values,
            )
    return said_of(
        "The limit is {n} question within an hour, and you have asked {used}. Nothing was asked; try again "
        "at {time}, or have the limit raised ({variable}).",
        "The limit is {n} questions within an hour, and you have asked {used}. Nothing was asked; try again "
        "at {time}, or have the limit raised ({variable}).",
        n=quota.limit,
        **values,
    )
