"""What opens when somebody follows an administrator's invitation to an account."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.invitations import ACCOUNT, account_invitation_of, too_many_guesses


@require_safe
def account_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """The session keeps the link, and the page to make an account opens: its own address tells nothing.

    Whatever is wrong with a link, the answer is the same.
    """
    link = account_invitation_of(token)
    if link is None:
        return no_invitation(request)
    if request.user.is_authenticated:
        messages.info(
            request,
            _(
                "You are signed in as {username}. This invitation is for a new account: sign out and "
                "open it again to make one."
            ).format(username=request.user.get_username()),
        )
        return redirect("home")
    request.session[ACCOUNT] = token
    return redirect("account_signup")


def no_invitation(request: HttpRequest) -> HttpResponse:
    """For a link that is wrong, expired, used or withdrawn."""
    status = 429 if too_many_guesses(request) else 404
    response = render(request, "account/no_invitation.html", status=status)
    if status == 429:
        response["Retry-After"] = "60"
    return response
