"""Webhooks: told at least once, signed, to public addresses alone, and given up with a word to the owner."""

import json
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db.models import F
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.mail import _senders
from accounts.models import User
from datasources.models import Datasource, Document, Membership, Role
from datasources.services import share, unshare
from exchange.webhooks import delivering, tasks
from exchange.webhooks.models import CHOSEN, Delivery, Webhook
from exchange.webhooks.services import change_webhook, make_webhook, send_test
from ingestion.progress import announce, tell
from providers.connections.secrets import decrypted
from providers.connections.services import allow_owners
from tests.factories import make_document
from tests.people import browser_of
from tests.responses import text_of
from tests.webhooks.receiver import Receiver

HOW_TO = Path("docs/how-to/be-told-by-a-webhook.md")


@pytest.fixture
def receiver(db: None) -> Iterator[Receiver]:
    allow_owners(connect=False, private_addresses=False, private_webhooks=True)
    with Receiver() as running:
        yield running


@pytest.fixture
def lease(contracts: Datasource) -> Document:
    return make_document(contracts, "Quetzalcoatl lease", "Rent is due.")


def made(datasource: Datasource, address: str) -> tuple[Webhook, str]:
    """Without its first test."""
    hook, secret = make_webhook(datasource, address, CHOSEN, by=datasource.owner)
    hook.deliveries.all().delete()
    return hook, secret


def run() -> None:
    """What the worker does every ten seconds."""
    for number in delivering.collect():
        delivering.deliver(number)


def later(**time: float) -> None:
    """So much time goes by for what waits."""
    Delivery.objects.exclude(next_attempt=None).update(next_attempt=F("next_attempt") - timedelta(**time))


def told(receiver: Receiver) -> list[dict[str, Any]]:
    return [json.loads(body) for _, body in receiver.got]


def test_an_owner_makes_one_and_its_secret_checks_what_comes(
    receiver: Receiver, alice: User, contracts: Datasource, lease: Document
) -> None:
    """By the example of the how-to page."""
    owner, page = browser_of(alice), reverse("webhooks", args=[contracts.pk])
    form = {"address": receiver.address, "kinds": ["document.ready", "document.failed"]}
    shown = owner.post(page, form, follow=True).content.decode()
    secret = re.search(r"whsec_[\w+/]{43}=", shown)
    assert secret
    assert secret[0] not in owner.get(page).content.decode(), "once"
    assert secret[0] not in Webhook.objects.get().encrypted_secret
    announce(lease, "document_ready")
    run()
    example: dict[str, Any] = {}
    code = re.search(r"```python\n(.*?)```", HOW_TO.read_text(), re.S)
    assert code
    exec(code[1], example)
    for headers, body in receiver.got:
        assert example["is_from_svq"](secret[0], headers, body)
        assert not example["is_from_svq"](secret[0], headers, body.replace(b"1", b"2"))
        assert not example["is_from_svq"](secret[0], headers | {"webhook-timestamp": "1614265330"}, body)
    assert [one["type"] for one in told(receiver)] == ["webhook.test", "document.ready"]
    one = reverse("webhook", args=[contracts.pk, Webhook.objects.get().pk])
    assert "HTTP 204" in text_of(owner.get(one))
    assert "1 webhook." in text_of(owner.get(reverse("datasource_settings", args=[contracts.pk])))


def test_what_happens_is_told_without_a_word_of_a_document(
    receiver: Receiver, contracts: Datasource, lease: Document
) -> None:
    made(contracts, receiver.address)
    lease.error_code, lease.error_message = "damaged", "Quetzalcoatl is damaged"
    announce(lease, "document_queued")
    announce(lease, "document_ready")
    announce(lease, "document_failed")
    tell(contracts.pk, "document_failed", {"done": 1, "total": 2})  # about ready-made passages
    tell(contracts.pk, "run_finished", {"run": 3, "status": "done", "fallen": True})
    tell(contracts.pk, "deletion_finished", {"deletion": "5b"})
    run()
    assert [(one["type"], one["data"]) for one in told(receiver)] == [
        ("document.ready", {"datasource": contracts.pk, "document": lease.pk, "state": "ready"}),
        (
            "document.failed",
            {"datasource": contracts.pk, "document": lease.pk, "state": "failed", "code": "damaged"},
        ),
        ("run.finished", {"datasource": contracts.pk, "run": 3, "state": "done"}),
        ("run.fell", {"datasource": contracts.pk, "run": 3, "state": "fallen"}),
        ("deletion.complete", {"datasource": contracts.pk, "deletion": "5b", "state": "complete"}),
    ]
    assert not any(b"Quetzalcoatl" in body for _, body in receiver.got)


def test_a_kill_loses_nothing(
    receiver: Receiver, contracts: Datasource, lease: Document, monkeypatch: Any
) -> None:
    """Between writing deliveries down and noting how far; and between an attempt's start and its end."""
    made(contracts, receiver.address)
    announce(lease, "document_ready")

    def killed(*_: Any, **__: Any) -> None:
        raise SystemExit

    with monkeypatch.context() as dying:
        dying.setattr(Webhook, "save", killed)
        with pytest.raises(SystemExit):
            delivering.collect()
    assert not Delivery.objects.exists()
    with monkeypatch.context() as dying:
        dying.setattr(delivering, "_send", killed)
        with pytest.raises(SystemExit):
            run()
    assert not receiver.got
    run()
    assert not receiver.got, "it may be under way still"
    later(seconds=6)
    run()
    run()
    assert len(receiver.got) == 1
    assert Delivery.objects.get().delivered


@pytest.mark.parametrize("address", ["http://127.0.0.1:{port}/", "http://localhost:{port}/"])
def test_no_private_address_is_reached(
    address: str, receiver: Receiver, contracts: Datasource, lease: Document
) -> None:
    made(contracts, address.format(port=receiver.server.server_port))
    allow_owners(connect=True, private_addresses=True, private_webhooks=False)
    announce(lease, "document_ready")
    run()
    assert not receiver.got
    delivery = Delivery.objects.get()
    assert "private network" in delivery.answer
    with override("de"):
        assert "in einem privaten Netz" in delivery.answer_told


def test_a_server_that_does_not_answer_is_asked_once_at_a_time(
    contracts: Datasource, lease: Document
) -> None:
    allow_owners(connect=False, private_addresses=False, private_webhooks=True)
    made(contracts, "http://127.0.0.1:9/")
    for _ in range(3):
        announce(lease, "document_ready")
    run()
    assert sorted(Delivery.objects.values_list("attempts", flat=True)) == [0, 0, 1]
    run()
    assert sorted(Delivery.objects.values_list("attempts", flat=True)) == [0, 0, 1], "it rests as a whole"
    an_hour_ago = timezone.now() - timedelta(hours=1)
    Webhook.objects.update(next_attempt=an_hour_ago, failing_since=an_hour_ago)
    run()
    now = timezone.now()
    assert Webhook.objects.get(next_attempt__gt=now + timedelta(minutes=29)), "at most every half hour"
    assert Webhook.objects.get(next_attempt__lt=now + timedelta(minutes=31))
    send_test(Webhook.objects.get())
    assert delivering.collect(), "whoever asks for a test does not wait"


@pytest.mark.parametrize("address", ["http://10.0.0.7/hook", "http://localhost/hook", "http://[::1]/"])
def test_a_private_address_is_refused_at_once(address: str, alice: User, contracts: Datasource) -> None:
    """Where administrators have not allowed it; when it is made, and when it is changed."""
    owner, form = browser_of(alice), {"address": address, "kinds": ["run.fell"]}
    refused = owner.post(reverse("webhooks", args=[contracts.pk]), form)
    assert refused.status_code == 422
    assert "private network, which administrators have not allowed for webhooks" in text_of(refused)
    hook, _ = made(contracts, "https://93.184.216.34/")
    page = reverse("webhook", args=[contracts.pk, hook.pk])
    assert owner.post(page, form | {"action": "save"}).status_code == 422
    assert Webhook.objects.get().address == "https://93.184.216.34/"
    allow_owners(connect=False, private_addresses=False, private_webhooks=True)
    assert owner.post(page, form | {"action": "save"}).status_code == 302
    assert (Webhook.objects.get().address, Webhook.objects.get().kinds) == (address, ["run.fell"])


def test_an_owner_switches_one_off_for_a_while(
    receiver: Receiver, alice: User, contracts: Datasource, lease: Document
) -> None:
    hook, _ = made(contracts, receiver.address)
    page, owner = reverse("webhook", args=[contracts.pk, hook.pk]), browser_of(alice)
    announce(lease, "document_ready")
    delivering.collect()
    assert "every 3s" in owner.get(page).content.decode(), "the answer comes without a reload"
    owner.post(page, {"action": "switch_off"})
    run()
    shown = owner.get(page)
    assert "An owner has switched it off" in text_of(shown)
    assert "Not sent: the webhook was switched off" in text_of(shown)
    assert "every 3s" not in shown.content.decode()
    assert not receiver.got
    assert "Its secret is lost" in text_of(owner.get(page, {"ask": "delete"}))


@pytest.mark.parametrize("address", ["ftp://a.example/", "https://u:p@a.example/", "hooks", "", "http://[/"])
def test_what_is_no_address_is_refused(address: str, alice: User, contracts: Datasource) -> None:
    form = {"address": address, "kinds": ["run.fell"]}
    assert browser_of(alice).post(reverse("webhooks", args=[contracts.pk]), form).status_code == 422
    assert not Webhook.objects.exists()


def test_a_new_address_counts_for_what_is_being_sent(
    receiver: Receiver, contracts: Datasource, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook, _ = made(contracts, receiver.address)
    send_test(hook)
    send_test(hook)
    sent = delivering._send

    def move_after(hook: Webhook, delivery: Delivery) -> tuple[int, str]:
        answer = sent(hook, delivery)
        change_webhook(hook, f"{receiver.address}moved", CHOSEN)
        return answer

    monkeypatch.setattr(delivering, "_send", move_after)
    delivering.deliver(hook.pk)
    assert receiver.paths == ["/", "/moved"]


def test_who_saves_what_somebody_has_deleted_is_told_so(contracts: Datasource, receiver: Receiver) -> None:
    hook, _ = made(contracts, receiver.address)
    Webhook.objects.all().delete()
    with pytest.raises(ValidationError, match="Somebody has deleted this webhook"):
        change_webhook(hook, receiver.address, CHOSEN)


def test_its_page_says_so_too(alice: User, contracts: Datasource, monkeypatch: pytest.MonkeyPatch) -> None:
    hook, _ = made(contracts, "https://hooks.example/a")
    save = change_webhook

    def deleted_meanwhile(hook: Webhook, *changed: Any, **more: Any) -> None:
        Webhook.objects.all().delete()
        save(hook, *changed, **more)

    monkeypatch.setattr("exchange.webhooks.services.change_webhook", deleted_meanwhile)
    form = {"action": "save", "address": "https://hooks.example/b", "kinds": ["run.fell"]}
    page = reverse("webhook", args=[contracts.pk, hook.pk])
    assert browser_of(alice).post(page, form).status_code == 404


def test_a_redirect_is_not_followed(receiver: Receiver, contracts: Datasource, lease: Document) -> None:
    receiver.status = 302
    made(contracts, receiver.address)
    announce(lease, "document_ready")
    run()
    assert len(receiver.got) == 1
    assert Delivery.objects.get().answer == "HTTP 302"


def test_what_is_not_taken_is_sent_again_with_the_same_id_ever_later(
    receiver: Receiver, contracts: Datasource, lease: Document
) -> None:
    receiver.status = 500
    hook, _ = made(contracts, receiver.address)
    announce(lease, "document_ready")
    for attempts, wait in enumerate(delivering.WAITS, 1):
        run()
        assert len(receiver.got) == attempts
        run()
        assert len(receiver.got) == attempts, "not at once"
        later(seconds=wait)
    assert len({headers["webhook-id"] for headers, _ in receiver.got}) == 1
    run()
    delivery = Delivery.objects.get()
    assert (delivery.next_attempt, delivery.answer) == (None, "HTTP 500"), "then it rests"
    receiver.status = 204
    form = {"again": str(delivery.pk)}
    page = reverse("webhook", args=[contracts.pk, hook.pk])
    browser_of(contracts.owner).post(page, form)
    run()
    delivery.refresh_from_db()
    assert delivery.delivered
    hook.refresh_from_db()
    assert hook.failing_since is None


@pytest.mark.parametrize("why", ["days of failure", "the server is gone"])
def test_it_is_switched_off_with_a_word_to_the_owner(
    why: str,
    receiver: Receiver,
    alice: User,
    contracts: Datasource,
    lease: Document,
    settings: Any,
    django_capture_on_commit_callbacks: Any,
) -> None:
    settings.EMAIL_URL = "smtp://mail.example"
    hook, _ = made(contracts, receiver.address)
    receiver.status = 410 if why == "the server is gone" else 500
    if why == "days of failure":
        began = timezone.now() - timedelta(days=6)
        Webhook.objects.update(failing_since=began, last_failure=timezone.now() - timedelta(days=1))
    announce(lease, "document_ready")
    with django_capture_on_commit_callbacks(execute=True):
        run()
    announce(lease, "document_ready")
    later(days=9)
    run()
    assert len(receiver.got) == 1, "nothing more is sent"
    _senders.submit(int).result()
    page = reverse("webhook", args=[contracts.pk, hook.pk])
    assert mail.outbox[0].to == [alice.email]
    assert page in str(mail.outbox[0].body)
    owner, shown = browser_of(alice), "five days" if why == "days of failure" else "HTTP 410"
    assert shown in str(mail.outbox[0].body)
    assert shown in text_of(owner.get(page))
    assert "Switched off" in text_of(owner.get(page))
    for form in ({"action": "test"}, {"again": str(Delivery.objects.latest("created").pk)}):
        assert "Switch it on first" in text_of(owner.post(page, form, follow=True))
    settings_page = reverse("datasource_settings", args=[contracts.pk])
    assert "1 webhook, 1 switched off." in text_of(owner.get(settings_page))
    receiver.status = 204
    owner.post(page, {"action": "open_again"})
    Webhook.objects.update(failing_since=timezone.now())
    assert "1 webhook, 1 failing." in text_of(owner.get(settings_page))
    Webhook.objects.update(failing_since=None)
    run()
    assert len(receiver.got) == 1, "what happened meanwhile is not told"
    announce(lease, "document_ready")
    run()
    assert len(receiver.got) == 2


@pytest.mark.parametrize("waits", [False, True])
def test_it_ends_with_the_right_of_who_made_it(
    receiver: Receiver, alice: User, bob: User, contracts: Datasource, lease: Document, waits: bool
) -> None:
    """Also for what is on its way already. Another owner takes it over by switching it on."""
    share(contracts, bob, Role.OWNER)
    hook, _ = make_webhook(contracts, receiver.address, CHOSEN, by=bob)
    run()
    receiver.got.clear()
    if waits:
        announce(lease, "document_ready")
        delivering.collect()
    unshare(contracts, bob)
    announce(lease, "document_ready")
    run()
    hook.refresh_from_db()
    assert (receiver.got, hook.is_enabled, hook.why_off) == ([], False, "no_access")
    page = reverse("webhook", args=[contracts.pk, hook.pk])
    owner = browser_of(alice)
    assert "is no longer an owner here" in text_of(owner.get(page))
    owner.post(page, {"action": "open_again"})
    announce(lease, "document_ready")
    run()
    assert [one["type"] for one in told(receiver)] == ["document.ready"]


def test_what_was_taken_meanwhile_counts(
    receiver: Receiver, contracts: Datasource, lease: Document, monkeypatch: Any
) -> None:
    """Of two messages in one job the first is taken, after six days in which nothing was."""
    hook, _ = made(contracts, receiver.address)
    began = timezone.now() - timedelta(days=6)
    Webhook.objects.update(failing_since=began, last_failure=timezone.now() - timedelta(hours=1))
    announce(lease, "document_ready")
    announce(lease, "document_ready")
    answers = iter([(204, "HTTP 204"), (503, "HTTP 503")])
    monkeypatch.setattr(delivering, "_send", lambda *_: next(answers))
    run()
    hook.refresh_from_db()
    assert hook.disabled is None


def test_a_failure_of_weeks_ago_does_not_count(
    receiver: Receiver, contracts: Datasource, lease: Document
) -> None:
    receiver.status = 500
    hook, _ = made(contracts, receiver.address)
    weeks = timezone.now() - timedelta(days=20)
    Webhook.objects.update(failing_since=weeks, last_failure=weeks)
    announce(lease, "document_ready")
    run()
    hook.refresh_from_db()
    assert hook.disabled is None
    assert hook.failing_since
    assert timezone.now() - hook.failing_since < timedelta(minutes=1)


def test_an_event_that_cannot_be_read_holds_up_nothing(
    receiver: Receiver, contracts: Datasource, lease: Document
) -> None:
    made(contracts, receiver.address)
    tell(contracts.pk, "run_finished", {"status": "done"})
    announce(lease, "document_ready")
    run()
    assert [one["type"] for one in told(receiver)] == ["document.ready"]


def test_editors_see_no_webhooks(bob: User, contracts: Datasource) -> None:
    Membership.objects.filter(user=bob).update(role=Role.EDITOR)
    assert browser_of(bob).get(reverse("webhooks", args=[contracts.pk])).status_code == 403
    assert (
        browser_of(bob).get(reverse("settings_section", args=[contracts.pk, "webhooks"])).status_code == 403
    )
    settings = browser_of(bob).get(reverse("datasource_settings", args=[contracts.pk]))
    assert "Webhooks" not in text_of(settings)


@pytest.mark.django_db(transaction=True)
def test_the_worker_takes_it_from_the_log_to_the_server(
    receiver: Receiver, alice: User, contracts: Datasource, lease: Document, work: Callable[[], None]
) -> None:
    made(contracts, receiver.address)
    announce(lease, "document_ready")
    tasks.collect(0)
    tasks.collect(0)
    job = ProcrastinateJob.objects.get(task_name="deliver_to_webhook")
    assert job.lock, "the next one waits for it"
    assert (job.args["lane"]["person"], job.args["lane"]["datasource"]) == (alice.pk, contracts.pk)
    work()
    assert [one["type"] for one in told(receiver)] == ["document.ready"]


def test_secrets_are_encrypted_with_the_newest_key(contracts: Datasource, settings: Any) -> None:
    hook, secret = made(contracts, "https://hooks.example/")
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another key that is long enough to be one"
    call_command("rotate_keys")
    settings.SECRET_KEY_FALLBACKS = []
    hook.refresh_from_db()
    assert decrypted(hook.encrypted_secret) == secret
