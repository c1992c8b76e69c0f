"""Model servers on this machine, found by asking at their usual ports."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from django.conf import settings

from providers.connections.catalogue import LOCAL, PROVIDERS
from providers.openai.models import Offered, offered
from providers.protocols import ProviderError

PATIENCE = 0.7  # seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A server that answers. `provider`: its key in the catalogue."""

    provider: str
    name: str
    initials: str
    address: str
    models: list[Offered]


def find() -> list[Found]:
    """The servers that offer at least one model; all ports are asked at once."""
    with ThreadPoolExecutor(len(LOCAL)) as pool:
        return [found for found in pool.map(_at_port, LOCAL) if found]


def _at_port(key: str) -> Found | None:
    provider = PROVIDERS[key]
    if provider.port in (None, settings.PORT):  # this is SVQ itself
        return None
    address = f"http://127.0.0.1:{provider.port}/v1"
    try:
        models = offered(address, "", PATIENCE)
    except ProviderError:
        return None
    if not models:
        return None
    return Found(provider=key, name=provider.name, initials=provider.initials, address=address, models=models)
