"""Which model answers: the one that is set up, else the extractive one of this process."""

from chat.answering.extractive.model import QuotesModel
from providers.protocols import ChatModel
from providers.roles import chat_model, local_embedder


def answer_model(datasource: object | None = None) -> ChatModel:
    """The datasource's chat model; without one, the model that answers with the documents' own words."""
    return chat_model(datasource) or QuotesModel(local_embedder())
