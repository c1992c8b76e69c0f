"""Which model answers: the one that is set up, else the extractive one of this process."""

from chat.answering.extractive.model import QuotesModel
from providers.protocols import ChatModel
from providers.roles import chat_model, local_embedder


def answer_model() -> ChatModel:
    """The chat model of the settings; without one, the model that answers with the documents' own words."""
    return chat_model() or QuotesModel(local_embedder())
