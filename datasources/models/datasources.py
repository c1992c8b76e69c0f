"""Datasources: collections of documents, what their owners have set, and who may see them."""

from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.db import models, transaction
from django.db.models import Q, Value
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from datasources.models.matters import Matter, MatterShare
from datasources.models.members import (
    RANK,
    GroupShare,
    Invitation,
    Membership,
    Role,
    highest,
    is_at_least,
    roles_from,
)

if TYPE_CHECKING:
    from accounts.models import User


SAMPLE_DESCRIPTION = gettext_noop("Five invented documents to try SVQ with.")
CHUNK_SIZES = (200, 8000)  # characters: the smallest and the largest size that may be chosen


class Chunking(models.TextChoices):
    """How a document's text is cut into chunks."""

    RECURSIVE = "recursive", _("By size: paragraphs, else sentences, else lines")
    PARAGRAPH = "paragraph", _("By paragraph and sentence, tables kept whole or by their parts")


class Recognition(models.TextChoices):
    """Which pages are read by text recognition (OCR)."""

    OFF = "off", _("Never")
    NEEDED = "needed", _("Where a page is a picture or its text is damaged")
    ALWAYS = "always", _("Every page, in place of the text in the file")


class ScanReader(models.TextChoices):
    """What reads the pages that are pictures."""

    SVQ = "svq", _("SVQ's own reader")
    TESSERACT = "tesseract", _("Tesseract, on this server")
    SERVER = "server", _("The OCR server")

    @property
    def short(self) -> str:
        """For the beginning of a sentence."""
        return str(self.label).partition(",")[0]


class DatasourceQuerySet(models.QuerySet["Datasource"]):
    def visible_to(self, user: "User", needed: Role = Role.VIEWER) -> Self:
        """Those the user owns or is a member of, by themselves, by a group or by a matter; nobody sees the
        others, whatever their standing. What is archived stays visible to whoever saw it.

        With at least that role. Whoever may only ask is a stranger to all that doesn't name Role.ASKER: what
        is written later is closed to them until somebody opens it.

        Whose account is shut sees none, though what was shared with them stays.

        Where an API token speaks for the user, of those the ones that it reaches.
        """
        if not (user.is_authenticated and user.is_active):
            return self.none()
        roles = roles_from(needed)
        mine = Membership.objects.filter(user=user, role__in=roles).values("datasource_id")
        invited = Invitation.objects.for_person(user).filter(role__in=roles).values("datasource_id")
        by_group = GroupShare.objects.filter(group__members__person=user, role__in=roles)
        by_matter = MatterShare.objects.held_by(user).filter(role__in=roles).values("matter_id")
        visible = self.filter(
            Q(owner=user)
            | Q(pk__in=mine)
            | Q(pk__in=invited)
            | Q(pk__in=by_group.values("datasource_id"))
            | Q(matter__in=by_matter)
        )
        return visible if user.reach is None else visible.filter(pk__in=user.reach)

    def listed_for(self, user: "User", needed: Role = Role.VIEWER) -> Self:
        """Those of them that lists, and what looks through all of them, have: without what is archived."""
        return self.visible_to(user, needed).filter(archived=None)


class Datasource(models.Model):
    """A named, isolated collection of documents."""

    name = models.CharField(max_length=120)
    description = models.CharField(max_length=500, blank=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="owned_datasources")
    chunking = models.CharField(max_length=10, choices=Chunking, default=Chunking.RECURSIVE)
    chunk_size = models.PositiveIntegerField(default=1000, help_text="Characters in a chunk.")
    chunk_overlap = models.PositiveIntegerField(default=100, help_text="Characters two chunks share.")
    recognition = models.CharField(max_length=6, choices=Recognition, default=Recognition.NEEDED)
    scan_reader = models.CharField(max_length=9, choices=ScanReader, default=ScanReader.SVQ)
    scan_languages = models.JSONField(
        default=list, blank=True, help_text="That scans are in, as Tesseract names them; none: any."
    )
    expansion = models.BooleanField(
        default=False, help_text="Questions are searched in other words too, which the language model writes."
    )
    embedding_model = models.CharField(max_length=200, blank=True, help_text="Set by the first embedding.")
    embedding_dimensions = models.PositiveIntegerField(null=True, blank=True)
    suggested_questions = models.JSONField(default=list, blank=True)
    paused = models.BooleanField(default=False, help_text="Reading of queued documents waits.")
    documents_at_most = models.PositiveBigIntegerField(
        default=0, help_text="Never fewer than it has; 0: not counted yet. See datasources.capacity."
    )
    size_at_most = models.PositiveBigIntegerField(default=0, help_text="The same in bytes.")
    matter = models.ForeignKey(
        Matter, models.PROTECT, null=True, blank=True, editable=False, related_name="datasources"
    )
    archived = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="With its matter. It can only be read since."
    )
    created = models.DateTimeField(auto_now_add=True)
    updated = models.DateTimeField(auto_now=True)

    objects = DatasourceQuerySet.as_manager()

    seen_as: Role | None = None  # of the person for whom datasources.access looked it up, alone or in a list

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "name"], name="one_datasource_of_a_name_per_owner"),
            models.CheckConstraint(
                condition=Q(archived=None) | Q(matter__isnull=False), name="archived_with_a_matter"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def told_description(self) -> str:
        """In the reader's language, where the words are SVQ's own."""
        return gettext(self.description) if self.description == SAMPLE_DESCRIPTION else self.description

    @property
    def only_asked(self) -> bool:
        """Whether the person for whom it was looked up may only ask: pages then offer nothing more."""
        return self.seen_as == Role.ASKER

    @property
    def questions(self) -> list[str]:
        """Worth asking: those that were tried; before the first trial, those that were set by hand."""
        tried: Introduction | None = getattr(self, "introduction", None)
        return [one["question"] for one in tried.questions] if tried else self.suggested_questions

    @property
    def made_description(self) -> str:
        """What SVQ says about the documents, where nobody has described them. It tells of papers that whoever
        may only ask may not read.
        """
        made: Introduction | None = getattr(self, "introduction", None)
        return made.description if made and not self.description and not self.only_asked else ""

    def role_of(self, user: "User") -> Role | None:
        """The user's role here, the highest of their own and those of their groups and of its matter; None
        for a stranger. Whoever was invited becomes a member by that.
        """
        if self.owner_id == user.pk:
            return Role.OWNER
        own = self.memberships.filter(user_id=user.pk).values_list("role", Value(True))
        by_group = self.group_shares.filter(group__members__person=user).values_list("role", Value(False))
        in_matter = MatterShare.objects.held_by(user).filter(matter=self.matter_id)
        by_matter = in_matter.values_list("role", Value(False))
        found = list(own.union(by_group, by_matter, all=True))
        roles = [role for role, _ in found]
        if not any(is_own for _, is_own in found) and (accepted := self._accept(user)):
            roles.append(accepted.role)
        return highest(roles)

    @transaction.atomic
    def _accept(self, user: "User") -> "Membership | None":
        membership = None
        for invitation in self.invitations.for_person(user).select_for_update():
            membership, _ = self.memberships.get_or_create(user=user, defaults={"role": invitation.role})
            invitation.delete()
        return membership

    def allows(self, user: "User", needed: Role, *, even_archived: bool = False) -> bool:
        """Whether the user sees it, with this role at least. While it is archived nobody may do more than
        read, unless that is left aside: what was begun before runs to its end.
        """
        visible = Datasource.objects.visible_to(user, needed).filter(pk=self.pk)
        return visible.exists() and self.has_role(user, needed, even_archived=even_archived)

    def has_role(self, user: "User", needed: Role, *, even_archived: bool = False) -> bool:
        """The same for a row that came through `visible_to` this user: only the roles are compared."""
        if self.archived and RANK[needed] > RANK[Role.VIEWER] and not even_archived:
            return False
        return is_at_least(self.role_of(user), needed)


class Introduction(models.Model):
    """How SVQ introduces a datasource to who opens it: made from its documents, see answering.suggestions.

    It tells only of `documents`: when one of them goes, so does what was made from it.
    """

    datasource = models.OneToOneField(
        Datasource, models.CASCADE, primary_key=True, related_name="introduction"
    )
    description = models.CharField(max_length=300, blank=True)
    questions = models.JSONField(
        default=list, help_text="[{question, documents}]: those that its quotes are from."
    )
    documents = models.JSONField(default=list, help_text="Numbers of those that are described.")
    made = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"Introduction to {self.datasource}"
