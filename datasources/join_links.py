"""Invitations to a datasource by a link: making, opening and withdrawing one.

An address alone (`services.invite`) waits for somebody who has confirmed it. A link lets in whoever opens it,
with any account that this deployment gives them, or, where it is for an address, the account of that address.
"""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import addresses
from accounts.audit import note
from accounts.invitations import Made, deliver, new_link
from accounts.models import AuditAct, User
from accounts.secret_texts import digest
from datasources.models import RANK, Datasource, JoinLink, Membership, Role

MAX_LINKS = 200  # of one datasource, that can still be used


@transaction.atomic
def make_join_link(
    datasource: Datasource, role: Role, *, by: User, days: int, email: str = ""
) -> Made[JoinLink]:
    """The caller has checked that `by` is an owner. Raises ValidationError."""
    values, token = new_link(by=by, email=email, days=days)
    Datasource.objects.select_for_update(no_key=True).get(pk=datasource.pk)
    if datasource.join_links.living().count() >= MAX_LINKS:
        raise ValidationError(
            _("There are {n} invitations by a link. Withdraw one first.").format(n=MAX_LINKS), code="too_many"
        )
    link = datasource.join_links.create(role=role, **values)
    address = settings.SITE_URL + reverse("join", args=[token])
    mailed = deliver(link, address, f"{by.get_full_name()} invites you to “{datasource.name}”.")
    note(by, AuditAct.INVITED, link, _noted(link))
    return Made(link=link, address=address, mailed=mailed)


@transaction.atomic
def withdraw(link: JoinLink, *, by: User) -> None:
    """It opens nothing from now on. Who has come by it stays a member."""
    if link.is_open:  # otherwise its row is only taken off the list
        note(by, AuditAct.WITHDREW, link, _noted(link))
    link.delete()


def join_link_of(token: str) -> JoinLink | None:
    """The link while it is good: its maker must still be an owner."""
    living = JoinLink.objects.living().select_related("datasource__owner", "made_by")
    link: JoinLink | None = living.filter(digest=digest(token)).first()
    return link if link and link.datasource.allows(link.made_by, Role.OWNER) else None


@transaction.atomic
def join(token: str, person: User) -> Datasource | None:
    """Make the person a member; None where the link is no longer good. It is not used up where the person
    gains nothing by it. Raises ValidationError where it is for another address.
    """
    JoinLink.objects.select_for_update().filter(digest=digest(token)).first()  # two at once: one comes in
    link = join_link_of(token)
    if link is None:
        return None
    if link.email and not (link.email == person.email and addresses.is_confirmed(person)):
        raise ValidationError(
            _("This invitation is for another address than your account’s, or yours is not confirmed yet."),
            code="another_address",
        )
    link.datasource.role_of(person)  # by which an invitation of their address is accepted
    if not gains(link, person):
        return link.datasource
    Membership.objects.update_or_create(datasource=link.datasource, user=person, defaults={"role": link.role})
    JoinLink.objects.filter(pk=link.pk).update(used=timezone.now(), used_by=person)
    note(person, AuditAct.JOINED, link, _noted(link))
    return link.datasource


def gains(link: JoinLink, person: User) -> bool:
    """Whether the link gives the person more than they have of their own. What a group gives does not count:
    it ends when they leave the group.
    """
    if link.datasource.owner_id == person.pk:
        return False
    own = link.datasource.memberships.filter(user=person).first()
    return own is None or RANK[Role(own.role)] < RANK[Role(link.role)]


def _noted(link: JoinLink) -> str:
    """Without the datasource's name, and without the address, which is a word of the owner."""
    return f"datasource {link.datasource_id} as {link.role}, until {link.expires:%Y-%m-%d}"
