"""Everything that SVQ tells Prometheus, in its text format."""

from django.utils.crypto import constant_time_compare
from prometheus_client import CollectorRegistry, generate_latest

from metrics import counted
from svq_site.monitoring.figures import Figures

_looked_up = CollectorRegistry()
_looked_up.register(Figures())


def exposition() -> bytes:
    return counted() + generate_latest(_looked_up)


def is_bearer(header: str, token: str) -> bool:
    """Whether an Authorization header has this token."""
    kind, _, given = header.partition(" ")
    return kind.lower() == "bearer" and constant_time_compare(given.strip(), token)
