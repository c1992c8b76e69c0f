"""Packs, and what verifies them, as files to download."""

from django.http import HttpResponse, StreamingHttpResponse
from django.utils.translation import gettext as _

from datasources.web.downloads import as_download, saved_as
from exchange.packs.content import Content
from exchange.packs.keys import own_key
from exchange.packs.verifying_page import verifier_policy, verifying_page
from exchange.packs.writing import write_pack

ZIP, PEM = "application/zip", "application/x-pem-file"


def pack_file(content: Content) -> StreamingHttpResponse:
    """Raises ValidationError, Busy."""
    file = write_pack(content)
    length = file.seek(0, 2)
    file.seek(0)
    return as_download(
        file, name=_("Evidence, {title}.zip").format(title=content.title), size=length, content_type=ZIP
    )


def key_file() -> HttpResponse:
    """The public half of this deployment's key."""
    headers = {"Content-Disposition": saved_as("svq-signing-key.pem")}
    return HttpResponse(own_key().pem, content_type=PEM, headers=headers)


def verifier() -> HttpResponse:
    """The page that verifies packs of this deployment in a browser, to use or to save."""
    headers = {"Content-Security-Policy": f"{verifier_policy()}; frame-ancestors 'none'"}
    return HttpResponse(verifying_page(own_key()), headers=headers)
