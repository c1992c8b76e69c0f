"""Files to keep, as responses."""

from typing import IO

from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header

from datasources.storage.in_blocks import in_blocks
from text.normal_forms.clean_form import one_line

FOLDERS = str.maketrans("/\\", "--")


def saved_as(name: str) -> str:
    """The value of Content-Disposition with which a browser saves the response under that name. It may be
    somebody's question: no part of it is to be taken for a folder.
    """
    plain = one_line(name).translate(FOLDERS)
    return content_disposition_header(True, plain) or "attachment"


def as_download(file: IO[bytes], *, name: str, size: int, content_type: str) -> StreamingHttpResponse:
    """A response that sends the file, from where it stands, to be saved under that name. size: in bytes."""
    response = StreamingHttpResponse(in_blocks(file), content_type=content_type)
    # Also where nothing of it is sent, as those of Django do.
    response._resource_closers.append(file.close)  # type: ignore[attr-defined]
    response["Content-Length"] = str(size)
    response["Content-Disposition"] = saved_as(name)
    return response
