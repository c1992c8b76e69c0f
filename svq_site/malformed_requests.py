"""Refuses requests whose text no database can keep or no page can show: 400, before anything reads them."""

from collections.abc import Iterator

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.utils.deprecation import MiddlewareMixin

from svq_site.api_errors import bad_request
from svq_site.serving.refusals import PROGRAMS

CHARSETS = ("utf-8", "utf8", "us-ascii")  # some other codecs unpack, raise, or make halves of characters


class RefuseMalformed(MiddlewareMixin):
    """No NUL and no half of a character (lone surrogate) in an address, a form, a cookie or a header.

    What is sent to REST as JSON is looked at by its parser and its serializers.
    """

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """The refusal is returned, not raised: the log then has a line for it, without a traceback."""
        try:
            check(request)
        except BadRequest as error:
            return bad_request(request, error)
        return None


def check(request: HttpRequest) -> None:
    """Raises BadRequest."""
    if (request.content_params or {}).get("charset", "utf-8").strip("'\" ").lower() not in CHARSETS:
        raise BadRequest("The request is not in UTF-8.")
    if not all(map(is_text, texts_of(request))):
        raise BadRequest("The request has characters that are not text.")


def texts_of(request: HttpRequest) -> Iterator[str]:
    yield request.path
    yield from request.COOKIES.values()
    yield from (str(value) for name, value in request.META.items() if name.startswith("HTTP_"))
    for name, values in request.GET.lists():
        yield from (name, *values)
    if request.method != "POST" or request.path.startswith(PROGRAMS):
        return
    try:
        form, files = request.POST, request.FILES
    except UnreadablePostError as error:
        raise BadRequest("The request broke off.") from error
    for name, values in form.lists():
        yield from (name, *map(str, values))
    for name in files:
        for file in files.getlist(name):
            yield from (name, str(file.name), str(file.content_type))


def is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text
