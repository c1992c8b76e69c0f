"""What administrators do with installed models, in the browser and on the command line."""

from functools import partial

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext

from jobs.cancel import cancel_on_commit
from jobs.models import REQUEUED
from providers.connections.dialects import forget_dialect
from providers.local_models import choice, store
from providers.local_models.errors import NotInstalled
from providers.local_models.install import Plan, Wish, discard
from providers.local_models.known import repository_of
from providers.local_models.models import Installation, InstallationStatus
from providers.local_models.roles import LocalRole
from providers.local_models.store import Installed
from providers.local_models.tasks import defer_install


@transaction.atomic
def begin(planned: Plan, *, use: bool) -> Installation:
    """Queue an installation; an earlier one of the same model that failed is replaced."""
    wish = planned.wish
    row, _ = Installation.objects.update_or_create(
        role=wish.role,
        name=repository_of(wish.name),
        defaults={
            "origin": wish.origin,
            "revision": planned.revision,
            "graph": planned.graph,
            "use": use,
            "total": planned.size,
            "done": 0,
            "step": "",
            "begun": timezone.now(),
            "status": InstallationStatus.QUEUED,
            **REQUEUED,
        },
    )
    defer_install(row)
    return row


@transaction.atomic
def retry(row: Installation) -> None:
    """Continue an installation that failed."""
    if row.status == InstallationStatus.FAILED:
        row.write(status=InstallationStatus.QUEUED, step="", **REQUEUED)
        defer_install(row)


@transaction.atomic
def dismiss(row: Installation) -> None:
    """Stop it, and delete what has been fetched."""
    job = row.job_id
    wish = Wish(role=LocalRole(row.role), name=row.name)
    row.delete()
    cancel_on_commit(job)
    transaction.on_commit(partial(discard, wish))


def remove(model: Installed) -> None:
    """Delete the files of a model that nothing needs. Raises NotInstalled where something does."""
    if why := needed_by(model):
        raise NotInstalled(why)
    choice.forget(model.identity)
    forget_dialect("", model.identity)
    store.delete(model)


def needed_by(model: Installed) -> str:
    """Why it cannot be removed now, or ""."""
    if choice.used(model.role) == model.identity:
        return gettext("{model} is in use. Use another model for its job first.").format(model=model.name)
    if model.role == LocalRole.EMBEDDINGS and model.identity in _models_of_vectors():
        return gettext(
            "There are vectors by {model}: they are searched until all passages are embedded again, "
            "and kept for 14 days, so that the change can be undone."
        ).format(model=model.name)
    return ""


def _models_of_vectors() -> set[str]:
    models: set[str] = import_string(settings.MODELS_OF_VECTORS)()
    return models
