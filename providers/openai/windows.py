"""The context window of a model, as its server states it."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import httpx

from providers.http.cache import TimedCache
from providers.http.clients import sync_client
from providers.openai.models import offered
from providers.protocols import ProviderError

PATIENCE = 2.0  # seconds for each request
KEPT = 600.0  # seconds; a server may be started again with another window
OLLAMA_DEFAULT = 4096  # tokens, where neither the model nor its owner has set another number

known: TimedCache[tuple[str, str], int | None] = TimedCache(KEPT)


def window_of(
    address: str, key: str, model: str, *, fresh: bool = False, public_only: bool = False
) -> int | None:
    """In tokens; None where the server does not say. Kept for ten minutes; `fresh` asks again."""
    return known.get(
        address,
        (address, model),
        lambda: _window(address, key, model, public_only=public_only),
        fresh=fresh,
    )


def _window(address: str, key: str, model: str, *, public_only: bool) -> int | None:
    try:
        listed = offered(address, key, PATIENCE, public_only=public_only)
    except ProviderError:
        return None
    window = next((each.window for each in listed if each.name == model), None)
    tells_more = address.startswith("http://") and not public_only  # as servers that people run do
    if window is not None or not tells_more:
        return window
    root = address.rstrip("/").removesuffix("/v1")
    return next((told for ask in _OWN_PROTOCOLS if (told := ask(root, model)) is not None), None)


def _ollama(root: str, model: str) -> int | None:
    """What it has loaded the model with; else what it will load it with."""
    running = _asked("GET", f"{root}/api/ps").get("models") or []
    for each in running if isinstance(running, list) else []:
        if isinstance(each, dict) and model in (each.get("name"), each.get("model")):
            return _number(each, "context_length")
    shown = _asked("POST", f"{root}/api/show", json={"model": model})
    if "model_info" not in shown:
        return None
    for line in str(shown.get("parameters") or "").splitlines():
        name, _, value = line.strip().partition(" ")
        if name == "num_ctx" and re.fullmatch(r"\d{1,9}", value.strip(), re.ASCII):
            return int(value)
    return OLLAMA_DEFAULT


def _lm_studio(root: str, model: str) -> int | None:
    told = _asked("GET", f"{root}/api/v0/models/{model}")
    return _number(told, "loaded_context_length") or _number(told, "max_context_length")


def _llama_cpp(root: str, model: str) -> int | None:
    told = _asked("GET", f"{root}/props")
    generation = told.get("default_generation_settings")
    return _number(generation if isinstance(generation, dict) else told, "n_ctx")


_OWN_PROTOCOLS: tuple[Callable[[str, str], int | None], ...] = (_ollama, _lm_studio, _llama_cpp)


def _asked(method: str, url: str, **body: Any) -> Mapping[str, Any]:
    """The object that the server answers with; empty for everything else."""
    try:
        with sync_client(timeout=PATIENCE) as client:
            answer = client.request(method, url, **body)
        told = answer.json() if answer.status_code == 200 else {}
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


def _number(told: Mapping[str, Any], name: str) -> int | None:
    value = told.get(name)
    return value if isinstance(value, int) and value > 0 else None
