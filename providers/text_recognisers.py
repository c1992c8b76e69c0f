"""The servers that read scanned pages."""

from functools import cache
from typing import TYPE_CHECKING

from providers.charging import meter_of, owner_of
from providers.protocols import TextRecogniser
from providers.roles import Endpoint, ModelRole, endpoint
from providers.spending.metering import MeteredRecogniser, Payer

if TYPE_CHECKING:
    from providers.ocr_server import OcrServer


def text_recogniser(datasource: object) -> TextRecogniser | None:
    """The server that reads pages there; None without one. Charged to the datasource's owner."""
    server = endpoint(datasource, ModelRole.OCR)
    return recogniser_at(server, owner_of(datasource)) if server else None


def recogniser_at(server: Endpoint, payer: Payer) -> TextRecogniser:
    """A server that reads pages."""
    return MeteredRecogniser(_recogniser_of(server), meter_of(server, payer))


@cache
def _recogniser_of(server: Endpoint) -> "OcrServer":
    from providers.ocr_server import OcrServer

    return OcrServer(
        server.base_url, server.api_key, server.model, server.timeout, public_only=server.public_only
    )
