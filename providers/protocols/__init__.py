"""What model providers promise, one file a kind of model, and the one error that they raise."""

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
from providers.protocols.errors import ProviderError
from providers.protocols.rerank import Reranker
from providers.protocols.structured import StructuredModel

__all__ = [
    "ChatModel",
    "Embedder",
    "Message",
    "ProviderError",
    "Reply",
    "Reranker",
    "StructuredModel",
    "TextDelta",
    "ToolCall",
    "ToolCallDelta",
    "ToolSpec",
    "Usage",
    "Vectors",
]
