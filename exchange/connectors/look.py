"""A run of a look at a connected source: who may begin it, and when the next one is due."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import ClassVar

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from datasources.models import Role
from exchange.connectors.kinds.registry import known
from exchange.connectors.models import Connector, Status
from exchange.connectors.services import lock_datasource
from jobs.failures import Failure
from jobs.runs import FencedRun, claim

LONGEST_WAIT = 240  # minutes to the next look at a folder that failed, unless it usually waits longer
LONGEST_ALONE = 86_400.0  # seconds for which a place is left alone that asks for it
PASSING = ("quota", "many_gone")  # failures that end by themselves, or by a person's word: no longer waits
NO_ACCESS = Failure(
    code="no_access",
    message=gettext_noop("The person who connected this source can no longer add documents here."),
    hint=gettext_noop("Another owner can delete it and connect it again."),
)
NO_ADMINISTRATOR = Failure(
    code="no_access",
    message=gettext_noop("The person who connected this source is no longer an administrator."),
    hint=gettext_noop("Another administrator can delete it and connect it again."),
)


class Look(FencedRun[Connector]):
    safe = gettext_noop("What is here stays.")
    deadly = gettext_noop("This stopped its worker several times, so it is not tried again.")
    max_deaths: ClassVar[int] = 5
    seconds: float | None = None  # that it compares before others have their turn; None: to its end
    may_go: int = 0  # documents that a person lets go with this look
    alone: float = 0.0  # seconds for which the place asks to be left alone
    paths: Collection[str] = ()  # of all files there

    @contextmanager
    def writing(self) -> Iterator[Connector]:
        with transaction.atomic():
            lock_datasource(self.row.pk)
            with super().writing() as row:
                yield row

    @transaction.atomic
    def fail(self, failure: Failure) -> None:
        lock_datasource(self.row.pk)
        super().fail(failure)

    def announce(self, failure: Failure) -> None:
        """The row says it, and the page looks there. It waits longer with each failure in a row."""
        failures = 0 if failure.code in PASSING else self.row.failures + 1
        longer = self.row.every * 2 ** min(max(failures - 1, 0), 5)
        wait = timedelta(minutes=max(self.row.every, min(longer, LONGEST_WAIT)))
        next_look = max(timezone.now() + wait, self.not_before())
        self.row.write(failures=failures, next_look=next_look)

    def not_before(self) -> datetime:
        """When the place may be asked again."""
        return timezone.now() + timedelta(seconds=min(self.alone, LONGEST_ALONE))


@transaction.atomic
def begin(connector: int, should_stop: Callable[[], bool]) -> Look | None:
    """Take it over from any other worker; None if it is not due any more."""
    lock_datasource(connector)
    rows = Connector.objects.select_related("datasource", "made_by")
    row = claim(rows.filter(pk=connector).order_by())
    if row is None:
        return None
    look = Look(row, should_stop)
    if row.datasource.archived:
        look.close(status=Status.IDLE, attempts=0, unended=0, may_go=0)
        return None
    # What a person has allowed is for this look alone, whatever becomes of it.
    look.may_go = row.may_go
    due = timezone.now() + timedelta(minutes=row.every)
    row.write(status=Status.RUNNING, next_look=due, may_go=0, gone=0)
    if look.gives_up():
        return None
    person = row.made_by
    if person is None or not person.is_active or not row.datasource.allows(person, Role.EDITOR):
        look.fail(NO_ACCESS)
        return None
    kind = known(row.kind)
    if kind and kind.is_of_server(row.place) and not person.is_superuser:
        look.fail(NO_ADMINISTRATOR)
        return None
    if kind and (off := kind.why_off()):
        look.fail(Failure(code="fetching_off", message=off.message, hint=off.hint))
        return None
    return look
