"""Matters: datasources that belong together, the people who see all of them, and when they were put away."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from accounts import addresses
from accounts.models import GroupMember, PeopleGroup
from datasources.models.access_rows import AccessRow
from datasources.models.members import Role, highest, is_at_least

if TYPE_CHECKING:
    from accounts.models import User


class MatterQuerySet(models.QuerySet["Matter"]):
    def visible_to(self, user: "User") -> Self:
        """Those in which the user has a role, by themselves or by a group, and those that hold a datasource
        which the user owns.

        Where an API token speaks for the user, of those the ones that hold a datasource that it reaches.
        """
        if not (user.is_authenticated and user.is_active):
            return self.none()
        held = MatterShare.objects.held_by(user).values("matter_id")
        visible = self.filter(Q(pk__in=held) | Q(pk__in=user.owned_datasources.values("matter_id")))
        return visible if user.reach is None else visible.filter(datasources__in=user.reach).distinct()


class Matter(models.Model):
    """A folder of datasources. A role in it holds for each of them; archived, they can only be read."""

    name = models.CharField(max_length=120)
    created = models.DateTimeField(auto_now_add=True)
    archived = models.DateTimeField(null=True, blank=True)

    objects = MatterQuerySet.as_manager()

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name

    def role_of(self, user: "User") -> Role | None:
        """The highest of the user's own and those of their groups; None for whoever has none."""
        return highest(self.shares.held_by(user).values_list("role", flat=True))

    def has_role(self, user: "User", needed: Role) -> bool:
        return is_at_least(self.role_of(user), needed)


class MatterShareQuerySet(models.QuerySet["MatterShare"]):
    def held_by(self, user: "User") -> Self:
        """Those that give the user a role: as a person, by an address that they have confirmed, or by a group
        that they are in.
        """
        own = Q(person=user) | Q(email__in=addresses.confirmed_addresses(user))
        return self.filter(own | Q(group__in=GroupMember.objects.filter(person=user).values("group_id")))


class MatterShare(AccessRow):
    """A role in a matter: of a person, a group of people, or an address whose person has not come yet."""

    matter = models.ForeignKey(Matter, models.CASCADE, related_name="shares")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="matter_shares"
    )
    group = models.ForeignKey(
        PeopleGroup, models.CASCADE, null=True, blank=True, related_name="matter_shares"
    )
    email = models.EmailField("e-mail address", blank=True, help_text="In small letters.")
    role = models.CharField(max_length=8, choices=Role, default=Role.VIEWER)
    created = models.DateTimeField(auto_now_add=True)

    objects = MatterShareQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["matter", "person"], name="one_role_each_in_a_matter"),
            models.UniqueConstraint(fields=["matter", "group"], name="one_role_a_group_in_a_matter"),
            models.UniqueConstraint(
                fields=["matter", "email"], condition=~Q(email=""), name="one_role_an_address_in_a_matter"
            ),
            models.CheckConstraint(
                condition=Q(person__isnull=False, group=None, email="")
                | Q(person=None, group__isnull=False, email="")
                | Q(person=None, group=None) & ~Q(email=""),
                name="a_role_in_a_matter_is_somebodys",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.who} in {self.matter} as {self.role}"

    def opened_datasources(self) -> Collection[int]:
        return list(self.matter.datasources.values_list("pk", flat=True))

    @property
    def who(self) -> str:
        """Its name, as it is shown."""
        if self.person:
            return self.person.get_full_name()
        return self.group.name if self.group else self.email
