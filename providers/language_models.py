"""Language models, within the month's budget."""

from providers.charging import meter_of, owner_of
from providers.protocols import ChatModel, StructuredModel
from providers.roles import Endpoint, ModelRole, endpoint, number_of
from providers.spending.budgets import used_up
from providers.spending.metering import MeteredChat, MeteredStructured, Payer


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
    """A server that writes."""
    from providers.openai.chat import OpenAIChat

    model = OpenAIChat(
        server.base_url, server.api_key, server.model, server.timeout, public_only=server.public_only
    )
    return MeteredChat(model, meter_of(server, payer))


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
    """A server that writes JSON."""
    from providers.openai.structured import OpenAIStructured

    model = OpenAIStructured(
        server.base_url, server.api_key, server.model, server.timeout, public_only=server.public_only
    )
    return MeteredStructured(model, meter_of(server, payer))
