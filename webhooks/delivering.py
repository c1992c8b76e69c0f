"""From the event log to other servers. The log is the outbox: what it has is told at least once.

`collect` writes a delivery for each event together with how far the webhook is, so a kill between leaves both
or none. `deliver` sets the time of the next attempt before it sends: a kill while it sends costs a second
message with the same id.
"""

import time
from datetime import timedelta

import httpx
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from accounts import mail
from events import log
from providers.connections.secrets import Unreadable, decrypted
from providers.connections.services import owners_may
from providers.http.clients import sync_client
from providers.http.public_addresses import NotPublic
from providers.http.time_limit import within
from webhooks.messages import messages_of
from webhooks.models import Delivery, Webhook
from webhooks.services import body_of, channel
from webhooks.signing import headers

SECONDS = 15  # an exchange takes at most
# Seconds until the next attempt, after each one that failed; then there is none.
WAITS = (5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400)
GIVEN_UP_AFTER = timedelta(days=5)  # in which nothing was taken
KEPT = timedelta(days=30)
AT_ONCE = 50  # deliveries of a webhook in one job
GONE = 410  # "do not ask again"


def collect() -> list[int]:
    """Write down what is to be told. The numbers of the webhooks that have something due."""
    hooks = Webhook.objects.enabled().values_list("pk", "datasource", "after")
    newest = log.last_seqs([channel(datasource) for _, datasource, _ in hooks])
    for number, datasource, after in hooks:
        if newest.get(channel(datasource), 0) > after:
            _collect(number)
    return list(Delivery.objects.due().order_by().values_list("webhook", flat=True).distinct())


@transaction.atomic
def _collect(number: int) -> None:
    hook = Webhook.objects.enabled().select_for_update().filter(pk=number).first()
    if hook is None:
        return
    events = log.read(channel(hook.datasource_id), hook.after)
    Delivery.objects.bulk_create(
        Delivery(
            webhook=hook, seq=event.seq, kind=kind,
            body=body_of(kind, event.created, data, hook.datasource_id),
        )
        for event in events
        for kind, data in messages_of(event)
        if kind in hook.kinds
    )  # fmt: skip
    hook.after = events[-1].seq if events else log.last_seq(channel(hook.datasource_id))
    hook.save(update_fields=["after"])


def deliver(number: int) -> None:
    """What is due at the webhook, the oldest first. A server that does not answer is asked no more for now:
    each message would take SECONDS of a worker.
    """
    due = Delivery.objects.due().filter(webhook=number).select_related("webhook__datasource__owner")
    for delivery in due[:AT_ONCE]:
        again = timezone.now() + timedelta(seconds=_wait(delivery.attempts))
        mine = Delivery.objects.filter(pk=delivery.pk, next_attempt=delivery.next_attempt)
        if not mine.update(next_attempt=again, attempts=delivery.attempts + 1):
            continue  # another worker has it
        status, answer = _send(delivery)
        if 200 <= status < 300:
            _taken(delivery, answer)
        elif not _refused(delivery, status, answer) or not status:
            return


def forget() -> None:
    """What was sent long ago."""
    Delivery.objects.filter(created__lt=timezone.now() - KEPT, next_attempt=None).delete()


def _wait(attempts: int) -> int:
    return WAITS[min(attempts, len(WAITS) - 1)]


def _send(delivery: Delivery) -> tuple[int, str]:
    """The status of the answer, 0 without one; and what is shown of it: never its words."""
    hook = delivery.webhook
    try:
        secret = decrypted(hook.encrypted_secret)
    except Unreadable:
        return 0, "Its secret can't be read. Delete it and make another one"
    signed = headers(secret, str(delivery.pk), int(time.time()), delivery.body)
    told = signed | {"Content-Type": "application/json", "User-Agent": "SVQ-Webhooks"}
    with sync_client(timeout=SECONDS, public_only=not owners_may().private_addresses) as web:
        try:
            with (
                within(SECONDS, web),
                web.stream(
                    "POST", hook.address, content=delivery.body, headers=told, follow_redirects=False
                ) as response,
            ):
                return response.status_code, f"HTTP {response.status_code}"
        except NotPublic:
            return 0, "The address is in a private network, which administrators have not allowed"
        except httpx.TimeoutException:
            return 0, f"No answer within {SECONDS} seconds"
        except (httpx.HTTPError, httpx.InvalidURL, OSError, RuntimeError) as error:
            return 0, f"No connection ({type(error).__name__})"


def _taken(delivery: Delivery, answer: str) -> None:
    Delivery.objects.filter(pk=delivery.pk).update(next_attempt=None, delivered=timezone.now(), answer=answer)
    Webhook.objects.filter(pk=delivery.webhook_id).update(failing_since=None)


def _refused(delivery: Delivery, status: int, answer: str) -> bool:
    """Whether the webhook goes on."""
    last = {} if delivery.attempts < len(WAITS) else {"next_attempt": None}
    Delivery.objects.filter(pk=delivery.pk).update(answer=answer, **last)
    hook, now = delivery.webhook, timezone.now()
    if hook.failing_since is None:
        hook.failing_since = now
    if status == GONE or now - hook.failing_since > GIVEN_UP_AFTER:
        hook.disabled = now
        hook.deliveries.exclude(next_attempt=None).update(next_attempt=None)
        _tell_owner(hook)
    hook.save(update_fields=["failing_since", "disabled"])
    return hook.disabled is None


def _tell_owner(hook: Webhook) -> None:
    """By mail, where this server sends any; the settings of the datasource say it too."""
    if not settings.EMAIL_URL:
        return
    page = settings.SITE_URL + reverse("webhook", args=[hook.datasource_id, hook.pk])
    text = f"Nothing that SVQ sent there was taken for days, so it sends nothing more.\n\n{page}\n"
    mail.send_later(EmailMessage("A webhook is switched off", text, to=[hook.datasource.owner.email]))
