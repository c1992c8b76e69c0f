"""What owners do with connected folders: connect, change, look now, switch off and on, disconnect."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, quote, unquote, urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from procrastinate.contrib.django import app

from connectors.models import Connector, Every, Kind, Status
from connectors.sources.folder import released
from connectors.sources.places import BRANCH, parts_of
from connectors.sources.source import USUAL_PORTS
from datasources.lanes import lane_of
from datasources.models import Datasource
from ingestion.web_pages.adding import OFF
from jobs.cancel import cancel_on_commit
from jobs.models import RELEASED, REQUEUED
from providers.connections.secrets import Unreadable, decrypted, encrypted, rotate_column
from providers.connections.services import owners_may
from providers.http.public_addresses import NOT_PUBLIC, is_private

if TYPE_CHECKING:
    from accounts.models import User

MOST = 10  # of a datasource
SITE_ADVICE = "Until then no web site is followed."
PLAIN = "/:@!$&'()*+,;="  # in paths of addresses, beside letters and digits
LONGEST_PLACE, LONGEST_NAME, LONGEST_SECRET, LONGEST_REGION = 2000, 200, 500, 40


@transaction.atomic
def connect(
    datasource: Datasource,
    kind: str,
    place: str,
    *,
    by: "User",
    user_name: str = "",
    secret: str = "",
    region: str = "",
    every: int = Every.HOUR,
    deletes: bool = True,
) -> Connector:
    """Follow a folder from now on; its first look begins at once. Raises ValidationError."""
    place = checked_place(kind, place, by)
    Datasource.objects.select_for_update(no_key=True).get(pk=datasource.pk)
    check_is_new(datasource, place)
    connector = Connector.objects.create(
        datasource=datasource,
        kind=Kind(kind),
        place=place,
        user_name=user_name.strip(),
        encrypted_secret=encrypted(secret),
        region=region.strip(),
        every=Every(every),
        deletes=deletes,
        made_by=by,
    )
    _queue(connector)
    return connector


def check_is_new(datasource: Datasource, place: str) -> None:
    """And that the datasource may have one more. Raises ValidationError."""
    if datasource.connectors.count() >= MOST:
        raise ValidationError(f"There are {MOST} connected folders. Disconnect one first.", code="too_many")
    _check_is_free(datasource, place)


def _check_is_free(datasource: Datasource, place: str) -> None:
    if datasource.connectors.filter(place=place).exists():
        raise ValidationError("This folder is connected already.", code="place_taken")


@transaction.atomic
def change(connector: Connector, **changed: Any) -> None:
    """user_name, secret, region, every, deletes: those that are given. place: one that `checked_place` gave;
    once a file has come from a folder, another one is another connector. Raises ValidationError.
    """
    row, columns = _locked(connector), _columns(changed)
    place = changed.get("place", row.place)
    if place != row.place:
        secret_for(row, place, changed.get("secret", ""))
        if row.files.exists():
            raise ValidationError(
                "Files have come from this folder. Connect the other one as a folder of its own.",
                code="place",
            )
        _check_is_free(row.datasource, place)
        _look_elsewhere(row, {**columns, "place": place})
    else:
        row.write(**columns)
    connector.refresh_from_db()


def _look_elsewhere(row: Connector, columns: Mapping[str, Any]) -> None:
    """The look under way ends: it would go on with the files of the place before."""
    cancel_on_commit(row.job_id)
    row.write(**columns, failures=0, looked=None, may_go=0, gone=0)
    if row.is_on:
        _queue(row)


def secret_for(connector: Connector, place: str, given: str) -> str:
    """The password to use at that place. The one that is kept goes to no other place than the one it was
    typed for: whoever changes the address need not know it. Raises ValidationError.
    """
    if given or not connector.encrypted_secret:
        return given
    if place != connector.place:
        raise ValidationError("Enter the password again: the address is another one.", code="secret")
    try:
        return decrypted(connector.encrypted_secret)
    except Unreadable:
        raise ValidationError(
            "The password that is kept can't be read any more. Enter it again.", code="secret"
        ) from None


def _columns(changed: Mapping[str, Any]) -> dict[str, Any]:
    values = {name: changed[name] for name in ("every", "deletes") if name in changed}
    values |= {name: changed[name].strip() for name in ("user_name", "region") if name in changed}
    return values | ({"encrypted_secret": encrypted(changed["secret"])} if "secret" in changed else {})


@transaction.atomic
def look_now(connector: Connector, *, may_go: int = 0) -> Connector:
    """may_go: so many documents may be deleted, as a person was shown that number, which is what the last
    look has found gone. Raises ValidationError.
    """
    row = _locked(connector)
    if not row.is_on:
        raise ValidationError("It is switched off. Switch it on first.", code="off")
    if may_go and may_go != row.gone:
        raise ValidationError(
            "So many documents would not be deleted by now. Nothing was deleted. Look at how many it is, "
            "and answer again.",
            code="gone_changed",
        )
    if may_go:
        row.write(may_go=may_go)
    if not row.is_unfinished:
        _queue(row)
    return row


@transaction.atomic
def switch_off(connector: Connector) -> None:
    """What is here stays; the look under way ends, and what was allowed to it."""
    row = _locked(connector)
    cancel_on_commit(row.job_id)
    row.write(**RELEASED, status=Status.OFF, job_id=None, may_go=0, gone=0)


@transaction.atomic
def switch_on(connector: Connector) -> None:
    """It catches up at once."""
    row = _locked(connector)
    if not row.is_on:
        _queue(row)


@transaction.atomic
def disconnect(connector: Connector) -> None:
    """Documents stay. Twice is the same as once."""
    lock_datasource(connector.pk)
    if row := Connector.objects.select_for_update().filter(pk=connector.pk).first():
        cancel_on_commit(row.job_id)
        row.delete()


@transaction.atomic
def queue_due() -> None:
    """A job for each that is due, in its owner's lane; one that has lost its job gets another."""
    for row in Connector.objects.due().select_for_update(of=("self",), skip_locked=True):
        _queue(row)
    for row in Connector.objects.lost().select_for_update(of=("self",), skip_locked=True):
        row.write(job_id=defer_look(row))


def lock_datasource(connector: int) -> None:
    """That of this connector, for a transaction that then locks its row: in the order of those who delete the
    datasource. A row that is written twice asks for its datasource once more when it is committed.
    """
    rows = Datasource.objects.select_for_update(of=("self",), no_key=True)
    list(rows.filter(connectors=connector).order_by())


def defer_look(connector: Connector) -> int:
    """Queue its job; joins the caller's transaction, gives the job's id."""
    task = app.configure_task("look_at_folder", allow_unknown=False, lock=f"connector:{connector.pk}")
    return task.defer(
        connector=connector.pk, lane=lane_of(connector.datasource_id, connector.made_by_id).place()
    )


def rotate_secrets() -> tuple[int, list[str]]:
    """Encrypt all secrets with the newest key: how many, and which can't be read."""
    return rotate_column(Connector.objects.select_related("datasource"), "encrypted_secret")


def checked_place(kind: str, place: str, by: "User") -> str:
    """Whether a server may be reached is asked again at each look: a name may point elsewhere by then.

    Raises ValidationError.
    """
    place = place.strip()
    if len(place) > LONGEST_PLACE or not place.isprintable():
        raise ValidationError("That is no address of a folder.", code="place")
    if kind == Kind.SITE and not settings.FETCH_WEB_PAGES:
        raise ValidationError(f"{OFF} {SITE_ADVICE}", code="fetching_off")
    if kind == Kind.FOLDER:
        return _checked_folder(place, by)
    return _checked_repository(place, by) if kind == Kind.GIT else _checked_address(kind, place)


def _checked_repository(place: str, by: "User") -> str:
    address, branch, below = parts_of(place)
    parts = [part for part in below.split("/") if part]
    is_path = below.isprintable() and not any(part in (".", "..") for part in parts)
    if (branch and not BRANCH.fullmatch(branch)) or not is_path:
        raise ValidationError(
            "Give the branch after the address, and a folder after that: address#branch or "
            "address#branch:folder.",
            code="place",
        )
    where = _checked_folder(address, by) if address.startswith("/") else _checked_address(Kind.GIT, address)
    within = f":{quote('/'.join(parts), PLAIN)}" if parts else ""
    return f"{where}#{branch}{within}" if branch or within else where


def _checked_folder(place: str, by: "User") -> str:
    if not by.is_superuser:
        raise ValidationError(
            "Folders of this server are connected by administrators alone.", code="administrators"
        )
    path = released(place)
    if path is None:
        raise ValidationError(
            "This server has no such folder, or its operator has not released it (SVQ_CONNECTOR_FOLDERS).",
            code="place",
        )
    return str(path)


def _checked_address(kind: str, place: str) -> str:
    try:
        parts = urlsplit(place)
        _ = parts.port
    except ValueError:
        parts = urlsplit("")
    secure, plain = ("imaps", "imap") if kind == Kind.MAIL else ("https", "http")
    good = parts.scheme in (secure, plain) and parts.hostname and parts.username is None
    good = good and not str(parts.hostname).startswith("-")  # a sign of its own to curl
    if not good or parts.query or parts.fragment or not place.isascii():
        raise ValidationError(
            f"Give an address that begins with {secure}:// or {plain}://, without a user name or a question "
            "mark.",
            code="place",
        )
    if kind == Kind.S3 and not parts.path.strip("/"):
        raise ValidationError("Give the bucket after the server: https://server/bucket.", code="place")
    if not owners_may().private_connectors and is_private(str(parts.hostname)):
        raise ValidationError(NOT_PUBLIC, code="place")
    return _as_one_writes(kind, parts)


def _as_one_writes(kind: str, parts: SplitResult) -> str:
    """One place has one address, however it is spelt: without the usual port, and with just those characters
    escaped that have to be. In the names of buckets nothing is.
    """
    usual = USUAL_PORTS[parts.scheme]
    host = f"[{parts.hostname}]" if ":" in str(parts.hostname) else str(parts.hostname)
    port = "" if parts.port in (None, usual) else f":{parts.port}"
    path = parts.path if kind == Kind.S3 else quote(unquote(parts.path), PLAIN)
    return f"{parts.scheme}://{host}{port}{path}".rstrip("/")


def gone() -> ValidationError:
    return ValidationError("Somebody has disconnected this folder. Connect it again.", code="gone")


def _locked(connector: Connector) -> Connector:
    lock_datasource(connector.pk)
    row = Connector.objects.select_for_update().filter(pk=connector.pk).first()
    if row is None:
        raise gone()
    return row


def _queue(row: Connector) -> None:
    """The beginning of a look, which asks anew for what an earlier one was told is gone: it may be back.

    Writes the row once: many are queued without their datasources, see `lock_datasource`.
    """
    row.files.filter(is_gone=True, document__isnull=False).update(is_gone=False, version="")
    now = {"found": 0, "done": 0, "next_look": timezone.now(), "job_id": defer_look(row)}
    row.write(**REQUEUED, **now, status=Status.QUEUED)
