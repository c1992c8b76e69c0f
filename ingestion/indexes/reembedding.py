"""Another embedding model for a datasource: its vectors are made beside the old ones, then take over.

Until then everything is answered from the old vectors. These stay afterwards, so that the change can be
undone: the same the other way round, and what was added meanwhile is all that has to be embedded.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop
from procrastinate.contrib.django import app

from datasources.models import Datasource
from ingestion.indexes import statistics, vector_index, vector_spaces
from ingestion.indexes.vector_tables import VectorTable, vector_tables
from ingestion.models import SpaceStatus, VectorSpace
from jobs.failures import Failure
from jobs.models import RELEASED, REQUEUED
from jobs.runs import FencedRun, Stopped, claim
from providers.charging import owner_of
from providers.connections.services import forget_before
from providers.embedders import configured_embedder, embedder_named
from providers.minilm.loaded import LOCAL_EMBEDDER
from providers.protocols import Embedder
from providers.roles import ModelRole, endpoint

KEPT_FOR = timedelta(days=14)  # then the way back is closed
PAGE = 5000  # whose vectors are missing, looked up together


class SpaceRun(FencedRun[VectorSpace]):
    """One run of filling a space."""

    deadly = gettext_noop("Embedding the documents again stopped its worker twice, so it is not tried again.")
    safe = gettext_noop("Questions are answered from the old vectors.")

    def announce(self, failure: Failure) -> None:
        """The settings page, the admin and `doctor` tell of it."""


@transaction.atomic
def begin(datasource: Datasource, model: str, dimensions: int) -> VectorSpace | None:
    """Queue the change to another model, in place of any other change under way.

    None where there is nothing to change: the datasource is searched by that model, or has no vectors yet.
    """
    Datasource.objects.select_for_update(no_key=True).get(pk=datasource.pk)
    old = vector_spaces.current(datasource.pk)
    if old is None or (old.model, old.dimensions) == (model, dimensions):
        return None
    cancel(datasource)
    # Locked, so that `forget_old` leaves it alone or has deleted it before.
    space, _ = VectorSpace.objects.select_for_update(of=("self",)).get_or_create(
        datasource=datasource, model=model, dimensions=dimensions, defaults={"status": SpaceStatus.FILLING}
    )
    values = {"declined": False, **REQUEUED}
    space.write(status=SpaceStatus.FILLING, changed=timezone.now(), **values)
    defer_fill(space)
    return space


def change_to_configured(datasource: Datasource) -> VectorSpace | None:
    """Begin the change to the model that is set up now, as `begin` does. Raises ProviderError."""
    model = configured_embedder()
    return begin(datasource, model.name, model.dimensions)


def is_configured(space: VectorSpace) -> bool:
    """Whether it is the model that is set up now, told without asking a server."""
    server = endpoint(None, ModelRole.EMBEDDINGS)
    if server is None:
        return space.model == LOCAL_EMBEDDER
    return server.model == space.model and server.dimensions in (None, space.dimensions)


def follow_configured() -> None:
    """Begin the change wherever another model is set up by now, but where a person went back from it, and
    where it has failed: then a person tries again. Raises ProviderError.
    """
    for space in VectorSpace.objects.filter(status=SpaceStatus.CURRENT).select_related("datasource"):
        if is_configured(space):
            continue
        model = configured_embedder()
        if not is_left_to_a_person(space.datasource, model=model.name, dimensions=model.dimensions):
            begin(space.datasource, model.name, model.dimensions)


def is_left_to_a_person(datasource: Datasource, **of_model: object) -> bool:
    """Whether somebody went back from the model, or its change has failed or is under way."""
    tried = datasource.vector_spaces.filter(**of_model)
    return tried.exclude(status=SpaceStatus.KEPT, declined=False).exists()


def defer_fill(space: VectorSpace) -> None:
    """Queue the filling of a space; joins the caller's transaction."""
    task = app.configure_task("ingestion.vector_jobs.fill_space", lock=f"vectors:{space.datasource_id}")
    space.write(job_id=task.defer(space_id=space.pk))


@transaction.atomic
def undo(datasource: Datasource) -> VectorSpace | None:
    """Stop a change that is under way, else go back to the model before it; None where there is neither."""
    # Before its spaces, as whoever switches or deletes does.
    Datasource.objects.select_for_update(no_key=True).filter(pk=datasource.pk).first()
    if cancel(datasource):
        return vector_spaces.current(datasource.pk)
    before = datasource.vector_spaces.filter(status=SpaceStatus.KEPT).first()
    if before is None:
        return None
    datasource.vector_spaces.filter(status=SpaceStatus.CURRENT).update(declined=True)
    return begin(datasource, before.model, before.dimensions)


@transaction.atomic
def cancel(datasource: Datasource) -> bool:
    """Stop what is under way or has failed; what was made for it stays for another try, as long as any."""
    stopped = datasource.vector_spaces.filter(status__in=(SpaceStatus.FILLING, SpaceStatus.FAILED))
    return bool(stopped.update(status=SpaceStatus.STOPPED, changed=timezone.now(), **RELEASED))


def forget_old() -> None:
    """Delete vectors that are not searched and were not for long, and keys that served such vectors alone."""
    unused = (SpaceStatus.KEPT, SpaceStatus.STOPPED)
    old = VectorSpace.objects.filter(changed__lt=timezone.now() - KEPT_FOR, status__in=unused)
    for number in old.values_list("pk", flat=True):
        with transaction.atomic():  # deleting takes long: the next may have come into use meanwhile
            space = old.select_for_update(of=("self",)).filter(pk=number).first()
            if space:
                space.delete()
    forget_before(vector_spaces.models())


def fill(space_id: int, should_stop: Callable[[], bool] = lambda: False) -> None:
    """Bring a space to the end: searched, or failed with a reason, or left to the run that took over."""
    row = claim(VectorSpace.objects.select_related("datasource").filter(pk=space_id))
    if row is None:
        return
    run = SpaceRun(row, should_stop)
    if not run.gives_up():
        run.carry_out(_fill)


def _fill(run: FencedRun[VectorSpace]) -> None:
    space = run.row
    model = embedder_named(space.model, space.dimensions, owner_of(space.datasource))
    old = vector_spaces.current(space.datasource_id)
    assert old, "begun where there is a current space"
    for table in vector_tables():
        _fill_table(run, table, old, model)
    statistics.refresh()
    vector_index.maintain(space)
    while not _switch(run, old):
        _fill_table(run, vector_tables()[0], old, model)


def _fill_table(run: FencedRun[VectorSpace], table: VectorTable, old: VectorSpace, model: Embedder) -> None:
    @contextmanager
    def writing() -> Iterator[None]:
        with run.writing():  # another run has taken over, or a person has stopped it
            run.row.write(unended=0)
            yield

    for ids in _slices(table, old, run.row):
        table.fill(run.row, model, ids, writing)


def _slices(table: VectorTable, old: VectorSpace, new: VectorSpace) -> Iterator[Sequence[int]]:
    after = 0
    while ids := table.missing(old, new, after=after, limit=PAGE):
        for first in range(0, len(ids), table.at_once):
            yield ids[first : first + table.at_once]
        after = ids[-1]


def _switch(run: FencedRun[VectorSpace], old: VectorSpace) -> bool:
    """Let the new space be searched, all in one transaction; False when chunks were added meanwhile.

    Whoever adds vectors holds the old space as the current one, so none can come in between. Raises Stopped.
    """
    new = run.row
    with transaction.atomic():
        Datasource.objects.select_for_update(no_key=True).filter(pk=new.datasource_id).first()
        both = list(VectorSpace.objects.filter(pk__in=(old.pk, new.pk)).select_for_update().order_by("pk"))
        now = {space.pk: space for space in both}
        if old.pk not in now or now[old.pk].status != SpaceStatus.CURRENT:
            raise Stopped
        if now[new.pk].run_token != run.token or run.should_stop():
            raise Stopped
        chunks, *others = vector_tables()
        if chunks.missing(old, new, limit=1):
            return False
        kept = VectorSpace.objects.filter(datasource=new.datasource_id).exclude(pk__in=now)
        kept.filter(status=SpaceStatus.KEPT).update(status=SpaceStatus.STOPPED)
        old.write(status=SpaceStatus.KEPT, changed=timezone.now())
        new.write(status=SpaceStatus.CURRENT, changed=timezone.now(), run_token=None)
        Datasource.objects.filter(pk=new.datasource_id).update(
            embedding_model=new.model, embedding_dimensions=new.dimensions
        )
        for table in others:
            table.switch(old, new)
    return True
