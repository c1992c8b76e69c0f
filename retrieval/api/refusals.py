"""The refusals of `rag/`, with the codes that its clients know."""

from enum import StrEnum

from rest_framework import status
from rest_framework.response import Response

from providers.protocols import ProviderError


class Code(StrEnum):
    NO_DOCUMENTS = "NO_DOCUMENTS"
    PROCESSING_INCOMPLETE = "PROCESSING_INCOMPLETE"
    SEVERAL_DATASOURCES = "SEVERAL_DATASOURCES"
    GENERATION_FAILED = "GENERATION_FAILED"
    SEARCH_FAILED = "SEARCH_FAILED"


STATUS = {
    Code.NO_DOCUMENTS: status.HTTP_404_NOT_FOUND,
    Code.PROCESSING_INCOMPLETE: status.HTTP_409_CONFLICT,
    Code.SEVERAL_DATASOURCES: status.HTTP_400_BAD_REQUEST,
    Code.GENERATION_FAILED: status.HTTP_502_BAD_GATEWAY,
    Code.SEARCH_FAILED: status.HTTP_502_BAD_GATEWAY,
}


def search_failed(error: ProviderError, who: str) -> "Refusal":
    """who: that can see to the models, “the owner”."""
    hint = "Try again." if error.transient else f"Have {who} check the models in the settings."
    return Refusal(Code.SEARCH_FAILED, error.message, hint)


class Refusal(Exception):
    """What keeps a request from being answered: a code, what happened, and what to do."""

    def __init__(self, code: Code, message: str, hint: str) -> None:
        super().__init__(message)
        self.code, self.message, self.hint = code, message, hint

    def response(self) -> Response:
        told = {"success": False, "code": self.code.value, "message": self.message, "hint": self.hint}
        return Response(told, STATUS[self.code])
