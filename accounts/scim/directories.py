"""Connecting a directory, and finding it by its token."""

from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.addresses import DOMAIN
from accounts.audit import note
from accounts.models import AuditAct, User
from accounts.scim.models import Directory
from accounts.secret_texts import digest, new_secret
from localization.typed import words_apart
from text.normal_forms.clean_form import is_seen, one_line

PREFIX = "scim_"  # no API token of a person begins so
SHOWN = 12  # characters of a token that are kept
LONGEST_NAME = 40
MOST_DIRECTORIES = 20
USE_NOTED = timedelta(minutes=1)  # "last used" is no older than that


@transaction.atomic
def connect(name: str, domains: str, *, by: User) -> tuple[Directory, str]:
    """The row and its token, which is nowhere kept. Raises ValidationError."""
    name = one_line(name)
    if not is_seen(name) or len(name) > LONGEST_NAME:
        raise ValidationError(_("A name has 1 to {most} characters.").format(most=LONGEST_NAME), code="name")
    if Directory.objects.filter(name__iexact=name).exists():
        raise ValidationError(
            _("There is a directory called “{name}” already.").format(name=name), code="name"
        )
    if Directory.objects.count() >= MOST_DIRECTORIES:
        raise ValidationError(
            _("There are {most} directories. Disconnect one first.").format(most=MOST_DIRECTORIES),
            code="name",
        )
    listed = words_apart(domains.lower())
    if wrong := [each for each in listed if not DOMAIN.fullmatch(each)]:
        raise ValidationError(
            _("{one} is not a domain. Write them like this: example.org, example.com").format(one=wrong[0]),
            code="domains",
        )
    secret = PREFIX + new_secret()
    made = Directory.objects.create(
        name=name,
        domains=" ".join(dict.fromkeys(listed)),
        digest=digest(secret),
        beginning=secret[:SHOWN],
        made_by=by,
    )
    note(by, AuditAct.DIRECTORY, made, f"connected {made.name}, for {made.domains or 'all addresses'}")
    return made, secret


@transaction.atomic
def renew(directory: Directory, *, by: User) -> str:
    """A new token; the one before opens nothing from now on."""
    secret = PREFIX + new_secret()
    directory.digest, directory.beginning = digest(secret), secret[:SHOWN]
    directory.save(update_fields=["digest", "beginning"])
    note(by, AuditAct.DIRECTORY, directory, f"gave {directory.name} a new token")
    return secret


@transaction.atomic
def disconnect(directory: Directory, *, by: User) -> None:
    """It changes nothing from now on. Whom it brought stays, and stays in the groups, which are
    administrators' until they give them to another one.
    """
    note(by, AuditAct.DIRECTORY, directory, f"disconnected {directory.name}")
    directory.delete()


def by_header(authorization: str) -> Directory | None:
    """The one that sends this header, `Bearer scim_...`; its use is noted."""
    scheme, _, secret = authorization.strip().partition(" ")
    return _directory_of(secret.strip()) if scheme.lower() == "bearer" else None


def _directory_of(secret: str) -> Directory | None:
    if not secret.startswith(PREFIX):
        return None
    found = Directory.objects.filter(digest=digest(secret)).first()
    if found is not None:
        now = timezone.now()
        long_ago = Q(last_used=None) | Q(last_used__lt=now - USE_NOTED)
        Directory.objects.filter(long_ago, pk=found.pk).update(last_used=now)
    return found
