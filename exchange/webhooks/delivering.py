"""From the event log to other servers. The log is the outbox: what it has is told at least once.

`collect` writes a delivery for each event together with how far the webhook is, so a kill between leaves both
or none. `deliver` sets the time of the next attempt before it sends: a kill while it sends costs a second
message with the same id.
"""

import logging
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import httpx
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, override

from accounts import mail
from events import log
from events.models import Event
from exchange.webhooks.messages import Message, messages_of
from exchange.webhooks.models import Delivery, Webhook, WhyOff
from exchange.webhooks.services import body_of, channel, is_owners, switch_off
from exchange.webhooks.signing import headers
from localization.languages import ENGLISH, chosen_by
from localization.stored import said, words_of
from providers.connections.secrets import Unreadable, decrypted
from providers.connections.services import owners_may
from providers.http.clients import sync_client
from providers.http.public_addresses import NotPublic
from providers.http.time_limit import within

logger = logging.getLogger(__name__)

SECONDS = 15  # an exchange takes at most
JOB_SECONDS = 60  # after which a job sends nothing more: the next one goes on, after other people's
# Seconds until the next attempt, after each one that failed; then there is none.
WAITS = (5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400)
# A server that does not answer is left alone for as long as it has not answered, within these bounds.
SHORTEST_REST, LONGEST_REST = timedelta(seconds=5), timedelta(minutes=30)
GIVEN_UP_AFTER = timedelta(days=5)  # in which nothing was taken
QUIET = timedelta(days=2)  # without an attempt, longer than any wait: what failed before tells nothing of now
KEPT = timedelta(days=30)
AT_ONCE = 100  # deliveries that a job looks at
GONE = 410  # "do not ask again"


def collect() -> dict[int, int]:
    """Write down what is to be told. The webhooks that have something due: {its number: its datasource's}."""
    hooks = Webhook.objects.enabled().values_list("pk", "datasource", "after")
    newest = log.last_seqs([channel(datasource) for _, datasource, _ in hooks])
    for number, datasource, after in hooks:
        if newest.get(channel(datasource), 0) > after:
            _collect(number)
    due = Delivery.objects.due().order_by()
    return dict(due.values_list("webhook", "webhook__datasource").distinct())


@transaction.atomic
def _collect(number: int) -> None:
    hook = Webhook.objects.enabled().select_for_update().filter(pk=number).first()
    if hook is None or _is_nobodys(hook):
        return
    newest = log.last_seq(
        channel(hook.datasource_id)
    )  # before they are read: what comes meanwhile is told later
    events = log.read(channel(hook.datasource_id), hook.after)
    Delivery.objects.bulk_create(
        Delivery(
            webhook=hook,
            seq=event.seq,
            kind=kind,
            body=body_of(kind, event.created, data, hook.datasource_id),
        )
        for event in events
        for kind, data in _messages_of_event(event)
        if kind in hook.kinds
    )
    hook.after = events[-1].seq if events else newest
    hook.save(update_fields=["after"])


def _messages_of_event(event: Event) -> Iterator[Message]:
    """An event that can't be read is left out: what comes after it is told."""
    try:
        yield from messages_of(event)
    except (KeyError, TypeError, AttributeError):
        logger.exception("event %s of %s is not told to webhooks", event.seq, event.channel)


def deliver(number: int) -> None:
    """What is due at the webhook, the oldest first, for JOB_SECONDS and the exchange that they end in. A
    server that does not answer is left alone for a while: each message would take SECONDS of a worker.
    """
    end = time.monotonic() + JOB_SECONDS
    for delivery in Delivery.objects.due().filter(webhook=number)[:AT_ONCE]:
        if time.monotonic() >= end:
            return
        again = timezone.now() + timedelta(seconds=_wait(delivery.attempts))
        mine = Delivery.objects.filter(pk=delivery.pk, next_attempt=delivery.next_attempt)
        if not mine.update(next_attempt=again, attempts=delivery.attempts + 1):
            continue  # another worker has it
        hook = Webhook.objects.filter(pk=number).first()  # as it is now: its address may have been changed
        if hook is None or _is_nobodys(hook):
            return
        status, answer = _send(hook, delivery)
        if 200 <= status < 300:
            _taken(delivery, answer)
        elif not _refused(delivery, status, answer):
            return


def _is_nobodys(hook: Webhook) -> bool:
    """Then it is switched off: what was made by somebody who is no owner any more tells them nothing."""
    if is_owners(hook):
        return False
    switch_off(hook, WhyOff.NO_ACCESS)
    _tell_owner(hook)
    return True


def forget() -> None:
    """What was sent long ago."""
    Delivery.objects.filter(created__lt=timezone.now() - KEPT, next_attempt=None).delete()


def _wait(attempts: int) -> int:
    return WAITS[min(attempts, len(WAITS) - 1)]


def _send(hook: Webhook, delivery: Delivery) -> tuple[int, str]:
    """The status of the answer, 0 without one; and what is shown of it: never its words."""
    try:
        secret = decrypted(hook.encrypted_secret)
    except Unreadable:
        return 0, said("Its secret can't be read. Delete it and make another one")
    signed = headers(secret, str(delivery.pk), int(time.time()), delivery.body)
    told = signed | {"Content-Type": "application/json", "User-Agent": "SVQ-Webhooks"}
    with sync_client(timeout=SECONDS, public_only=not owners_may().private_webhooks) as web:
        try:
            with (
                within(SECONDS, web),
                web.stream(
                    "POST", hook.address, content=delivery.body, headers=told, follow_redirects=False
                ) as response,
            ):
                return response.status_code, f"HTTP {response.status_code}"
        except NotPublic:
            return 0, said("The address is in a private network, which administrators have not allowed")
        except httpx.TimeoutException:
            return 0, said("No answer within {n} seconds", n=SECONDS)
        except (httpx.HTTPError, httpx.InvalidURL, OSError, RuntimeError):
            return 0, said("No connection to the server")


def _kept(answer: str) -> dict[str, Any]:
    """The columns of a delivery that say what came back."""
    return {"answer": answer, "answer_words": words_of(answer)}


@transaction.atomic
def _taken(delivery: Delivery, answer: str) -> None:
    Webhook.objects.select_for_update().filter(pk=delivery.webhook_id).update(
        failing_since=None, next_attempt=None
    )
    Delivery.objects.filter(pk=delivery.pk).update(
        next_attempt=None, delivered=timezone.now(), **_kept(answer)
    )


@transaction.atomic
def _refused(delivery: Delivery, status: int, answer: str) -> bool:
    """Whether the webhook may be sent more now. Decided on its row as it is now: others may have changed it
    while the message was sent.
    """
    hook = Webhook.objects.enabled().select_for_update().filter(pk=delivery.webhook_id).first()
    last = {} if delivery.attempts < len(WAITS) else {"next_attempt": None}
    Delivery.objects.filter(pk=delivery.pk).update(**_kept(answer), **last)
    if hook is None:  # deleted or switched off meanwhile
        return False
    now = timezone.now()
    failing = _note_failure(hook, now, answered=bool(status))
    if status == GONE or failing > GIVEN_UP_AFTER:
        switch_off(hook, WhyOff.GONE if status == GONE else WhyOff.FAILED)
        _tell_owner(hook)
        return False
    return bool(status)


def _note_failure(hook: Webhook, now: datetime, *, answered: bool) -> timedelta:
    """For how long it has failed by now."""
    if hook.failing_since is None or hook.last_failure is None or now - hook.last_failure > QUIET:
        hook.failing_since = now
    failing = now - hook.failing_since
    hook.last_failure = now
    hook.next_attempt = None if answered else now + min(max(failing, SHORTEST_REST), LONGEST_REST)
    hook.save(update_fields=["failing_since", "last_failure", "next_attempt"])
    return failing


def _tell_owner(hook: Webhook) -> None:
    """By mail, where this server sends any; the settings of the datasource say it too."""
    if not settings.EMAIL_URL:
        return
    page = settings.SITE_URL + reverse("webhook", args=[hook.datasource_id, hook.pk])
    owner = hook.datasource.owner
    with override(chosen_by(owner) or ENGLISH):
        told = " ".join([str(WhyOff(hook.why_off).label), gettext("SVQ sends nothing more to it.")])
        text = f"{told}\n\n{page}\n"
        message = EmailMessage(gettext("A webhook is switched off"), text, to=[owner.email])
    transaction.on_commit(partial(mail.send_later, message))
