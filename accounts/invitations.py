"""Invitations by a link: what all of them share, and those of administrators to have an account.

Who is invited to an account makes it on the usual page, also where nobody else may. The administrator vouches
for the address, so it is confirmed from the start.
"""

from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any, Generic, TypeVar
from urllib.parse import urlsplit

from allauth.account.signals import user_signed_up
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.core.validators import validate_email
from django.db import transaction
from django.dispatch import receiver
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts import mail
from accounts.audit import note
from accounts.limits import Limit, network
from accounts.models import AccountInvitation, AuditAct, InvitationLink, User
from accounts.secret_texts import digest, new_secret
from sql.locks import hold

USUAL_DAYS, MAX_DAYS = 7, 30
MAILS = Limit(name="invitation-mails", attempts=50, seconds=3600)  # of one person
GUESSES = Limit(name="invitation-guesses", attempts=20, seconds=60)  # from one network
ADDRESS_TOLD = "Told once: only a hash of its token is kept. Empty where the invitation was mailed."
Link = TypeVar("Link", bound=InvitationLink)
LOCK = 0x6169  # the class of advisory locks of addresses that are invited
ACCOUNT = "account_invitation"  # in the session: the text of the link that was opened


def new_link(*, by: User, email: str, days: int) -> tuple[dict[str, Any], str]:
    """The values of a row that is not there yet, and the text of its link. Raises ValidationError."""
    email = email.strip().lower()
    if email:
        validate_email(email)
    if not 1 <= days <= MAX_DAYS:
        raise ValidationError(
            _("An invitation lasts from 1 to {max_days} days.").format(max_days=MAX_DAYS), code="days"
        )
    token = new_secret()
    expires = timezone.now() + timedelta(days=days)
    return {"made_by": by, "email": email, "digest": digest(token), "expires": expires}, token


def deliver(link: InvitationLink, address: str, about: str) -> bool:
    """By mail, if this server sends mail and the link is for an address; whether it will be sent, once the
    transaction ends.

    address: the whole one that opens the link. about: “Ada invites you to …”. Raises ValidationError after
    too many.
    """
    if not (link.email and settings.EMAIL_URL):
        return False
    if MAILS.take(str(link.made_by_id)):
        raise ValidationError(
            _("You have sent many invitations within an hour. Wait a while."), code="too_many"
        )
    until = date_format(timezone.localtime(link.expires), "j F Y")  # as pages show it
    once = _(
        "The link works once, until {day}. If you do not know what this is about, you need do nothing."
    ).format(day=until)
    body = f"{about}\n\n{address}\n\n{once}\n"
    message = EmailMessage(
        _("Invitation to SVQ at {site_url}").format(site_url=settings.SITE_URL), body, to=[link.email]
    )
    # Not before: a link that was rolled back would open nothing.
    transaction.on_commit(partial(mail.send_later, message))
    return True


def too_many_guesses(request: HttpRequest) -> bool:
    """Called for each link that opens nothing."""
    return bool(GUESSES.take(network(request)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Made(Generic[Link]):
    """A new link, its address, which is kept nowhere, and whether it was mailed."""

    link: Link
    address: str
    mailed: bool

    def shown(self, request: HttpRequest) -> str:
        """The address for who has made it, by the name under which they reach this server; empty where it was
        mailed.
        """
        return "" if self.mailed else request.build_absolute_uri(urlsplit(self.address).path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Invited(Made[AccountInvitation]):
    """ended_another: an earlier link for the same address."""

    ended_another: bool


@transaction.atomic
def invite_to_account(email: str, *, by: User, days: int = USUAL_DAYS) -> Invited:
    """An earlier link for the same address ends. Raises ValidationError."""
    values, token = new_link(by=by, email=email, days=days)
    if not values["email"]:
        raise ValidationError(_("Say for which e-mail address."), code="email_missing")
    # Of two at the same moment, one is the earlier one.
    hold(LOCK, values["email"])
    if User.objects.filter(email__iexact=values["email"]).exists():
        raise ValidationError(_("There is an account with this address already."), code="account_exists")
    ended = _end_open(values["email"])
    link = AccountInvitation.objects.create(**values)
    address = settings.SITE_URL + reverse("account_invitation", args=[token])
    mailed = deliver(
        link, address, _("{name} invites you to make an account.").format(name=by.get_full_name())
    )
    note(by, AuditAct.INVITED, link, f"{link.email} to an account, until {link.expires:%Y-%m-%d}")
    return Invited(link=link, address=address, mailed=mailed, ended_another=ended)


@transaction.atomic
def withdraw(link: AccountInvitation, *, by: User) -> None:
    """With an open one go all that are open for its address: none of them is to let the person in."""
    if link.is_open:
        note(by, AuditAct.WITHDREW, link, f"of {link.email} to an account")
        _end_open(link.email)
    AccountInvitation.objects.filter(pk=link.pk).delete()


def _end_open(email: str) -> bool:
    """Whether there was one."""
    ended, _kinds = AccountInvitation.objects.filter(email=email, used=None).delete()
    return bool(ended)


def account_invitation_in(request: HttpRequest) -> AccountInvitation | None:
    """The one whose link was opened in this browser, while it is good."""
    token = request.session.get(ACCOUNT)
    return account_invitation_of(token) if token else None


def account_invitation_of(token: str) -> AccountInvitation | None:
    living = AccountInvitation.objects.living().filter(made_by__is_superuser=True)
    found: AccountInvitation | None = living.filter(digest=digest(token)).first()
    return found


@receiver(user_signed_up)
def use_account_invitation(request: HttpRequest, user: User, **_: Any) -> None:
    """Also of somebody who came by a provider or could have made an account without."""
    link = account_invitation_in(request)
    if link is not None and link.email == user.email:
        AccountInvitation.objects.filter(pk=link.pk).update(used=timezone.now(), used_by=user)
        note(user, AuditAct.JOINED, link, f"to an account, of {link.made_by.email}")
