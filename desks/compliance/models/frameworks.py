"""Frameworks, their tree of requirements, and the datasources that they are attached to."""

from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from datasources.models import Datasource

if TYPE_CHECKING:
    from accounts.models import User


class FrameworkQuerySet(models.QuerySet["Framework"]):
    def visible_to(self, user: "User") -> Self:
        """Their own, those shared with everybody, and those of datasources that they may read.

        An API token that reaches some datasources sees the frameworks of these alone.
        """
        if not user.is_authenticated:
            return self.none()
        here = Attachment.objects.filter(datasource__in=Datasource.objects.visible_to(user))
        attached = Q(pk__in=here.values("framework"))
        if user.reach is not None:
            return self.filter(attached)
        return self.filter(attached | Q(owner=user) | Q(is_shared=True))

    def attachable_by(self, user: "User") -> Self:
        """One's own and those that are shared with everybody: who reads another one in a datasource may not
        hand it on to the readers of a datasource of their own.
        """
        own = Q(owner=user) if user.is_authenticated else Q(pk__in=[])
        return self.visible_to(user).filter(own | Q(is_shared=True))


class Framework(models.Model):
    """A set of requirements, such as a regulation. It is shared on purpose and belongs to no datasource."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="frameworks")
    name = models.CharField(max_length=200)
    ref = models.CharField(max_length=60, blank=True, help_text="What it is called for short, such as DORA.")
    version = models.CharField(max_length=60, blank=True)
    description = models.TextField(blank=True)
    publisher = models.CharField(max_length=200, blank=True)
    rights = models.CharField(max_length=500, blank=True, help_text="Copyright, as its file has it.")
    source = models.CharField(max_length=40, help_text="What it was imported from, such as OSCAL.")
    language = models.CharField(max_length=12, blank=True, help_text="Of the requirements' own texts.")
    is_shared = models.BooleanField(
        "shared with everybody", default=False, help_text="All accounts may read it and attach it."
    )
    created = models.DateTimeField(auto_now_add=True)
    updated = models.DateTimeField(auto_now=True)

    objects = FrameworkQuerySet.as_manager()

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "name"], name="one_framework_of_a_name_per_owner")
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def short_name(self) -> str:
        return self.ref or self.name


class RequirementQuerySet(models.QuerySet["Requirement"]):
    def assessable(self) -> Self:
        return self.filter(is_assessable=True)


class Requirement(models.Model):
    """A node of a framework's tree: a chapter, an article, a paragraph, a point.

    `position` orders the whole tree as it is read, parents before their children.
    """

    framework = models.ForeignKey(Framework, models.CASCADE, related_name="requirements")
    parent = models.ForeignKey("self", models.CASCADE, null=True, blank=True, related_name="children")
    position = models.PositiveIntegerField()
    depth = models.PositiveSmallIntegerField(default=0, help_text="0 at the top.")
    ref = models.CharField(max_length=60, blank=True, help_text="Such as 30.2.b.")
    title = models.CharField(max_length=300, blank=True)
    text = models.TextField(blank=True)
    translations = models.JSONField(default=dict, blank=True, help_text="{language: {title, text}}")
    domain = models.CharField(max_length=120, blank=True)
    is_assessable = models.BooleanField("can be assessed", default=False)

    objects = RequirementQuerySet.as_manager()

    class Meta:
        ordering = ["framework", "position"]
        indexes = [models.Index(fields=["framework", "position"], name="requirement_order")]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """Reference and title, as far as there are such: "Article 30: Key contractual provisions"."""
        return ": ".join(filter(None, (self.ref, self.title))) or self.text[:80]

    @property
    def wording(self) -> str:
        """What is required, in words."""
        return self.text or self.title


class Attachment(models.Model):
    """A framework in use in a datasource: everybody who can read the datasource can read it too."""

    framework = models.ForeignKey(Framework, models.CASCADE, related_name="attachments")
    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="framework_attachments")
    attached_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["framework", "datasource"], name="one_attachment_each")
        ]

    def __str__(self) -> str:
        return f"{self.framework} in {self.datasource}"
