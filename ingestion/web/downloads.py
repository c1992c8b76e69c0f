"""The stored file of a document, sent in blocks and always to be saved: its content is not ours to show."""

from asgiref.sync import sync_to_async
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponseBase
from django.views.decorators.http import require_GET

from datasources.storage.errors import as_os_errors
from datasources.web.downloads import as_download
from datasources.web.pages import find_document


async def original(request: HttpRequest, pk: int, doc: int) -> HttpResponseBase:
    """The file as it was added; of replaced versions too, since old citations show them."""
    return await sync_to_async(_original)(request, pk, doc)


@login_required
@require_GET
def _original(request: HttpRequest, pk: int, doc: int) -> HttpResponseBase:
    document = find_document(request, pk, doc)
    if not document.file:  # a web page that has not been fetched
        raise Http404
    try:
        with as_os_errors():
            file = document.file.open("rb")
    except OSError:
        raise Http404 from None
    return as_download(file, name=document.filename, size=file.size, content_type="application/octet-stream")
