"""What a directory does with groups: it keeps its own, and says who is in them.

All others are administrators', also those that a directory has left behind: what is shared with them would go
to whomever the directory names. Administrators can give it one.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, QuerySet

from accounts import groups
from accounts.audit import note
from accounts.models import AuditAct, GroupMember, PeopleGroup, User
from accounts.scim.models import Directory, DirectoryGroup
from accounts.scim.people import people_of
from accounts.scim.refusals import Invalid, Taken

CAN_BE_GIVEN = "An administrator can give it to this directory, on the group’s page."


def groups_of(directory: Directory) -> QuerySet[PeopleGroup]:
    """Those that it keeps."""
    return PeopleGroup.objects.filter(in_directory__directory=directory).select_related("in_directory")


@transaction.atomic
def give(group: PeopleGroup, directory: Directory | None, *, by: User) -> None:
    """The directory says who is in it from now on; None: administrators alone. Who is in it stays."""
    link, _ = DirectoryGroup.objects.select_for_update().get_or_create(group=group)
    if link.directory == directory:
        return
    if link.directory:
        note(by, AuditAct.GROUP, group, f"took {group.name} from {link.directory.name}")
    if directory:
        note(by, AuditAct.GROUP, group, f"gave {group.name} to {directory.name}")
    link.directory = directory
    link.save(update_fields=["directory", "changed"])


@transaction.atomic
def create(directory: Directory, name: str, external_id: str, people: Collection[int]) -> PeopleGroup:
    """Raises Refused."""
    try:
        made = groups.make_group(name, by=directory)
    except ValidationError as refusal:
        raise _as_scim_error(refusal) from refusal
    DirectoryGroup.objects.create(group=made, directory=directory, external_id=_external(external_id))
    _add(directory, made, people)
    return made


@transaction.atomic
def change(
    directory: Directory,
    group: PeopleGroup,
    name: str | None = None,
    external_id: str | None = None,
    people: Collection[int] | None = None,
) -> None:
    """What is given becomes so: these people are in it, and nobody else. Raises Refused; then nothing is."""
    if name is not None and name != group.name:
        try:
            groups.rename_group(group, name, by=directory)
        except ValidationError as refusal:
            raise _as_scim_error(refusal) from refusal
    if people is not None:
        there, wanted = numbers_in(group), set(people)
        gone = GroupMember.objects.filter(group=group, person__in=there - wanted).order_by("pk")
        groups.remove_members(list(gone.select_related("person", "group")), by=directory)
        _add(directory, group, wanted - there)
    link = DirectoryGroup.objects.get(group=group)
    if external_id is not None:
        link.external_id = _external(external_id)
    link.save()


@transaction.atomic
def delete(directory: Directory, group: PeopleGroup) -> None:
    """What was shared with it is no longer shared with its members."""
    groups.delete_group(group, by=directory)


def numbers_in(group: PeopleGroup) -> set[int]:
    """Everybody who is in it, also those whom its directory may not know of."""
    return set(GroupMember.objects.filter(group=group).values_list("person", flat=True))


def counts_of(found: Collection[PeopleGroup], directory: Directory) -> dict[int, int]:
    """How many people `people_in` has of each group; those without any are left out."""
    counted = _members(found, directory).values("group").annotate(people=Count("pk"))
    return dict(counted.values_list("group", "people"))


def people_in(found: Collection[PeopleGroup], directory: Directory) -> Mapping[int, list[tuple[int, str]]]:
    """By the group's number its people, as far as the directory may know of them: number and address."""
    listed: dict[int, list[tuple[int, str]]] = defaultdict(list)
    rows = _members(found, directory).order_by("person").values_list("group", "person", "person__email")
    for group, person, address in rows:
        listed[group].append((person, address))
    return listed


def _members(found: Collection[PeopleGroup], directory: Directory) -> QuerySet[GroupMember]:
    numbers = [each.pk for each in found]
    return GroupMember.objects.filter(group__in=numbers, person__in=people_of(directory).values("pk"))


def _add(directory: Directory, group: PeopleGroup, people: Collection[int]) -> None:
    """Raises Refused where it does not know one of them."""
    found = list(people_of(directory).filter(pk__in=people).order_by("pk"))
    if missing := sorted(set(people) - {person.pk for person in found}):
        raise Invalid(f"There is no user {missing[0]} that this directory may put into a group.")
    groups.add_members(group, found, by=directory)


def _as_scim_error(refusal: ValidationError) -> Invalid | Taken:
    if refusal.code == groups.TAKEN:
        return Taken(f"{refusal.messages[0]} {CAN_BE_GIVEN}")
    return Invalid(refusal.messages[0])


def _external(given: str) -> str:
    if len(given) > 255:
        raise Invalid("The externalId has more than 255 characters.")
    return given
