"""What administrators do with an account as a whole: sign its person out, shut it off, open it again."""

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import second_factor as rules
from accounts.audit import Actor, note
from accounts.models import AuditAct, User
from accounts.tokens import end_all_sign_ins

LAST = gettext_lazy(
    "This is the last administrator whose account is open. Make somebody else an administrator first."
)


@transaction.atomic
def sign_out_everywhere(person: User, *, by: User) -> None:
    """In all browsers and programs; API tokens are revoked too."""
    end_all_sign_ins(person)
    note(by, AuditAct.ENDED, person, f"of {person.email}")


@transaction.atomic
def shut_off(person: User, *, by: Actor) -> None:
    """From now on nobody gets in with the account; what is in it stays. A directory opens again only what a
    directory has shut. Raises ValidationError.
    """
    if isinstance(by, User):
        require_not_own(person, by)
    require_another_administrator(person)
    by_directory = not isinstance(by, User)
    User.objects.filter(pk=person.pk).update(is_active=False, shut_by_directory=by_directory)
    end_all_sign_ins(person)
    note(by, AuditAct.SHUT, person, f"of {person.email}")


@transaction.atomic
def open_again(person: User, *, by: Actor) -> None:
    """Its person may sign in again. No session and no token comes back."""
    User.objects.filter(pk=person.pk).update(is_active=True, shut_by_directory=False)
    note(by, AuditAct.REOPENED, person, f"of {person.email}")


@transaction.atomic
def take_second_factor_away(person: User, *, by: User) -> None:
    """For who has lost a phone. Their browsers are signed out."""
    rules.take_away(person)
    note(by, AuditAct.UNLOCKED, person, f"for {person.email}")


def require_not_own(person: User, by: User) -> None:
    """Raises ValidationError."""
    if person.pk == by.pk:
        raise ValidationError(
            _("You can't shut off your own account. Another administrator can."), code="own"
        )


def is_last_administrator(person: User) -> bool:
    """Whether nobody else could open accounts. False holds until the end of the caller's transaction."""
    try:
        with transaction.atomic():
            require_another_administrator(person)
    except ValidationError:
        return True
    return False


def require_another_administrator(person: User) -> None:
    """Within a transaction, which holds all administrators: two of them might shut each other off at once.

    Raises ValidationError where nobody would be left.
    """
    administrators = User.objects.filter(is_superuser=True, is_active=True).order_by("pk")
    left = set(administrators.select_for_update().values_list("pk", flat=True)) - {person.pk}
    if not left:
        raise ValidationError(LAST, code="last_administrator")
