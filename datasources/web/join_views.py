"""What opens when somebody follows an invitation to a datasource by a link."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from accounts.web.invitations import no_invitation
from datasources.join_links import gains, join, join_link_of

JOIN = "join_link"  # in the session: the text of the link that was opened


@require_safe
def opened(request: HttpRequest, token: str) -> HttpResponse:
    """The session keeps the link, so that it goes through signing in and stands in no address."""
    if join_link_of(token) is None:
        return no_invitation(request)
    request.session[JOIN] = token
    return redirect("join_page")


@require_http_methods(["GET", "HEAD", "POST"])
def join_page(request: HttpRequest) -> HttpResponse:
    """Who invites to what. A button joins, another declines: mail programs open links before people do."""
    token = request.session.get(JOIN, "")
    if not token:
        return render(request, "account/no_invitation.html", {"is_closed": True}, status=404)
    link = join_link_of(token)
    if link is None:
        return no_invitation(request)
    person = request.user
    if request.method != "POST" or not isinstance(person, User):
        context: dict[str, object] = {"link": link}
        if isinstance(person, User):
            role = link.datasource.role_of(person)  # which accepts an invitation by address that still waits
            context |= {"is_member": not gains(link, person), "role": role}
        return render(request, "datasources/join.html", context)
    if "decline" in request.POST:
        del request.session[JOIN]
        messages.info(request, _("You did not join. The invitation can be opened again while it is good."))
        return redirect("home")
    try:
        datasource = join(token, person)
    except ValidationError as refusal:
        refused = {"link": link, "refusal": refusal.messages[0]}
        return render(request, "datasources/join.html", refused, status=422)
    del request.session[JOIN]
    if datasource is None:  # somebody else was quicker
        return no_invitation(request)
    messages.success(request, _("You are in “{name}” now.").format(name=datasource.name))
    return redirect("documents", datasource.pk)
