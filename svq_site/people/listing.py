"""Everybody with an account, and all groups of people, with what an administrator sees of them."""

from allauth.mfa.models import Authenticator
from django.db.models import Count, DateTimeField, Exists, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Greatest

from accounts.models import ApiToken, AuditAct, AuditEntry, PeopleGroup, User
from accounts.second_factor import KINDS


def people(words: str = "") -> QuerySet[User]:
    """By address. `words`: a part of the name or the address. Each has `last_seen` (a sign-in, a request of
    an API token, or what the audit log has of them; None: never), `tokens`, which they made themselves, and
    `has_second_factor`.
    """
    found = User.objects.order_by("email")
    if words := words.strip():
        found = found.filter(Q(email__icontains=words) | Q(name__icontains=words))
    own = {"person": OuterRef("pk")}
    noted = AuditEntry.objects.filter(**own).exclude(act=AuditAct.REFUSED).order_by("-time")
    used = ApiToken.objects.filter(user=OuterRef("pk")).order_by().values("user")
    times = [
        "last_login",
        Subquery(noted.values("time")[:1], output_field=DateTimeField()),
        Subquery(used.annotate(newest=Max("last_used")).values("newest")),
    ]
    return found.annotate(
        last_seen=Greatest(*times),  # Postgres leaves out those that are null
        tokens=Coalesce(Subquery(used.filter(grant=None).annotate(count=Count("pk")).values("count")), 0),
        has_second_factor=Exists(Authenticator.objects.filter(user=OuterRef("pk"), type__in=KINDS)),
    )


def groups() -> QuerySet[PeopleGroup]:
    """By name. Each has `people`, `datasources` and `matters`: how many are in it, and are shared with it."""
    counted = PeopleGroup.objects.select_related("provider", "in_directory__directory").annotate(
        people=Count("members", distinct=True),
        datasources=Count("shares", distinct=True),
        matters=Count("matter_shares", distinct=True),
    )
    return counted.order_by("name")  # an order of the model does not count where rows are grouped
