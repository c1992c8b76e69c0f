"""Which installed model is used: it takes its role in place of a connected server."""

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from localization.numbers import numeral
from providers.connections.models import EVERYWHERE, HERE, Assignment, Connection
from providers.connections.services import Offer, connect, connected, disconnect
from providers.gguf import engine, memory, running
from providers.local_models import store
from providers.local_models.errors import NotInstalled
from providers.local_models.roles import LocalRole
from providers.local_models.store import Installed
from providers.protocols import ProviderError

THEN = {
    LocalRole.EMBEDDINGS: gettext_noop(
        "All passages are embedded again in the background; the old vectors serve until then."
    ),
    LocalRole.RERANK: gettext_noop("It ranks passages from the next question on."),
    LocalRole.ENTAILMENT: gettext_noop("From the next answer on, a claim is green only if it agrees."),
    LocalRole.CHAT: gettext_noop(
        "SVQ starts it, and finds out how fast it is and what it can do. It answers as soon as it is loaded."
    ),
}
TO_CHOOSE_FROM = ""  # in place of a role: people may choose the model


def use(model: Installed, role: str | None = None) -> None:
    """Give it its role, in place of a server or another model; a language model also another one of those
    that it may have. Raises NotInstalled where a language model can't run.
    """
    given = model.role.plays[0] if role is None else role
    if model.role != LocalRole.CHAT:
        connect(given, Offer(provider=HERE, address="", key="", model=model.identity))
        return
    needs(model)
    with transaction.atomic():
        before = _language_models()
        offered = before.filter(offered=True).exists() or given == TO_CHOOSE_FROM
        others = list(before.exclude(model=model.identity))
        offer = Offer(provider=HERE, address="", key="", model=model.identity, offered=offered)
        connection = connect(given, offer)
        # One runs at a time: it takes all that another one did.
        for assignment in Assignment.objects.filter(connection__in=others):
            assignment.connection = connection
            assignment.save(update_fields=["connection"])
        Connection.objects.filter(pk__in=[other.pk for other in others]).delete()


def needs(model: Installed) -> str:
    """How much memory a language model takes, in words. Raises NotInstalled where it can't run here."""
    if not engine.is_here():
        raise NotInstalled(engine.MISSING)
    try:
        context = context_of(model)
    except ProviderError as error:
        raise NotInstalled(error.message) from error
    takes = memory.needed(model.size, model.configuration.kv_bytes, context)
    told = _("About {size} of memory while it runs, with {tokens} tokens at once.")
    return told.format(size=memory.gigabytes(takes), tokens=numeral(context))


def context_of(model: Installed) -> int:
    """How many tokens it reads at once on this machine, as it is now. Raises ProviderError."""
    # What runs now and would be replaced counts as free: one runs at a time.
    free = memory.available() + _taken()
    told = model.configuration
    return memory.context_for(model.name, model.size, told.kv_bytes, told.max_tokens, free)


def _taken() -> int:
    """Bytes that the language model that runs now would give back."""
    now = running.last_known(store.running_folder())
    found = store.find(LocalRole.CHAT, now.identity) if now and now.context else None
    if now is None or found is None or now.state == running.State.FAILED:
        return 0
    return memory.needed(0, found.configuration.kv_bytes, now.context)


def wanted() -> Installed | None:
    """The language model that is to run: one that has a role, or that people may choose. None while the
    environment names another.
    """
    identity = "" if settings.LLM_BASE_URL else used(LocalRole.CHAT)
    return store.find(LocalRole.CHAT, identity) if identity else None


def roles_of(identity: str) -> list[str]:
    """The roles that an installed language model has for all datasources, and "" if people may choose it."""
    rows = Assignment.objects.filter(
        datasource=EVERYWHERE, connection__in=_language_models().filter(model=identity)
    )
    roles = [role for role in LocalRole.CHAT.plays if role in {row.role for row in rows}]
    is_offered = _language_models().filter(model=identity, offered=True).exists()
    return [*roles, *([TO_CHOOSE_FROM] if is_offered else [])]


def _language_models() -> QuerySet[Connection]:
    """Those installed here that have a role or may be chosen; one at most but for a moment."""
    plays = Q(offered=True) | Q(assignments__role__in=LocalRole.CHAT.plays)
    return Connection.objects.filter(pk__in=Connection.objects.filter(plays, provider=HERE).values("pk"))


def used(role: LocalRole) -> str:
    """The identity of the installed model that was chosen for the role, or ""."""
    if role == LocalRole.CHAT:
        return _language_models().values_list("model", flat=True).first() or ""
    connection = connected(role)
    return connection.model if connection and connection.provider == HERE else ""


def stop_using(role: LocalRole) -> None:
    """Give the role back to what comes with SVQ, if anything does."""
    if role == LocalRole.CHAT:
        _language_models().delete()
    elif used(role):
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
