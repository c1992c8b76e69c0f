"""What whoever was given a share link sees, without an account: its page, and the pictures on it.

Whatever is wrong with a link, the answer is the same.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from accounts.attempts import TooManyAttempts
from chat.citation_rows import proof
from chat.models import Citation
from datasources.refusals import too_busy
from exchange.packs.answer_page import ShownPicture, answer_html
from exchange.packs.content import Content, summary
from exchange.packs.facts import OPENED, answer_facts, document_facts
from exchange.packs.page_frame import policy, style
from exchange.shares import passwords
from exchange.shares.models import ShareLink
from exchange.shares.services import MAX_PASSWORD, count_view, link_of
from exchange.shares.shown import SharedPage, page_of, pages_of, shown_by
from exchange.shares.watermark import can_be_written, watermarked
from formats.base.errors import ExtractionError
from ingestion.models import Page
from jobs.fair_slots import Busy, FairSlots
from reader import page_images

P = ParamSpec("P")
WRONG = gettext_lazy("This is not the password.")
BUSY = gettext_lazy("Many people look at this just now. Try again in a few seconds.")
WEBP = "image/webp"
MARKS = 120  # of the recipient's name over a page: enough for a large window
# In each web process: a conversation of 50 answers takes a core for two seconds, a page's picture for 0.3.
AT_ONCE = FairSlots(2)


def of_link(
    view: Callable[Concatenate[HttpRequest, ShareLink, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, str, P], HttpResponse]:
    """For views of a link that is good; nothing of them is kept, indexed, or told to other sites."""

    @wraps(view)
    def seen(request: HttpRequest, token: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        link = link_of(token)
        response = _gone(request) if link is None else view(request, link, *args, **kwargs)
        response.headers["X-Robots-Tag"] = "noindex, nofollow, noarchive"
        response.headers["Referrer-Policy"] = "no-referrer"
        return response

    return seen


# A page without a referrer sends its form with the origin "null". Who sends a stranger's browser here with a
# password lets it see what the stranger could see anyway.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@of_link
def shared(request: HttpRequest, link: ShareLink) -> HttpResponse:
    """The page, or the question for its password."""
    if request.method == "POST":
        return _try(request, link)
    if not passwords.is_open(link, request):
        return _page(request, "shares/password.html", {})
    try:
        with AT_ONCE.taken_by(_asker(link)):
            page = _page(request, "shares/shared.html", _values(request, link, shown_by(link)))
    except ValidationError:
        return _gone(request)
    except Busy as busy:
        return too_busy(BUSY, busy)
    if request.method == "GET":
        count_view(link)
    return page


@require_safe
@of_link
def shared_crop(request: HttpRequest, link: ShareLink, number: int, n: int, page: int) -> HttpResponse:
    """The quote on its page with what surrounds it, watermarked."""
    return _picture(request, link, number, n, page, _crop)


@require_safe
@of_link
def shared_page(request: HttpRequest, link: ShareLink, number: int, n: int, page: int) -> HttpResponse:
    """The whole page with the quote marked, watermarked."""
    return _picture(request, link, number, n, page, _whole)


def _try(request: HttpRequest, link: ShareLink) -> HttpResponse:
    if not link.has_password:
        return redirect(request.path)
    try:
        if passwords.try_password(link, request, request.POST.get("password", "")[: MAX_PASSWORD + 1]):
            seen = redirect(request.path)
            passwords.remember(link, seen, request.path)
            return seen
    except TooManyAttempts as refusal:
        said = _("Too many attempts. Wait {wait} seconds, then try again.").format(wait=refusal.wait)
        response = _page(request, "shares/password.html", {"said": said}, status=429)
        response.headers["Retry-After"] = str(refusal.wait)
        return response
    return _page(request, "shares/password.html", {"said": WRONG}, status=422)


def _values(request: HttpRequest, link: ShareLink, content: Content) -> dict[str, object]:
    return {
        "link": link,
        "content": content,
        "summary": summary(content),
        "words": _words(link),
        "marks": range(MARKS),
        "answers": _answers(request, content),
        "documents": document_facts(content, OPENED),
        "are_judged": not all(turn.quotes_only for turn in content.turns),
    }


def _answers(request: HttpRequest, content: Content) -> list[str]:
    """The HTML of each."""

    def pictures(citation: Citation) -> list[ShownPicture]:
        shown = set(pages_of(content, citation))
        crops = [crop for crop in content.source(citation).crops if crop.page in shown]
        at = f"{request.path}{citation.turn.number}/{citation.n}/"
        return [
            ShownPicture(
                page=crop.page,
                width=crop.width,
                height=crop.height,
                address=f"{at}{crop.page}.webp",
                whole=f"{at}{crop.page}/page.webp",
            )
            for crop in crops
        ]

    told = [answer_facts(turn, {}, OPENED) for turn in content.turns]
    return [
        answer_html(content, turn, facts, pictures) for turn, facts in zip(content.turns, told, strict=True)
    ]


def _picture(
    request: HttpRequest,
    link: ShareLink,
    number: int,
    n: int,
    page: int,
    draw: Callable[[ShareLink, SharedPage], bytes],
) -> HttpResponse:
    try:
        found = page_of(link, number, n, page) if passwords.is_open(link, request) else None
        if found is None:
            return _gone(request)
        drawn = draw(link, found)
        with AT_ONCE.taken_by(_asker(link)):
            return HttpResponse(watermarked(drawn, _words(link)), content_type=WEBP)
    except Busy as busy:
        return too_busy(BUSY, busy)
    except (ExtractionError, OSError, Page.DoesNotExist, ValidationError):
        return _gone(request)


def _crop(link: ShareLink, page: SharedPage) -> bytes:
    return proof.crop(page.citation, page.number, _asker(link))


def _whole(link: ShareLink, page: SharedPage) -> bytes:
    assert page.citation.document is not None
    boxes = page.citation.boxes_on(page.number)
    return page_images.marked_page(page.citation.document, page.number, boxes, asker=_asker(link))


def _asker(link: ShareLink) -> int:
    """Those who look at a link take turns as one person does, and keep its maker from nothing."""
    return -link.pk


def _words(link: ShareLink) -> str:
    """Of the watermark: for whom, or which link where no font has the letters; and when it was seen."""
    whom = link.recipient if can_be_written(link.recipient) else f"Share link {link.pk}"
    return f"{whom}, {date_format(localtime(), 'j M Y H:i e')}"


def _gone(request: HttpRequest) -> HttpResponse:
    return _page(request, "shares/gone.html", {}, status=404)


def _page(request: HttpRequest, template: str, values: dict[str, object], status: int = 200) -> HttpResponse:
    response = render(request, template, values | {"style": style()}, status=status)
    response.headers["Content-Security-Policy"] = (
        f"{policy(site=True)}; form-action 'self'; frame-ancestors 'none'"
    )
    return response
