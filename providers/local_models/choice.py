"""Which installed model is used: it takes its role in place of a connected server."""

from providers.connections.models import EVERYWHERE, HERE, Assignment
from providers.connections.services import Offer, connect, connected, disconnect
from providers.local_models.roles import LocalRole
from providers.local_models.store import Installed

THEN = {
    LocalRole.EMBEDDINGS: "All passages are embedded again in the background; the old vectors serve until "
    "then.",
    LocalRole.RERANK: "It ranks passages from the next question on.",
    LocalRole.ENTAILMENT: "From the next answer on, a claim is green only if it agrees.",
}


def use(model: Installed) -> None:
    """Give it its role, in place of a server or another model."""
    connect(model.role, Offer(provider=HERE, address="", key="", model=model.identity))


def used(role: LocalRole) -> str:
    """The identity of the installed model that was chosen for the role, or ""."""
    connection = connected(role)
    return connection.model if connection and connection.provider == HERE else ""


def stop_using(role: LocalRole) -> None:
    """Give the role back to what comes with SVQ, if anything does."""
    if used(role):
        disconnect(role)


def forget(identity: str) -> None:
    """Take it out of every role, including that of the previous embedding model."""
    chosen = Assignment.objects.filter(
        datasource=EVERYWHERE, connection__provider=HERE, connection__model=identity
    )
    for assignment in chosen:
        connection = assignment.connection
        assignment.delete()
        if not connection.assignments.exists():
            connection.delete()
