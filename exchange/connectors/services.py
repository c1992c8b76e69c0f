"""What owners do with connected sources: connect, change, look now, switch off and on, disconnect."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from procrastinate.contrib.django import app

from datasources.lanes import lane_of
from datasources.models import Datasource
from exchange.connectors.kinds.kind import Kind
from exchange.connectors.kinds.registry import TELLING_READERS, kind_of
from exchange.connectors.models import Connector, Every, Status
from exchange.connectors.readers import stand_for, take_away, withdraw
from jobs.cancel import cancel_on_commit
from jobs.models import RELEASED, REQUEUED
from providers.connections.secrets import Unreadable, decrypted, encrypted, rotate_column

if TYPE_CHECKING:
    from accounts.models import PeopleGroup, User

MOST = 10  # of a datasource
LONGEST_PLACE, LONGEST_NAME, LONGEST_REGION = 2_000, 200, 40
LONGEST_SECRET = 10_000  # characters: keys of service accounts are files
LONGEST_NUMBER = 100  # of a tenant or an application
NAMES = ("user_name", "tenant", "application")  # for which a password is
TEXTS = (*NAMES, "region")


@transaction.atomic
def connect(
    datasource: Datasource,
    kind: str,
    place: str,
    *,
    by: "User",
    secret: str = "",
    every: int = Every.HOUR,
    deletes: bool = True,
    **texts: str,
) -> Connector:
    """Follow a source from now on; its first look begins at once. texts: of TEXTS those that its kind asks
    for. Raises ValidationError.
    """
    place = checked_place(kind, place, by)
    Datasource.objects.select_for_update(no_key=True).get(pk=datasource.pk)
    check_is_new(datasource, place)
    connector = Connector.objects.create(
        datasource=datasource,
        kind=Kind(kind),
        place=place,
        encrypted_secret=encrypted(secret),
        every=Every(every),
        deletes=deletes or kind in TELLING_READERS,
        made_by=by,
        key_of=by,
        **{name: texts.get(name, "").strip() for name in TEXTS},
    )
    _queue(connector)
    return connector


def check_is_new(datasource: Datasource, place: str) -> None:
    """And that the datasource may have one more. Raises ValidationError."""
    if datasource.connectors.count() >= MOST:
        raise ValidationError(
            _("There are {n} connected sources. Disconnect one first.").format(n=MOST), code="too_many"
        )
    _check_is_free(datasource, place)


def _check_is_free(datasource: Datasource, place: str) -> None:
    if datasource.connectors.filter(place=place).exists():
        raise ValidationError(_("This source is connected already."), code="place_taken")


@transaction.atomic
def change(connector: Connector, **changed: Any) -> None:
    """TEXTS, secret with key_of, every, deletes: those that are given. place: one that `checked_place` gave;
    once a file has come from a source, another one is another connector. Raises ValidationError.
    """
    row = _locked(connector)
    columns = _columns(row, changed)
    place = changed.get("place", row.place)
    if any(name in changed for name in ("place", *NAMES)):
        secret_for(row, place, changed)
    if place != row.place:
        if row.files.exists():
            raise ValidationError(
                _("Files have come from this source. Connect the other one as a source of its own."),
                code="place",
            )
        _check_is_free(row.datasource, place)
        _look_elsewhere(row, {**columns, "place": place})
    else:
        row.write(**columns)
        if columns.get("key_of") and row.kind in TELLING_READERS:
            withdraw(row)
    connector.refresh_from_db()


def _look_elsewhere(row: Connector, columns: Mapping[str, Any]) -> None:
    """The look under way ends: it would go on with the files of the place before. Whom that one names as
    readers are others than those of the same names here.
    """
    cancel_on_commit(row.job_id)
    row.counterparts.all().delete()
    row.write(**columns, failures=0, looked=None, may_go=0, gone=0)
    if row.is_on:
        _queue(row)


def secret_for(connector: Connector, place: str, changed: Mapping[str, Any]) -> str:
    """The password to use at that place. The one that is kept goes to no other place than the one it was
    typed for, and opens nothing for another name: whoever changes them need not know it, and a key may open
    the mailboxes of a whole firm. Raises ValidationError.
    """
    given = str(changed.get("secret", ""))
    if given or not connector.encrypted_secret:
        return given
    if place != connector.place:
        raise ValidationError(_("Enter the password again: the address is another one."), code="secret")
    if any(changed.get(name, getattr(connector, name)).strip() != getattr(connector, name) for name in NAMES):
        raise ValidationError(_("Enter the password again: it was for another name."), code="secret")
    try:
        return decrypted(connector.encrypted_secret)
    except Unreadable:
        raise ValidationError(
            _("The password that is kept can't be read any more. Enter it again."), code="secret"
        ) from None


def _columns(row: Connector, changed: Mapping[str, Any]) -> dict[str, Any]:
    values = {name: changed[name] for name in ("every", "deletes", "key_of") if name in changed}
    if row.kind in TELLING_READERS:  # what is no longer followed there, nobody knows who may read
        values["deletes"] = True
    values |= {name: changed[name].strip() for name in TEXTS if name in changed}
    return values | ({"encrypted_secret": encrypted(changed["secret"])} if "secret" in changed else {})


@transaction.atomic
def look_now(connector: Connector, *, may_go: int = 0) -> Connector:
    """may_go: so many documents may be deleted, as a person was shown that number, which is what the last
    look has found gone. Raises ValidationError.
    """
    row = _locked(connector)
    if not row.is_on:
        raise ValidationError(_("It is switched off. Switch it on first."), code="off")
    if may_go and may_go != row.gone:
        raise ValidationError(
            _(
                "So many documents would not be deleted by now. Nothing was deleted. Look at how many it is, "
                "and answer again."
            ),
            code="gone_changed",
        )
    if may_go:
        row.write(may_go=may_go)
    if not row.is_unfinished:
        _queue(row)
    return row


@transaction.atomic
def say_who_may_read(connector: Connector, groups: "Mapping[int, PeopleGroup | None]", *, by: "User") -> None:
    """As `stand_for`; then the source is looked at, if it is on. Raises ValidationError."""
    stand_for(connector, groups, by=by)
    if connector.is_on:
        look_now(connector)


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
    """Documents stay, but for those of a source that says who may read them: nobody would ask it any more.
    Twice is the same as once.
    """
    lock_datasource(connector.pk)
    if row := Connector.objects.select_for_update().filter(pk=connector.pk).first():
        cancel_on_commit(row.job_id)
        if row.kind in TELLING_READERS:
            take_away(row, list(row.files.with_document()))
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
    """As it is kept. Raises ValidationError."""
    place = place.strip()
    if len(place) > LONGEST_PLACE or not place.isprintable():
        raise ValidationError(_("That is not the address of a source."), code="place")
    return kind_of(kind).check(place, by)


def gone() -> ValidationError:
    return ValidationError(_("Somebody has disconnected this source. Connect it again."), code="gone")


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
