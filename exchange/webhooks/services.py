"""What owners do with webhooks: make, test, send again, open again, delete."""

import json
from collections.abc import Collection
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import User
from datasources.models import Datasource, Role
from events import log
from exchange.webhooks.models import CHOSEN, Delivery, Kind, Webhook, WhyOff
from exchange.webhooks.signing import new_secret
from providers.connections.secrets import encrypted, rotate_column
from providers.connections.services import owners_may
from providers.http.given_addresses import checked_address
from providers.http.public_addresses import is_private

MOST = 10  # of a datasource
LONGEST = 2000
NOT_SENT = gettext_noop("Not sent: the webhook was switched off")


def channel(datasource: int) -> str:
    """Of the event log: everything that happens in the datasource."""
    return f"datasource:{datasource}"


@transaction.atomic
def make_webhook(
    datasource: Datasource, address: str, kinds: Collection[str], *, by: User
) -> tuple[Webhook, str]:
    """The row and its secret, which is shown once. It is told what happens from now on, a test first.

    Raises ValidationError.
    """
    chosen = _chosen(kinds)
    Datasource.objects.select_for_update(no_key=True).get(pk=datasource.pk)
    if datasource.webhooks.count() >= MOST:
        raise ValidationError(_("There are {n} webhooks. Delete one first.").format(n=MOST), code="too_many")
    secret = new_secret()
    hook = Webhook.objects.create(
        datasource=datasource,
        address=_checked(address),
        kinds=chosen,
        made_by=by,
        encrypted_secret=encrypted(secret),
        after=log.last_seq(channel(datasource.pk)),
    )
    send_test(hook)
    return hook, secret


@transaction.atomic
def change_webhook(hook: Webhook, address: str, kinds: Collection[str]) -> None:
    """Its secret stays. What waits goes to the new address. Raises ValidationError."""
    changed = {"address": _checked(address), "kinds": _chosen(kinds), "next_attempt": None}
    if not Webhook.objects.filter(pk=hook.pk).update(**changed):
        raise ValidationError(_("Somebody has deleted this webhook. Make another one."), code="gone")


@transaction.atomic
def send_test(hook: Webhook) -> None:
    """Within seconds. Raises ValidationError where it is switched off."""
    _ask_now(hook)
    Delivery.objects.create(
        webhook=hook, kind=Kind.TEST, body=body_of(Kind.TEST, timezone.now(), {}, hook.datasource_id)
    )


@transaction.atomic
def send_again(delivery: Delivery) -> None:
    """Within seconds, with the same id, by which a receiver knows what it has had already. Raises
    ValidationError where the webhook is switched off.
    """
    _ask_now(delivery.webhook)
    Delivery.objects.filter(pk=delivery.pk).update(
        next_attempt=timezone.now(), attempts=0, delivered=None, answer=""
    )


@transaction.atomic
def switch_off(hook: Webhook, why: WhyOff) -> None:
    """Nothing is sent from now on, nor what waits."""
    Webhook.objects.filter(pk=hook.pk, disabled=None).update(disabled=timezone.now(), why_off=why)
    waiting = hook.deliveries.exclude(next_attempt=None)
    waiting.filter(answer="").update(answer=NOT_SENT)
    waiting.update(next_attempt=None)
    hook.disabled, hook.why_off = hook.disabled or timezone.now(), hook.why_off or why


def is_owners(hook: Webhook) -> bool:
    """Whether somebody still answers for it: whoever made it, or has switched it on last, is an owner."""
    person = hook.made_by
    return person is not None and hook.datasource.allows(person, Role.OWNER, even_archived=True)


@transaction.atomic
def open_again(hook: Webhook, by: User) -> None:
    """What happened while it was off is not told. From now on it is theirs who has switched it on."""
    Webhook.objects.select_for_update().filter(pk=hook.pk).exclude(disabled=None).update(
        after=log.last_seq(channel(hook.datasource_id)),
        made_by=by,
        disabled=None,
        why_off="",
        failing_since=None,
        last_failure=None,
        next_attempt=None,
    )


def rotate_secrets() -> tuple[int, list[str]]:
    """Encrypt all secrets with the newest key: how many, and which can't be read."""
    return rotate_column(Webhook.objects.select_related("datasource"), "encrypted_secret")


def body_of(kind: Kind, time: datetime, data: dict[str, Any], datasource: int) -> str:
    told = {"type": kind.value, "timestamp": time.isoformat(), "data": {"datasource": datasource, **data}}
    return json.dumps(told, separators=(",", ":"))


def _ask_now(hook: Webhook) -> None:
    """Also a server that did not answer of late. Raises ValidationError."""
    if not Webhook.objects.enabled().filter(pk=hook.pk).update(next_attempt=None):
        raise ValidationError(_("It is switched off. Switch it on first."), code="off")


def _chosen(kinds: Collection[str]) -> list[str]:
    chosen = [kind.value for kind in CHOSEN if kind in kinds]
    if not chosen:
        raise ValidationError(_("Choose what it is notified of."), code="kinds")
    return chosen


def _checked(address: str) -> str:
    """Raises ValidationError."""
    address = checked_address(address, LONGEST)
    if not owners_may().private_webhooks and is_private(str(urlsplit(address).hostname)):
        raise ValidationError(
            _(
                "The address is one of this server or of a private network, which administrators have not "
                "allowed for webhooks."
            ),
            code="address",
        )
    return address
