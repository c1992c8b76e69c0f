"""What people do with datasources: create, rename, share. Each function owns its transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import PeopleGroup, User
from datasources import derived, scan_readers
from datasources.models import (
    CHUNK_SIZES,
    Chunking,
    Datasource,
    GroupShare,
    Invitation,
    Membership,
    Recognition,
    Role,
    ScanReader,
)
from datasources.templatetags.amounts import counted
from formats.base.characters import visible_name
from localization.lists import listed
from localization.numbers import numeral


def _checked_name(owner: User, name: str, besides: int | None = None) -> str:
    """The name as it is stored. The owner's row is locked: two requests at once must not both get a name."""
    name = visible_name(name)
    if not name:
        raise ValidationError(_("A datasource needs a name. Nothing was changed."), code="name_missing")
    if len(name) > 120:
        raise ValidationError(
            _("That name is longer than 120 characters. Choose a shorter one."), code="name_long"
        )
    User.objects.select_for_update(no_key=True).get(pk=owner.pk)
    same = Datasource.objects.filter(owner=owner, name__iexact=name)
    if (same.exclude(pk=besides) if besides else same).exists():
        raise ValidationError(
            _("You already have a datasource called “{name}”. Choose another name.").format(name=name),
            code="name_taken",
        )
    return name


def _checked_description(description: str) -> str:
    description = description.strip()
    if len(description) > 500:
        raise ValidationError(
            ngettext(
                "The description has {n} character; the limit is 500. Shorten it.",
                "The description has {n} characters; the limit is 500. Shorten it.",
                len(description),
            ).format(n=numeral(len(description))),
            code="description_long",
        )
    return description


def check_chunking(size: int, overlap: int) -> None:
    """Raises ValidationError."""
    low, high = CHUNK_SIZES
    if not low <= size <= high:
        raise ValidationError(
            _("Passages have {low} to {high} characters.").format(low=numeral(low), high=numeral(high)),
            code="chunk_size",
        )
    if not 0 <= overlap <= size // 2:
        raise ValidationError(_("The overlap is at most half of a passage."), code="chunk_overlap")


@transaction.atomic
def create_datasource(
    owner: User,
    name: str,
    *,
    description: str = "",
    chunking: str = Chunking.RECURSIVE,
    chunk_size: int = 1000,
    chunk_overlap: int = 100,
    recognition: str = Recognition.NEEDED,
    scan_reader: str = ScanReader.SVQ,
    scan_languages: Sequence[str] = (),
    expansion: bool = False,
) -> Datasource:
    """A new, empty datasource. Raises ValidationError when the name is missing or taken."""
    check_chunking(chunk_size, chunk_overlap)
    scan_readers.check(scan_reader, scan_languages, None)
    return Datasource.objects.create(
        owner=owner,
        name=_checked_name(owner, name),
        description=_checked_description(description),
        chunking=Chunking(chunking),
        chunk_size=chunk_size,
        chunk_overlap=chunk_overlap,
        recognition=Recognition(recognition),
        scan_reader=ScanReader(scan_reader),
        scan_languages=list(scan_languages),
        expansion=expansion,
    )


@transaction.atomic
def own_datasource(owner: User, name: str) -> Datasource:
    """The person's own of that name, made where there is none; once, also where two ask at the same time.

    Raises ValidationError, also where it is archived.
    """
    User.objects.select_for_update(no_key=True).get(pk=owner.pk)
    mine = Datasource.objects.filter(owner=owner, name__iexact=name, archived=None).first()
    return mine or create_datasource(owner, name)


@transaction.atomic
def change_datasource(
    datasource: Datasource,
    *,
    name: str | None = None,
    description: str | None = None,
    chunking: str | None = None,
    chunk_size: int | None = None,
    chunk_overlap: int | None = None,
    recognition: str | None = None,
    scan_reader: str | None = None,
    scan_languages: Sequence[str] | None = None,
    expansion: bool | None = None,
) -> None:
    """Rename, describe, or set how later documents are read and cut and how all are searched; what is None
    stays as it is. Raises ValidationError; Http404 where the datasource was deleted meanwhile.
    """
    # Before the owner, whom `_checked_name` locks: in the order in which an upload locks them.
    now = get_object_or_404(Datasource.objects.select_for_update(no_key=True), pk=datasource.pk)
    changed: dict[str, object] = {}
    if name is not None:
        changed["name"] = _checked_name(now.owner, name, besides=datasource.pk)
    if description is not None:
        changed["description"] = _checked_description(description)
    if chunking:
        changed["chunking"] = Chunking(chunking)
    if recognition:
        changed["recognition"] = Recognition(recognition)
    changed |= _scans(now, scan_reader, scan_languages)
    if expansion is not None:
        changed["expansion"] = expansion
    if chunk_size or chunk_overlap is not None:
        size = chunk_size or now.chunk_size
        overlap = now.chunk_overlap if chunk_overlap is None else chunk_overlap
        check_chunking(size, overlap)
        changed |= {"chunk_size": size, "chunk_overlap": overlap}
    for column, value in changed.items():
        setattr(datasource, column, value)
    # Just these columns: reading may have been paused since, or the embedding model chosen.
    datasource.save(update_fields=[*changed, "updated"])


def _scans(
    now: Datasource, scan_reader: str | None, scan_languages: Sequence[str] | None
) -> dict[str, object]:
    """The columns that change. What stays as it is need not be there any more."""
    reader = scan_reader or now.scan_reader
    languages = now.scan_languages if scan_languages is None else sorted(set(scan_languages))
    changed: dict[str, object] = {}
    if reader != now.scan_reader:
        changed["scan_reader"] = ScanReader(reader)
    if languages != now.scan_languages:
        changed["scan_languages"] = languages
    if changed:
        scan_readers.check(reader, languages, now)
    return changed


@transaction.atomic
def share(datasource: Datasource, user: User, role: Role) -> Membership:
    """Give the user a role, or change the one they have."""
    if user.pk == datasource.owner_id:
        raise ValidationError(_("The owner already has every right here."), code="already_owner")
    membership, _created = Membership.objects.update_or_create(
        datasource=datasource, user=user, defaults={"role": role}
    )
    datasource.invitations.filter(email=user.email).delete()
    return membership


@transaction.atomic
def invite(datasource: Datasource, email: str, role: Role) -> Membership | Invitation:
    """Share with whoever has confirmed that address or will; or change the role given to it.

    What comes back tells of an account only where its person has been here already.
    """
    email = email.strip().lower()
    if email == datasource.owner.email:
        raise ValidationError(_("The owner already has every right here."), code="already_owner")
    if membership := datasource.memberships.filter(user__email=email).first():
        return share(datasource, membership.user, role)
    return datasource.invitations.update_or_create(email=email, defaults={"role": role})[0]


def unshare(datasource: Datasource, user: User) -> None:
    """Take the user's membership away; a stranger loses nothing."""
    Membership.objects.filter(datasource=datasource, user=user).delete()
    datasource.invitations.filter(email=user.email).delete()


def share_with_group(datasource: Datasource, group: PeopleGroup, role: Role) -> GroupShare:
    """Give all that are in the group a role, or change the one it has."""
    shared, _ = GroupShare.objects.update_or_create(
        datasource=datasource, group=group, defaults={"role": role}
    )
    return shared


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """What goes when a datasource is deleted; `more` is what the apps above have in it, by plural noun."""

    documents: int
    members: int
    more: Mapping[str, int]

    def __str__(self) -> str:
        more = (
            counted(number, nouns.removesuffix("s").replace("_", " ")) for nouns, number in self.more.items()
        )
        parts = [counted(self.documents, "file"), *more]
        return _("{lost} go with it.").format(lost=listed(parts))


def loss_of(datasource: Datasource) -> Loss:
    """Counted before the question "delete?" is put."""
    return Loss(
        documents=datasource.documents.current().count(),
        members=datasource.memberships.count() + datasource.invitations.count(),
        more=derived.losses(datasource),
    )
