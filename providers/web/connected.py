"""Which model plays which role for all datasources, and whether each of them answers."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_safe

from providers.connections import services
from providers.health import health_of
from providers.minilm.loaded import LOCAL_EMBEDDER
from providers.roles import STAND_INS, Endpoint, ModelRole, endpoint_of, of_environment
from providers.spending.speed import speeds
from providers.web.administrators import administrators_only
from providers.web.figures import figures
from providers.web.forms import CHOICE, IN_SENTENCE, ROLES, WRITING

INSTEAD = {ModelRole.EMBEDDINGS: LOCAL_EMBEDDER, ModelRole.OCR: gettext_noop("SVQ's own reader")}


@require_safe
@administrators_only
def health(request: HttpRequest) -> HttpResponse:
    """Whether the server of a role, or of a model that is offered, answers now."""
    role, number = role_of(request.GET.get("role")) or ModelRole.AGENT, request.GET.get("model", "")
    server = server_of(role)
    if number:
        connection = get_object_or_404(services.offered(), pk=number if is_number(number) else 0)
        server = endpoint_of(connection, role)
    shown = {"health": health_of(server, role) if server else None}
    return render(request, "providers/_health.html", shown)


def row(role: ModelRole) -> dict[str, Any]:
    """The model that plays a role, and what the role does."""
    name, does = ROLES[role]
    connection = services.connected(role)
    return {
        "role": role,
        "name": name,
        "in_sentence": IN_SENTENCE[role],
        "does": does,
        "connection": connection,
        "by_environment": of_environment(role),
        "instead": _(INSTEAD.get(role, gettext_noop("None"))),
        "runs_here": role in INSTEAD and connection is None and of_environment(role) is None,
        "key_is_lost": connection is not None and services.key_of(connection) is None,
        "stands_in": role in STAND_INS and services.connected(STAND_INS[role]) is not None,
        "writes": role in WRITING,
        "key_is_shared": connection is not None and services.is_key_of_others(connection),
    }


def server_of(role: ModelRole) -> Endpoint | None:
    """The role's own server, not one that stands in for it."""
    connection = services.connected(role)
    return of_environment(role) or (endpoint_of(connection, role) if connection else None)


def connected_models() -> dict[str, Any]:
    """The models by role and those that people may choose, with what was measured of each."""
    fast, address = speeds(), reverse("models_health")
    return {
        "rows": [row(one) | figures(server_of(one), fast, address, role=one) for one in ROLES],
        "offered": [
            {"connection": one} | figures(endpoint_of(one, ModelRole.AGENT), fast, address, model=one.pk)
            for one in services.offered()
        ],
    }


def role_of(name: str | None) -> ModelRole | None:
    """None: the model plays no role, people may choose it."""
    if name == CHOICE:
        return None
    return ModelRole(name) if name in set(ROLES) else ModelRole.AGENT


def is_number(text: str) -> bool:
    """Whether it may be that of a row."""
    return text.isdecimal() and len(text) < 19
