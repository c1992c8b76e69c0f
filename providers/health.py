"""Whether a model's server answers now, found out by the one request that costs nothing."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from localization.numbers import numeral
from localization.stored import retold
from providers.gguf import running
from providers.gguf.running import NOT_RUNNING, State
from providers.http.cache import TimedCache
from providers.local_models import store
from providers.local_models.roles import LocalRole
from providers.openai.models import NoList, Offered, offered
from providers.protocols import ProviderError
from providers.roles import Endpoint, ModelRole

PATIENCE = 3.0  # seconds
KEPT = 20.0  # seconds; many people may look at the page
HAVE_NO_LIST = (ModelRole.RERANK, ModelRole.OCR)  # roles whose protocol has none


class Level(StrEnum):
    """How good the news is; the values are those of the style sheet."""

    OK = "ok"
    DOUBTFUL = "warn"
    BAD = "bad"


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """In a word or two, and in a sentence."""

    level: Level
    told: str
    detail: str


known: TimedCache[tuple[Endpoint, ModelRole, str], Health] = TimedCache(KEPT)  # in one language each


def health_of(server: Endpoint, role: ModelRole) -> Health:
    """What the server said in the last seconds, else what it says now."""
    if server.is_installed:
        return _of_installed(server, role)
    key = (server, role, get_language() or "")
    return known.get(server.base_url, key, lambda: _asked(server, role))


def _asked(server: Endpoint, role: ModelRole) -> Health:
    begun = time.monotonic()
    models: Sequence[Offered] | None
    try:
        models = offered(server.base_url, server.api_key, PATIENCE, public_only=server.public_only)
    except NoList as error:
        if role not in HAVE_NO_LIST:
            return Health(level=Level.DOUBTFUL, told=_("Lists no models"), detail=error.message)
        models = None
    except ProviderError as error:
        level, told = (Level.DOUBTFUL, _("Busy")) if error.transient else (Level.BAD, _("Fails"))
        return Health(level=level, told=told, detail=retold(error.message))
    took = f"{1000 * (time.monotonic() - begun):.0f} ms"
    if models and not any(_is_same(each.name, server.model) for each in models):
        detail = _("The server answers after {time}, but “{model}” is not in its list of models.")
        detail = detail.format(time=took, model=server.model)
        return Health(level=Level.DOUBTFUL, told=_("Not in its list"), detail=detail)
    told = _("Answers, {time}").format(time=took)
    return Health(level=Level.OK, told=told, detail=_("The server answers after {time}.").format(time=took))


def _is_same(listed: str, asked: str) -> bool:
    """Ollama lists “llama3:latest” for “llama3”, Gemini “models/gemini-pro” for “gemini-pro”."""
    return asked in (listed, listed.removesuffix(":latest"), listed.removeprefix("models/"), "")


def _of_installed(server: Endpoint, role: ModelRole) -> Health:
    if role in LocalRole.CHAT.plays and store.find(LocalRole.CHAT, server.model):
        return _of_language_model(server.model)
    if role in set(LocalRole) and store.find(LocalRole(role), server.model):
        return Health(level=Level.OK, told=_("Installed"), detail=_("Its files are on this server."))
    detail = _("Its files are not in the data folder. Install it again.")
    return Health(level=Level.BAD, told=_("Files are missing"), detail=detail)


def _of_language_model(identity: str) -> Health:
    """Of the process that runs it."""
    now = running.last_known(store.running_folder())
    if now is None or now.identity != identity:
        detail = _(NOT_RUNNING).format(identity=identity)
        return Health(level=Level.BAD, told=_("Not running"), detail=detail)
    match now.state:
        case State.FAILED:
            return Health(level=Level.BAD, told=_("Does not run"), detail=now.why)
        case State.STARTING:
            detail = _("It answers as soon as it is loaded.")
            return Health(level=Level.DOUBTFUL, told=_("Starts"), detail=detail)
        case State.READY:
            detail = _("It runs on this server and reads {tokens} tokens at once.")
            detail = detail.format(tokens=numeral(now.context))
            return Health(level=Level.OK, told=_("Runs here"), detail=detail)
