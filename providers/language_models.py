"""Language models, within the month's budget."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from providers.charging import meter_of, owner_of
from providers.protocols import ChatModel, StructuredModel
from providers.protocols.dialect import Dialect
from providers.roles import Endpoint, ModelRole, endpoint, number_of
from providers.spending.budgets import used_up
from providers.spending.metering import MeteredChat, MeteredStructured, Payer

if TYPE_CHECKING:
    from providers.local_models.language_model import ChatHere
    from providers.openai.chat import OpenAIChat


def playing(datasource: object | None, role: ModelRole, *, chosen: int | None = None) -> Endpoint | None:
    """The server of a language model's role, unless a month's budget for language models is used up."""
    server = endpoint(datasource, role, chosen=chosen)
    return None if server is None or over_budget(datasource) is not None else server


def over_budget(datasource: object | None) -> int | None:
    """The number of the datasource whose month's budget is used up, 0 for that of the deployment."""
    return used_up(number_of(datasource))


def chat_model(
    datasource: object | None = None,
    payer: Payer | None = None,
    *,
    chosen: int | None = None,
    watched: bool = False,
) -> ChatModel | None:
    """The server of the agent role; None without one, and while the budget is used up.

    Its calls are charged to the payer, else to the datasource's owner. `watched`: the caller itself keeps
    within the month's budget.
    """
    find = endpoint if watched else playing
    server = find(datasource, ModelRole.AGENT, chosen=chosen)
    return None if server is None else chat_at(server, payer or owner_of(datasource))


def chat_at(server: Endpoint, payer: Payer) -> ChatModel:
    """A server that writes, spoken to as was found out. Asks the database."""
    from providers.connections.dialects import dialect_of, remember_rung  # the apps may not be loaded yet

    return MeteredChat(
        spoken_to(server, dialect_of(server.base_url, server.model)),
        meter_of(server, payer),
        partial(remember_rung, server.base_url, server.model),
    )


def spoken_to(server: Endpoint, dialect: Dialect, longest: int | None = None) -> OpenAIChat | ChatHere:
    """A server, or the language model that is installed here; calls are not paid for. `longest`: tokens that
    a reply may have at most.
    """
    from providers.openai.chat import MOST_TOKENS, OpenAIChat

    if server.is_installed:
        from providers.local_models.language_model import ChatHere

        return ChatHere(server.model, server.timeout, dialect=dialect, longest=longest or MOST_TOKENS)
    return OpenAIChat(
        server.base_url,
        server.api_key,
        server.model,
        server.timeout,
        public_only=server.public_only,
        dialect=dialect,
        longest=longest or MOST_TOKENS,
    )


def structured_model(
    datasource: object | None,
    role: ModelRole,
    payer: Payer | None = None,
    *,
    chosen: int | None = None,
    watched: bool = False,
) -> StructuredModel | None:
    """The role's server for answers in JSON; None as for `chat_model`: no model in this process writes JSON.
    `watched`: as there.
    """
    find = endpoint if watched else playing
    server = find(datasource, role, chosen=chosen)
    return None if server is None else structured_at(server, payer or owner_of(datasource))


def structured_at(server: Endpoint, payer: Payer) -> StructuredModel:
    """A server that writes JSON, or the language model that is installed here."""
    meter = meter_of(server, payer)
    if server.is_installed:
        from providers.local_models.language_model import StructuredHere

        return MeteredStructured(StructuredHere(server.model, server.timeout), meter)
    from providers.openai.structured import OpenAIStructured

    model = OpenAIStructured(
        server.base_url, server.api_key, server.model, server.timeout, public_only=server.public_only
    )
    return MeteredStructured(model, meter)


def window_at(server: Endpoint, *, fresh: bool = False) -> int | None:
    """How many tokens its model reads at once; None where that is not known. Asks the server: blocks."""
    if server.is_installed:
        from providers.local_models.language_model import window_here

        return window_here(server.model)
    from providers.openai.windows import window_of

    return window_of(
        server.base_url, server.api_key, server.model, fresh=fresh, public_only=server.public_only
    )
