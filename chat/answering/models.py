"""Which model answers: the one that is set up, else the extractive one of this process."""

from chat.answering.extractive.model import QuotesModel
from providers.protocols import ChatModel
from providers.roles import chat_model, local_embedder
from providers.spending.metering import Payer


def answer_model(
    datasource: object | None = None, payer: Payer | None = None, *, chosen: int | None = None
) -> ChatModel:
    """The datasource's chat model; without one, and while the month's budget is used up, the model that
    answers with the documents' own words.
    """
    return chat_model(datasource, payer, chosen=chosen) or QuotesModel(local_embedder())
