"""What programs that were let in carry: codes, the texts of their tokens, and what these are renewed with.

Each row that is spent is locked first, so that of two requests at the same moment one is refused. What comes
a second time was stolen from somebody, and ends what it has opened.
"""

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.api_tokens import MAX_DAYS, SHOWN, note_use, password_mark
from accounts.audit import note, note_all
from accounts.models import ApiToken, AuditAct, TokenScope, User
from accounts.programs.models import Code, Grant, Program, RefreshToken
from accounts.programs.rule import is_offered, resource
from accounts.secret_texts import digest, new_secret
from text.free_names import free_name

PREFIX = "svqp_"  # no API token of REST begins so
CODE_SECONDS = 60
ACCESS_SECONDS = 3600
RENEWED_WITHIN = timedelta(days=30)  # a program that is not used for so long has to ask again
LONGEST = timedelta(days=MAX_DAYS)
MOST_SPENT = 100  # renewals of one program that are remembered as spent
MOST_LET_IN = 100  # by one person


def new_beginning() -> str:
    """Of all texts that the token of a program will have: people and the log know it by that."""
    return PREFIX + new_secret()[: SHOWN - len(PREFIX)]


def new_text(beginning: str) -> str:
    return beginning + new_secret()


# --- codes -------------------------------------------------------------------------------------------------
def make_code(
    text: str,
    *,
    person: User,
    program: Program,
    scopes: Iterable[TokenScope],
    datasource_ids: list[int] | None,
    redirect_uri: str,
    challenge: str,
) -> None:
    chosen = [scope.value for scope in TokenScope if scope in set(scopes)]
    Code.objects.create(
        digest=digest(text),
        person=person,
        program=program,
        scopes=chosen,
        datasource_ids=datasource_ids,
        redirect_uri=redirect_uri,
        challenge=challenge,
        resource=resource(),
        password_mark=password_mark(person),
        expires=timezone.now() + timedelta(seconds=CODE_SECONDS),
    )
    reach = "all datasources" if datasource_ids is None else f"datasources {datasource_ids}"
    note(
        person,
        AuditAct.PROGRAM,
        program,
        f"let in {program}: {', '.join(chosen)}; {reach}; to {redirect_uri}",
    )


def code_of(text: str, program: Program) -> Code | None:
    """Locked; None where it is not the program's, is over, or is of somebody who may not be here any more.
    One that comes a second time ends what it gave.
    """
    code = Code.objects.select_for_update().filter(digest=digest(text), program=program).first()
    if code is None:
        return None
    if code.spent:
        given = Grant.objects.with_names().filter(pk=code.gave_id).first()
        if given:
            end(given, by=code.person, why="its code came a second time")
        return None
    person = code.person
    counts = person.is_active and code.password_mark == password_mark(person)
    return code if counts and code.expires > timezone.now() and code.resource == resource() else None


def spend_code(code: Code, access: str, refresh: str) -> Grant:
    """The program is in from now on. One that has registered is on one computer: what it had before is over.
    Of too many, the oldest makes room.
    """
    mine = Grant.objects.with_names().filter(token__user=code.person)
    if code.program.document_read is None:
        for before in mine.filter(program=code.program):
            end(before, by=code.person, why="it was let in anew")
    for oldest in mine.order_by("token__created")[: max(0, mine.count() - MOST_LET_IN + 1)]:
        end(oldest, by=code.person, why=f"{MOST_LET_IN} others were let in since")
    now, beginning = timezone.now(), access[:SHOWN]
    names = code.person.api_tokens.values_list("name", flat=True)
    token = ApiToken.objects.create(
        user=code.person,
        name=free_name(f"{code.program.name[:80]} ({beginning})", names, 100),
        digest=digest(access),
        beginning=beginning,
        scopes=code.scopes,
        datasource_ids=code.datasource_ids,
        password_mark=code.password_mark,
        expires=now + timedelta(seconds=ACCESS_SECONDS),
    )
    grant = Grant.objects.create(
        token=token, program=code.program, scopes=code.scopes, resource=code.resource, ends=now + LONGEST
    )
    _add_refresh_token(grant, refresh)
    code.spent, code.gave = now, grant
    code.save(update_fields=["spent", "gave"])
    note(code.person, AuditAct.PROGRAM, grant.program, f"{grant.program} got its first token, {beginning}…")
    return grant


# --- refresh tokens -------------------------------------------------------------------------------------
def refresh_token_of(text: str, program: Program) -> RefreshToken | None:
    """The same of what a token is renewed with."""
    found = RefreshToken.objects.select_for_update(of=("self",)).select_related(
        "grant__program", "grant__token__user"
    )
    refresh = found.filter(digest=digest(text), grant__program=program).first()
    if refresh is None:
        return None
    grant, person = refresh.grant, refresh.grant.token.user
    if refresh.spent:
        end(grant, by=person, why="what it renews its token with came a second time")
        return None
    counts = person.is_active and grant.token.password_mark == password_mark(person)
    here = grant.resource == resource()
    return refresh if counts and here and refresh.expires > timezone.now() else None


def spend_refresh_token(refresh: RefreshToken, scopes: list[str], access: str, following: str) -> None:
    """The token has another text from now on; the one before counts no more."""
    now, grant = timezone.now(), refresh.grant
    refresh.spent = now
    refresh.save(update_fields=["spent"])
    ApiToken.objects.filter(pk=grant.pk).update(
        digest=digest(access),
        scopes=scopes,
        expires=min(now + timedelta(seconds=ACCESS_SECONDS), grant.ends),
    )
    _add_refresh_token(grant, following)
    spent = grant.refresh_tokens.exclude(spent=None).order_by("-spent").values("pk")
    grant.refresh_tokens.filter(
        pk__in=list(spent[MOST_SPENT : 2 * MOST_SPENT].values_list("pk", flat=True))
    ).delete()
    note(grant.token.user, AuditAct.PROGRAM, grant.program, f"{grant.program} renewed {grant.token}")


def _add_refresh_token(grant: Grant, text: str) -> None:
    expires = min(timezone.now() + RENEWED_WITHIN, grant.ends)
    RefreshToken.objects.create(grant=grant, digest=digest(text), expires=expires)


# --- tokens ------------------------------------------------------------------------------------------------
def token_of_program(secret: str) -> ApiToken | None:
    """The token of that text, if it counts at the address of MCP; its use is noted."""
    if not secret.startswith(PREFIX) or not is_offered():
        return None
    return note_use(ApiToken.objects.filter(grant__resource=resource(), digest=digest(secret)))


def find_by_text(text: str, program: Program) -> Grant | None:
    """What a program wants ended: by the text of its token, or by what it is renewed with."""
    mine, hashed = Grant.objects.with_names().filter(program=program), digest(text)
    return mine.filter(token__digest=hashed).first() or mine.filter(refresh_tokens__digest=hashed).first()


@transaction.atomic
def end(grant: Grant, *, by: User, why: str = "") -> None:
    """It gets nothing from now on."""
    whose = "" if by.pk == grant.token.user_id else f" of {grant.token.user.email}"
    said = f"ended {grant.program}{whose} ({grant.token})" + (f": {why}" if why else "")
    note(by, AuditAct.PROGRAM, grant.program, said)
    grant.token.delete()


def living(person: User) -> QuerySet[ApiToken]:
    """What counts in the person's place: API tokens, and those of programs that can still renew theirs."""
    now = timezone.now()
    renewed = Grant.objects.filter(ends__gt=now, refresh_tokens__spent=None, refresh_tokens__expires__gt=now)
    lasting = Q(expires__gt=now) | Q(pk__in=renewed.values("pk"))
    return person.api_tokens.filter(lasting, password_mark=password_mark(person))


@transaction.atomic
def end_all(person: User) -> None:
    """All that counts in the person's place: programs that were let in, and API tokens."""
    for grant in Grant.objects.with_names().filter(token__user=person):
        end(grant, by=person)
    tokens = list(person.api_tokens.all())
    note_all(person, AuditAct.DELETED, [(token, "") for token in tokens])
    # Not one that was made meanwhile, of which the log would say nothing.
    person.api_tokens.filter(pk__in=[token.pk for token in tokens]).delete()


def forget() -> None:
    """What is over: codes, programs that were not used for too long, and those that nobody has let in."""
    now, day = timezone.now(), timedelta(days=1)
    Code.objects.filter(expires__lt=now - day).delete()
    RefreshToken.objects.filter(expires__lt=now).delete()
    ApiToken.objects.filter(grant__isnull=False, grant__refresh_tokens=None, expires__lt=now).delete()
    Program.objects.filter(grants=None, codes=None, created__lt=now - day).delete()
