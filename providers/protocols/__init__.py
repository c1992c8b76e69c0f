"""The interfaces of model providers, one file for each kind of model, and the one error that they raise."""

from providers.protocols.chat import (
    ChatModel,
    Message,
    Reply,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    ToolSpec,
    Usage,
)
from providers.protocols.embedding import Embedder, Vectors
from providers.protocols.entailment import Entailment, Opinion
from providers.protocols.errors import Looping, PictureRefused, ProviderError, UnreadableReply
from providers.protocols.ocr import TextRecogniser
from providers.protocols.reading import AnswerReader
from providers.protocols.rerank import Reranker
from providers.protocols.structured import StructuredModel

__all__ = [
    "AnswerReader",
    "ChatModel",
    "Embedder",
    "Entailment",
    "Looping",
    "Message",
    "Opinion",
    "PictureRefused",
    "ProviderError",
    "Reply",
    "Reranker",
    "StructuredModel",
    "TextDelta",
    "TextRecogniser",
    "ToolCall",
    "ToolCallDelta",
    "ToolSpec",
    "UnreadableReply",
    "Usage",
    "Vectors",
]
