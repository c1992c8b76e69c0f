"""The person who signs in, by e-mail address; their API tokens; and what administrators looked at."""

from datetime import timedelta
from typing import Any, ClassVar, Self

from django.contrib.auth.models import AbstractUser, UserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models, transaction
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy, pgettext_lazy

from accounts import addresses


class EmailUserManager(UserManager["User"]):
    """Makes accounts that are identified by their e-mail address only."""

    def create_user(  # type: ignore[override]
        self, email: str, password: str | None = None, **fields: Any
    ) -> "User":
        """By an operator, who vouches for the address."""
        if not email:
            raise ValueError("An account needs an e-mail address.")
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        with transaction.atomic():
            user.save(using=self._db)
            addresses.confirm(user)
        return user

    def create_superuser(  # type: ignore[override]
        self, email: str, password: str | None = None, **fields: Any
    ) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email__iexact=username)


class Theme(models.TextChoices):
    SYSTEM = "system", gettext_lazy("Same as the device")
    LIGHT = "light", gettext_lazy("Light")
    DARK = "dark", gettext_lazy("Dark")


class User(AbstractUser):
    username = None  # type: ignore[assignment]
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    email = models.EmailField("e-mail address", unique=True)
    name = models.CharField(max_length=150, blank=True)
    theme = models.CharField(max_length=8, choices=Theme, default=Theme.SYSTEM)
    language = models.CharField(
        max_length=16,
        blank=True,
        default="",
        db_default="",
        help_text="Of pages and mails; empty: the browser’s.",
    )
    single_key_shortcuts = models.BooleanField(default=True)
    show_answers_when_complete = models.BooleanField(default=False)
    may_see_contents = models.BooleanField(
        default=False,
        help_text="In the administration: names and texts of what belongs to others. Each look is logged.",
    )

    shut_by_directory = models.BooleanField(
        default=False, editable=False, help_text="Which may open the account again; see accounts.scim."
    )

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects: ClassVar[EmailUserManager] = EmailUserManager()

    # The token that speaks for the person in this request; None: they have signed in themselves.
    api_token: "ApiToken | None" = None
    # What this request needs rights to: numbers of datasources, each with the role. See datasources.access.
    needs: frozenset[tuple[int, str]] = frozenset()

    def __str__(self) -> str:
        return self.email

    def may(self, scope: "TokenScope") -> bool:
        """Whether the request may do such things at all."""
        return self.api_token is None or scope in self.api_token.scopes

    @property
    def reach(self) -> list[int] | None:
        """Numbers of the only datasources that the request may touch; None: all of the person's."""
        return None if self.api_token is None else self.api_token.datasource_ids

    def get_full_name(self) -> str:
        return self.name or self.email

    @property
    def initials(self) -> str:
        """One or two capitals for the account button."""
        words = (self.name or self.email.split("@")[0].replace(".", " ")).split()
        return "".join(word[0] for word in words[:2]).upper() or "?"


class TokenScope(models.TextChoices):
    """What an API token may do with what it reaches."""

    READ = "read", pgettext_lazy("permission", "Read")
    ASK = "ask", pgettext_lazy("permission", "Ask")
    WRITE = "write", pgettext_lazy("permission", "Write")


class ApiToken(models.Model):
    """What a program carries in place of its person. Its text is shown once; only a hash is kept.

    Made and looked up by `accounts.api_tokens`. Revoking it deletes the row.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    digest = models.CharField(max_length=64, unique=True, editable=False, help_text="SHA-256 of its text.")
    beginning = models.CharField(max_length=8, help_text="Of its text, to know it by.")
    scopes = ArrayField(models.CharField(max_length=5, choices=TokenScope))
    datasource_ids = ArrayField(
        models.BigIntegerField(),
        null=True,
        help_text="Numbers of those it reaches; null: all of the person's.",
    )
    password_mark = models.CharField(max_length=64, editable=False, help_text="It ends with this password.")
    created = models.DateTimeField(auto_now_add=True)
    expires = models.DateTimeField()
    last_used = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "API token"
        ordering = ["-created", "-pk"]
        constraints = [models.UniqueConstraint(fields=["user", "name"], name="one_token_of_a_name_each")]

    def __str__(self) -> str:
        return f"{self.beginning}…"

    @property
    def is_expired(self) -> bool:
        return self.expires <= timezone.now()


INVITATIONS_KEPT = timedelta(days=90)  # after their use or their end


class InvitationLinkQuerySet(models.QuerySet[Any]):
    def living(self) -> Self:
        """Those that still open something."""
        return self.filter(used=None, expires__gt=timezone.now(), made_by__is_active=True)

    def forget(self) -> None:
        """Delete those that were used or have expired long ago. The audit log still has them."""
        before = timezone.now() - INVITATIONS_KEPT
        self.filter(models.Q(used__lt=before) | models.Q(expires__lt=before)).delete()


class InvitationLink(models.Model):
    """An address that lets one person in, once. Its text is shown or mailed once; only a hash is kept.

    Withdrawing it deletes the row.
    """

    email = models.EmailField(
        blank=True, help_text="For whom, in small letters; empty: for whoever has the link."
    )
    digest = models.CharField(max_length=64, unique=True, editable=False, help_text="SHA-256 of its text.")
    made_by = models.ForeignKey(User, models.CASCADE, related_name="+")
    created = models.DateTimeField(auto_now_add=True)
    expires = models.DateTimeField()
    used = models.DateTimeField(null=True, blank=True)
    used_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")

    objects = InvitationLinkQuerySet.as_manager()

    class Meta:
        abstract = True
        ordering = ["-created", "-pk"]

    @property
    def is_expired(self) -> bool:
        return self.expires <= timezone.now()

    @property
    def is_open(self) -> bool:
        """Whether it still opens something, as `living` has it."""
        return not (self.used or self.is_expired) and self.made_by.is_active


class AccountInvitation(InvitationLink):
    """By an administrator: the address may have an account, whoever else may not make one."""

    def __str__(self) -> str:
        return f"{self.email} to an account"

    @property
    def is_open(self) -> bool:
        return super().is_open and self.made_by.is_superuser


class PeopleGroup(models.Model):
    """People with whom datasources are shared together. Made by administrators, see accounts.groups."""

    name = models.CharField(max_length=100)
    provider = models.ForeignKey(
        "openid.IdentityProvider",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text="Whose groups decide who is in it, too.",
    )
    claim = models.CharField(max_length=200, blank=True, help_text="What the provider calls the group.")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = "group of people"
        verbose_name_plural = "groups of people"
        ordering = ["name"]
        constraints = [models.UniqueConstraint(Lower("name"), name="one_group_of_a_name")]

    def __str__(self) -> str:
        return self.name


class GroupMember(models.Model):
    """A person in a group, by an administrator or by a provider: what that gave, it takes away."""

    group = models.ForeignKey(PeopleGroup, models.CASCADE, related_name="members")
    person = models.ForeignKey(User, models.CASCADE, related_name="group_members")
    provider = models.ForeignKey(
        "openid.IdentityProvider", models.CASCADE, null=True, blank=True, related_name="+"
    )
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["group", "person"], name="once_in_a_group")]

    def __str__(self) -> str:
        return f"{self.person} in {self.group}"


class AuditAct(models.TextChoices):
    ENTERED = "entered", gettext_lazy("Signed in")
    LEFT = "left", gettext_lazy("Signed out")
    REFUSED = "refused", gettext_lazy("Was refused at sign-in")
    SAW = "saw", gettext_lazy("Saw")
    ASKED = "asked", gettext_lazy("Asked")
    TOOK = "took", gettext_lazy("Took a copy")
    ADDED = "added", pgettext_lazy("audit log", "Added")
    CHANGED = "changed", pgettext_lazy("audit log", "Changed")
    DELETED = "deleted", pgettext_lazy("audit log", "Deleted")
    LOOKED = "looked", gettext_lazy("Looked at contents as an administrator")
    ALLOWED = "allowed", gettext_lazy("May see contents from now on")
    FORBADE = "forbade", gettext_lazy("May no longer see contents")
    UNLOCKED = "unlocked", gettext_lazy("Took away the second factor")
    RAISED = "raised", gettext_lazy("Became an administrator")
    LOWERED = "lowered", gettext_lazy("Is no longer an administrator")
    PROVIDER = "provider", gettext_lazy("Changed a sign-in provider")
    DIRECTORY = "scim", gettext_lazy("Changed a connected directory")
    RULE = "rule", gettext_lazy("Changed who needs a second factor")
    SIGN_IN = "sign-in", gettext_lazy("Changed how they sign in")
    FORGOT = "forgot", gettext_lazy("Deleted entries whose time was over")
    SHARED = "shared", gettext_lazy("Made a share link")
    UNSHARED = "unshared", gettext_lazy("Ended a share link")
    ENDED = "ended", gettext_lazy("Signed somebody out everywhere")
    SHUT = "shut", gettext_lazy("Shut off an account")
    REOPENED = "reopened", gettext_lazy("Opened an account again")
    HANDED = "handed", gettext_lazy("Handed over what somebody owned")
    INVITED = "invited", gettext_lazy("Made an invitation")
    WITHDREW = "withdrew", gettext_lazy("Withdrew an invitation")
    JOINED = "joined", gettext_lazy("Came by an invitation")
    GROUP = "group", gettext_lazy("Changed a group of people")
    MATTER = "matter", gettext_lazy("Changed a matter")
    ARCHIVED = "archived", gettext_lazy("Archived a matter")
    OPENED = "opened", gettext_lazy("Opened an archived matter again")
    PROGRAM = "program", gettext_lazy("Let a program in, or ended it")


class AuditSeal(models.Model):
    """That these entries were there at that time: their hash over the one of the seal before."""

    time = models.DateTimeField(auto_now_add=True)
    entries = models.PositiveIntegerField()
    before = models.CharField(max_length=64, help_text="The hash of the seal before; 64 zeros for the first.")
    digest = models.CharField(max_length=64, help_text="SHA-256 over all this and the entries.")
    until = models.DateTimeField(help_text="The time of its newest entry.")
    emptied = models.BooleanField(default=False, help_text="Its entries were deleted: their time was over.")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"Seal {self.pk} over {self.entries} entries"


class AuditEntry(models.Model):
    """What a person did, and an administrator's look at what belongs to others. It has no word of a document.

    The database refuses to change or delete one, see migration 0004.
    """

    person = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+", db_index=False)
    email = models.EmailField(blank=True, help_text="The person's, at that time; empty: SVQ itself.")
    token = models.CharField(
        max_length=100,
        blank=True,
        help_text="How the API token that spoke for them begins; without a person, the directory’s name.",
    )
    act = models.CharField(max_length=8, choices=AuditAct)
    subject = models.CharField(max_length=100, help_text="The kind of thing that it was about.")
    number = models.CharField(max_length=40, blank=True, help_text="Which one; empty for a list.")
    datasource = models.BigIntegerField(null=True, help_text="The number of the one that it is in.")
    address = models.CharField(max_length=500, blank=True)
    time = models.DateTimeField(auto_now_add=True, db_index=True)
    seal = models.ForeignKey(AuditSeal, models.PROTECT, null=True, related_name="sealed")

    class Meta:
        ordering = ["-time", "-pk"]
        verbose_name_plural = "audit entries"
        indexes = [
            models.Index(fields=["person", "act", "subject", "number", "time"], name="audit_of_person"),
            models.Index(fields=["datasource", "time"], name="audit_of_datasource"),
            models.Index(fields=["id"], condition=models.Q(seal=None), name="audit_not_sealed"),
            # When somebody was last seen. Others try to sign in as them, too.
            models.Index(
                fields=["person", "-time"], condition=~models.Q(act="refused"), name="audit_last_seen"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.email}: {self.get_act_display()} ({self.subject} {self.number})"


class UsageKind(models.TextChoices):
    DOCUMENTS = "documents", gettext_lazy("Documents")
    BYTES = "bytes", gettext_lazy("Size of files")
    QUESTIONS = "questions", gettext_lazy("Questions")


class Usage(models.Model):
    """How much a person has added or asked in one minute, see accounts.quotas."""

    person = models.ForeignKey(User, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=9, choices=UsageKind)
    minute = models.DateTimeField()
    amount = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "kind", "minute"], name="usage_once_a_minute")
        ]

    def __str__(self) -> str:
        return f"{self.person}: {self.amount} {self.kind}"


class AttemptCount(models.Model):
    """How many attempts there were since a window of time began, see accounts.limits."""

    key = models.CharField(max_length=100, primary_key=True, help_text="The limit's name, and a hash.")
    count = models.PositiveIntegerField()
    ends = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.count} until {self.ends:%H:%M:%S}"
