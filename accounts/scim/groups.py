"""What a directory does with groups: it keeps its own, and says who is in them.

Groups that administrators have made are not the directory's: what is shared with them would go to whomever
it names.
"""

from collections.abc import Collection

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet

from accounts import groups
from accounts.models import GroupMember, PeopleGroup, User
from accounts.scim.models import Directory, DirectoryGroup
from accounts.scim.people import people_of
from accounts.scim.refusals import Invalid, Taken


def groups_of(directory: Directory) -> QuerySet[PeopleGroup]:
    """Its own, and those that a directory has left behind."""
    own = Q(in_directory__directory=directory) | Q(in_directory__isnull=False, in_directory__directory=None)
    return PeopleGroup.objects.filter(own).select_related("in_directory")


@transaction.atomic
def create(directory: Directory, name: str, external_id: str, people: Collection[int]) -> PeopleGroup:
    """Raises Refused."""
    _refuse_taken(name)
    try:
        made = groups.make_group(name, by=directory)
    except ValidationError as refusal:
        raise Invalid(refusal.messages[0]) from refusal
    DirectoryGroup.objects.create(group=made, directory=directory, external_id=_external(external_id))
    add(directory, made, people)
    return made


@transaction.atomic
def describe(
    directory: Directory, group: PeopleGroup, name: str | None = None, external_id: str | None = None
) -> None:
    """What is given becomes so. Raises Refused."""
    if name is not None and name != group.name:
        _refuse_taken(name, besides=group)
        try:
            groups.rename_group(group, name, by=directory)
        except ValidationError as refusal:
            raise Invalid(refusal.messages[0]) from refusal
    link = DirectoryGroup.objects.get(group=group)
    link.directory = directory
    if external_id is not None:
        link.external_id = _external(external_id)
    link.save()


@transaction.atomic
def replace(directory: Directory, group: PeopleGroup, people: Collection[int]) -> None:
    """These are in it, and nobody else. Raises Refused."""
    wanted = set(people)
    remove(directory, group, set(_members(group).values_list("person", flat=True)) - wanted)
    add(directory, group, wanted)


@transaction.atomic
def add(directory: Directory, group: PeopleGroup, people: Collection[int]) -> None:
    """Raises Refused where it does not know one of them."""
    new = set(people) - set(_members(group).values_list("person", flat=True))
    found = {person.pk: person for person in people_of(directory).filter(pk__in=new)}
    if missing := sorted(new - set(found)):
        raise Invalid(f"There is no user {missing[0]} that this directory may put into a group.")
    for number in sorted(new):
        groups.add_member(group, found[number], by=directory)


@transaction.atomic
def remove(directory: Directory, group: PeopleGroup, people: Collection[int] | None = None) -> None:
    """None: everybody. Who is not in it is out already."""
    there = _members(group).select_related("person", "group")
    for member in there if people is None else there.filter(person__in=people):
        groups.remove_member(member, by=directory)


@transaction.atomic
def delete(directory: Directory, group: PeopleGroup) -> None:
    """What was shared with it is no longer shared with its members."""
    groups.delete_group(group, by=directory)


def people_in(group: PeopleGroup, directory: Directory) -> QuerySet[User]:
    """As far as the directory may know of them."""
    return people_of(directory).filter(group_members__group=group).order_by("pk")


def _members(group: PeopleGroup) -> QuerySet[GroupMember]:
    return GroupMember.objects.filter(group=group)


def _refuse_taken(name: str, besides: PeopleGroup | None = None) -> None:
    same = PeopleGroup.objects.filter(name__iexact=" ".join(name.split()))
    if (same.exclude(pk=besides.pk) if besides else same).exists():
        raise Taken(f"There is a group called “{name}” already.")


def _external(given: str) -> str:
    if len(given) > 255:
        raise Invalid("The externalId has more than 255 characters.")
    return given
