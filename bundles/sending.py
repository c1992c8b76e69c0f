"""A bundle as a file to download, made while it is sent."""

from collections.abc import AsyncIterator, Iterator

from asgiref.sync import sync_to_async
from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header

from accounts.models import User
from bundles.exporting import export
from datasources.models import Datasource

ZIP = "application/zip"


def bundle_file(datasource: Datasource, person: User, *, conversations: bool) -> StreamingHttpResponse:
    """Of an owner. If it fails on the way the end is missing, and an import refuses the file."""
    blocks = export(datasource, person, conversations=conversations)
    response = StreamingHttpResponse(_sent(blocks), content_type=ZIP)
    saved_as = content_disposition_header(True, f"{datasource.name}.zip") or "attachment"
    response["Content-Disposition"] = saved_as
    return response


def _next(blocks: Iterator[bytes]) -> bytes | None:
    """None at the end."""
    return next(blocks, None)


async def _sent(blocks: Iterator[bytes]) -> AsyncIterator[bytes]:
    """The transaction ends with the last block, or when the client hangs up."""
    try:
        while (block := await sync_to_async(_next)(blocks)) is not None:
            if block:
                yield block
    finally:
        await sync_to_async(blocks.close)()  # type: ignore[attr-defined]
