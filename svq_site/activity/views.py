"""The page of background work, for administrators."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.models import User
from datasources.models import Datasource, Role
from datasources.web.pages import signed_in
from ingestion.indexes import vector_index
from jobs import activity
from jobs.time_limit import duration
from providers.web.administrators import administrators_only
from svq_site.activity.words import words


@require_safe
@administrators_only
def background_work(request: HttpRequest) -> HttpResponse:
    """What runs, what waits, what has failed; the part that changes asks for itself again."""
    template = "activity/_lists.html" if request.headers.get("HX-Request") else "activity/activity.html"
    return render(request, template, {"tab": "account", **lists(signed_in(request))})


def lists(person: User) -> dict[str, Any]:
    running, failed = activity.running(), activity.failed()
    about = {job.datasource for job in running} | {job.datasource for job in failed}
    names = names_for(person, {pk for pk in about if pk})
    return {
        "running": [_running(job, names) for job in running],
        "waiting": [{"words": words(kind.task), "jobs": kind} for kind in activity.waiting()],
        "failed": [
            {"words": words(job.task), "about": names.get(job.datasource or 0, ""), "job": job}
            for job in failed
        ],
    }


def _running(job: activity.Running, names: dict[int, str]) -> dict[str, Any]:
    share = job.done / job.total if job.total else None
    if job.datasource and job.task == "ingestion.vector_jobs.maintain_vectors":
        share = vector_index.progress(job.datasource)
    return {
        "words": words(job.task),
        "about": names.get(job.datasource or 0, ""),
        "job": job,
        "percent": None if share is None else round(100 * share),
        "limit": duration(job.limit) if job.limit else "",
    }


def names_for(person: User, datasources: set[int]) -> dict[int, str]:
    """The names of datasources that the person may see; of others only the number."""
    seen = Datasource.objects.visible_to(person, Role.ASKER).filter(pk__in=datasources)
    return {pk: _("Datasource {pk}").format(pk=pk) for pk in datasources} | dict(
        seen.values_list("pk", "name")
    )
