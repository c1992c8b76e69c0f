"""With whom a datasource is shared, and what each may do there."""

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from accounts import addresses
from accounts.models import InvitationLink, PeopleGroup
from datasources.models.access_rows import AccessRow

if TYPE_CHECKING:
    from accounts.models import User


class Role(models.TextChoices):
    ASKER = "asker", _("Can ask, and see the pages that are cited")
    VIEWER = "viewer", _("Can also read whole documents and search")
    EDITOR = "editor", _("Can also add and remove documents")
    OWNER = "owner", _("Can also share, rename and delete")

    @property
    def shown(self) -> str:
        """Its name on pages, in the language of whoever looks."""
        return gettext(self.value)

    @property
    def described(self) -> str:
        """“viewer: can also read whole documents and search”."""
        may = str(self.label)
        return gettext("{role}: {may}").format(role=self.shown, may=may[:1].lower() + may[1:])


# What `shown` looks up.
NAMES = (gettext_noop("asker"), gettext_noop("viewer"), gettext_noop("editor"), gettext_noop("owner"))


# What each role may do, lowest first: a higher role may do all that a lower one may.
RANK = {Role.ASKER: 1, Role.VIEWER: 2, Role.EDITOR: 3, Role.OWNER: 4}


def is_at_least(role: Role | None, needed: Role) -> bool:
    """None: a stranger's."""
    return role is not None and RANK[role] >= RANK[needed]


def roles_from(needed: Role) -> list[Role]:
    """That role and all higher ones."""
    return [role for role in Role if is_at_least(role, needed)]


def highest(roles: Iterable[str]) -> Role | None:
    """None where there is none."""
    return max((Role(role) for role in roles), key=RANK.__getitem__, default=None)


class Membership(AccessRow):
    """A person with whom a datasource is shared. The owner needs none."""

    datasource = models.ForeignKey("Datasource", models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=8, choices=Role, default=Role.VIEWER)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["datasource", "user"], name="one_membership_each")]

    def __str__(self) -> str:
        return f"{self.user} in {self.datasource} as {self.role}"

    def opened_datasources(self) -> Collection[int]:
        return [self.datasource_id]


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def for_person(self, user: "User") -> Self:
        """To an address that the user has confirmed."""
        return self.filter(email__in=addresses.confirmed_addresses(user))


class Invitation(AccessRow):
    """A share with an address. It counts where the address is confirmed; the owner learns no more of it.

    Whether there is an account shows only when its person comes: then it becomes a membership.
    """

    datasource = models.ForeignKey("Datasource", models.CASCADE, related_name="invitations")
    email = models.EmailField("e-mail address", help_text="In small letters.")
    role = models.CharField(max_length=8, choices=Role, default=Role.VIEWER)
    created = models.DateTimeField(auto_now_add=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["datasource", "email"], name="one_invitation_each"),
        ]

    def __str__(self) -> str:
        return f"{self.email} to {self.datasource} as {self.role}"

    def opened_datasources(self) -> Collection[int]:
        return [self.datasource_id]


class JoinLink(InvitationLink):
    """An invitation by a link: who opens it becomes a member. It counts while its maker may share."""

    datasource = models.ForeignKey("Datasource", models.CASCADE, related_name="join_links")
    role = models.CharField(max_length=8, choices=Role, default=Role.VIEWER)

    def __str__(self) -> str:
        return f"{self.email or 'Whoever has the link'} to {self.datasource} as {self.role}"

    @property
    def is_open(self) -> bool:
        if not super().is_open:
            return False
        if self.made_by_id == self.datasource.owner_id:  # without a query for each of many links
            return self.datasource.archived is None
        return self.datasource.allows(self.made_by, Role.OWNER)


class GroupShare(AccessRow):
    """A group with which a datasource is shared: its members have the role for as long as they are in it."""

    datasource = models.ForeignKey("Datasource", models.CASCADE, related_name="group_shares")
    group = models.ForeignKey(PeopleGroup, models.CASCADE, related_name="shares")
    role = models.CharField(max_length=8, choices=Role, default=Role.VIEWER)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["datasource", "group"], name="shared_with_a_group_once")
        ]

    def __str__(self) -> str:
        return f"{self.group} in {self.datasource} as {self.role}"

    def opened_datasources(self) -> Collection[int]:
        return [self.datasource_id]
