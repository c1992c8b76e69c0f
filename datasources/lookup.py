"""Finding people's things by what they type at a command line."""

from django.core.management.base import CommandError

from accounts.models import User
from datasources.models import Datasource, Role
from datasources.numbers import number_in


def user_named(email: str | None) -> User:
    """The account of that e-mail address, or the first administrator. Raises CommandError."""
    if email:
        found = User.objects.filter(email__iexact=email).first()
        if found is None:
            raise CommandError(f"There is no account {email}. Make it with: manage.py make_account {email}")
        return found
    first = User.objects.filter(is_superuser=True).order_by("pk").first()
    if first is None:
        raise CommandError(
            "There is no administrator to act for. Name an account to act for, "
            "or make an administrator with: manage.py make_account EMAIL --admin"
        )
    return first


def datasource_named(user: User, name: str) -> Datasource | None:
    """The user's datasource of that name or number, their own before those shared with them."""
    visible = Datasource.objects.visible_to(user)
    found = list(visible.filter(name__iexact=name))
    if not found and (number := number_in(name)):
        found = list(visible.filter(pk=number))
    return min(found, key=lambda one: one.owner_id != user.pk, default=None)


def datasource_to_edit(user: User, name: str, deed: str) -> Datasource:
    """The same, for who may edit there; `deed`: what only an editor can do. Raises CommandError."""
    datasource = datasource_named(user, name)
    if datasource is None:
        raise CommandError(f"There is no datasource “{name}” that {user} may read.")
    if not datasource.allows(user, Role.EDITOR):
        raise CommandError(f"{user} may only read “{datasource}”. An editor can {deed}.")
    return datasource
