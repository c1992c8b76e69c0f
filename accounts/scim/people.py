"""What a directory does with accounts: it makes them, changes them, shuts them off and opens them again.

It sees accounts of its domains that are no other directory's. Administrators are never made by it, nor
changed or opened again; one who leaves is shut off, unless it is the last. An account that an administrator
has shut off stays shut. Nothing is ever deleted: what people own and wrote is not the directory's.

Who leaves is shut off, whatever else the same request says: a name that is refused keeps nobody in.
"""

from dataclasses import dataclass, replace

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import Q, QuerySet

from accounts import addresses
from accounts.audit import note
from accounts.groups import remove_members
from accounts.models import AuditAct, GroupMember, User
from accounts.scim.models import Directory, DirectoryPerson
from accounts.scim.refusals import Gone, Invalid, NotAllowed, Taken
from accounts.standing import open_again, shut_off
from text.normal_forms.clean_form import one_line

LONGEST_ADDRESS = 254
IS_ADMINISTRATOR = (
    "{} administers this server: a directory changes nothing of that account but to shut it off. "
    "Another administrator can, on the page People."
)
SHUT_HERE = "{} was shut off by an administrator of this server, who alone opens it again."


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What a request says of a person; None: nothing, so that it stays as it is."""

    user_name: str | None = None
    email: str | None = None
    name: str | None = None
    given_name: str | None = None
    family_name: str | None = None
    external_id: str | None = None
    active: bool | None = None


def people_of(directory: Directory) -> QuerySet[User]:
    """Whom it may know of."""
    free = Q(in_directory=None) | Q(in_directory__directory=None) | Q(in_directory__directory=directory)
    seen = User.objects.filter(free).exclude(in_directory__removed=True).select_related("in_directory")
    domains = directory.domains.split()
    if not domains:
        return seen
    ends = Q()
    for domain in domains:
        ends |= Q(email__iendswith=f"@{domain}")
    return seen.filter(ends)


def is_named_by_address(address: str) -> Q:
    """Of accounts to which no directory has given another user name."""
    without = Q(in_directory=None) | Q(in_directory__user_name="")
    return without & Q(email__iexact=address)


@transaction.atomic
def create(directory: Directory, given: Given) -> User:
    """Raises Refused."""
    address = _checked_address(directory, (given.email or given.user_name or "").strip().lower())
    known = User.objects.select_for_update(no_key=True).filter(email__iexact=address).first()
    if known is None:
        person = User.objects.create_user(address, None)
        DirectoryPerson.objects.create(person=person, directory=directory)
        note(directory, AuditAct.ADDED, person, f"an account for {address}")
    else:
        person = _come_back(directory, known)
    person = change(directory, person, replace(given, active=None))
    return change(directory, person, Given(active=given.active))


def _come_back(directory: Directory, known: User) -> User:
    """Somebody whom the directory has deleted and now sends again. Raises Refused."""
    link = DirectoryPerson.objects.filter(person=known, removed=True).first()
    if link is None or link.directory_id not in (None, directory.pk):
        raise Taken(f"There is an account for {known.email} already.")
    link.removed, link.directory = False, directory
    link.save(update_fields=["removed", "directory", "changed"])
    if not known.is_active:
        _open(directory, known)
    return known


@transaction.atomic
def change(directory: Directory, person: User, given: Given) -> User:
    """What is given becomes so. Raises Refused; then nothing is changed. Where it shuts the account off, that
    is all that becomes so, and of an administrator's account that is shut nothing else ever does.
    """
    person = _held(directory, person)
    if given.active is False and (person.is_active or is_administrator(person)):
        given = Given(active=False)
    link, _ = DirectoryPerson.objects.get_or_create(person=person)
    address = _address(person, link, given)
    link.directory = directory
    _remember(person, link, given)
    _describe(directory, person, address, _full_name(link, given))
    if given.active is False and person.is_active:
        _shut(directory, person)
    elif given.active and not person.is_active:
        _open(directory, person)
    return people_of(directory).get(pk=person.pk)


@transaction.atomic
def remove(directory: Directory, person: User) -> None:
    """Shut off, out of the groups that directories keep, and unknown to this one until it sends the person
    again. Raises Refused.
    """
    person = _held(directory, person)
    DirectoryPerson.objects.update_or_create(
        person=person, defaults={"removed": True, "directory": directory}
    )
    if person.is_active:
        _shut(directory, person)
    kept = GroupMember.objects.filter(person=person, group__in_directory__directory__isnull=False)
    remove_members(list(kept.select_related("person", "group")), by=directory)


def _held(directory: Directory, person: User) -> User:
    """Locked before anything else of it is: two requests would wait for each other. Raises Refused."""
    User.objects.select_for_update(no_key=True).filter(pk=person.pk).first()
    # By a statement of its own: what the one above has waited for may have changed more than its row.
    if (now := people_of(directory).filter(pk=person.pk).first()) is None:
        raise Gone(f"There is no user {person.pk} that this directory may know of.")
    return now


def is_administrator(person: User) -> bool:
    return person.is_staff or person.is_superuser


def _address(person: User, link: DirectoryPerson, given: Given) -> str | None:
    """In small letters; None where it stays. A new user name is a new address where the old one was."""
    if given.email is not None:
        return given.email.strip().lower()
    was_one = (link.user_name or person.email).lower() == person.email.lower()
    if given.user_name is not None and "@" in given.user_name and was_one:
        return given.user_name.strip().lower()
    return None


def _full_name(link: DirectoryPerson, given: Given) -> str | None:
    """None where it stays."""
    if given.name is not None:
        return given.name
    if given.given_name is None and given.family_name is None:
        return None
    return " ".join(filter(None, (link.given_name, link.family_name))) or None


def _remember(person: User, link: DirectoryPerson, given: Given) -> None:
    """What is the directory's own."""
    if given.user_name is not None:
        if _is_taken(given.user_name, besides=person):
            raise Taken(f"There is somebody called {given.user_name} already.")
        link.user_name = _short(given.user_name, 254)
    for field, most in (("external_id", 255), ("given_name", 150), ("family_name", 150)):
        if (value := getattr(given, field)) is not None:
            setattr(link, field, _short(value, most))
    link.save()


def _describe(directory: Directory, person: User, address: str | None, full_name: str | None) -> None:
    """The name and the address of the account."""
    changed: dict[str, str] = {}
    if full_name is not None and (name := _short(one_line(full_name), 150)) != person.name:
        changed["name"] = name
    if address is not None and address != person.email.lower():
        changed["email"] = _checked_address(directory, address)
        if User.objects.filter(email__iexact=changed["email"]).exclude(pk=person.pk).exists():
            raise Taken(f"There is an account for {changed['email']} already.")
    if not changed:
        return
    if is_administrator(person):
        raise NotAllowed(IS_ADMINISTRATOR.format(person.email))
    said = f"{' and '.join(changed)} of {person.email}"
    for field, value in changed.items():
        setattr(person, field, value)
    person.save(update_fields=list(changed))
    if "email" in changed:
        addresses.confirm(person)
        said += f", {person.email} from now on"
    note(directory, AuditAct.CHANGED, person, said)


def _shut(directory: Directory, person: User) -> None:
    try:
        shut_off(person, by=directory)
    except ValidationError as refusal:
        raise NotAllowed(refusal.messages[0]) from refusal


def _open(directory: Directory, person: User) -> None:
    if is_administrator(person):
        raise NotAllowed(IS_ADMINISTRATOR.format(person.email))
    if not person.shut_by_directory:
        raise NotAllowed(SHUT_HERE.format(person.email))
    open_again(person, by=directory)


def _checked_address(directory: Directory, address: str) -> str:
    """Letters beyond ASCII are refused: the small letter of some is that of another address."""
    try:
        validate_email(address)
    except ValidationError as refusal:
        raise Invalid("The userName or the e-mail address must be an e-mail address.") from refusal
    if not address.isascii() or len(address) > LONGEST_ADDRESS:
        raise Invalid("The e-mail address has letters beyond ASCII, or is too long.")
    if not directory.takes(address):
        raise NotAllowed(f"This directory does not speak for {address.rpartition('@')[2]}.")
    return address


def _is_taken(user_name: str, besides: User) -> bool:
    named = Q(in_directory__user_name__iexact=user_name, in_directory__removed=False)
    alike = User.objects.filter(named | is_named_by_address(user_name))
    return alike.exclude(pk=besides.pk).exists()


def _short(text: str, most: int) -> str:
    if len(text) > most:
        raise Invalid(f"“{text[:20]}…” has more than {most} characters.")
    return text
