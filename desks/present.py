"""What the site takes from desks that are not left out."""

from collections.abc import Sequence

from django.apps import apps
from django.db.models import Model
from django.urls import URLPattern, URLResolver, include, path


def urls_of(desk: str, module: str) -> Sequence[URLPattern | URLResolver]:
    """Of a module of the desk, such as "web.urls"; none where it is left out."""
    return [path("", include(f"desks.{desk}.{module}"))] if apps.is_installed(f"desks.{desk}") else []


def model_of(label: str) -> type[Model] | None:
    """Such as "compliance.Framework"; None where its desk is left out."""
    desk, _dot, name = label.partition(".")
    return apps.get_model(desk, name) if apps.is_installed(f"desks.{desk}") else None
