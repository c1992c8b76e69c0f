"""Everybody who can read a datasource, or may come to do so without being shared with once more.

Groups count as a whole: who is in one changes elsewhere. So do accounts that are shut: they may be opened.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.db.models import Q

from accounts.addresses import people_by_address
from accounts.models import PeopleGroup, User

if TYPE_CHECKING:
    from datasources.models import Datasource


@dataclass(frozen=True, slots=True, kw_only=True)
class Audience:
    """people: each with the address that they have confirmed, or "". invited: addresses whose people have
    not come. groups: by number, each with its name.
    """

    people: dict[User, str] = field(default_factory=dict)
    invited: frozenset[str] = frozenset()
    groups: dict[int, str] = field(default_factory=dict)


def audience_of(datasource: "Datasource") -> Audience:
    """By themselves, by a group or by the matter, with any role: who may only ask sees what is cited."""
    shares = datasource.matter.shares.all() if datasource.matter else None
    people = Q(pk=datasource.owner_id) | Q(pk__in=datasource.memberships.values("user_id"))
    groups = Q(pk__in=datasource.group_shares.values("group_id"))
    invited = set(datasource.invitations.values_list("email", flat=True))
    if shares is not None:
        people |= Q(pk__in=shares.filter(person__isnull=False).values("person_id"))
        groups |= Q(pk__in=shares.filter(group__isnull=False).values("group_id"))
        invited |= set(shares.exclude(email="").values_list("email", flat=True))
    found = list(User.objects.filter(people).order_by("pk"))
    address_of = {number: address for address, number in people_by_address(found).items()}
    return Audience(
        people={person: address_of.get(person.pk, "") for person in found},
        invited=frozenset(invited),
        groups=dict(PeopleGroup.objects.filter(groups).values_list("pk", "name")),
    )
