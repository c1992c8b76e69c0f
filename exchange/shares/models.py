"""Share links: who shows what to whom, and until when."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy

from chat.models import Conversation, Turn
from datasources.models import Datasource, Role

if TYPE_CHECKING:
    from accounts.models import User


SHARERS = "editor"  # a viewer's answers stay within the house unless the owner says otherwise


class Sharers(models.TextChoices):
    """Who may share answers by a link. But for NOBODY, the lowest role that may."""

    VIEWER = "viewer", gettext_lazy("Everybody who may read it")
    EDITOR = "editor", gettext_lazy("The owner and editors")
    OWNER = "owner", gettext_lazy("The owner alone")
    NOBODY = "nobody", gettext_lazy("Nobody")


class ShareRule(models.Model):
    """Of a datasource whose owner has chosen; of all others SHARERS holds."""

    datasource = models.OneToOneField(Datasource, models.CASCADE, primary_key=True, related_name="share_rule")
    sharers = models.CharField(max_length=6, choices=Sharers)

    def __str__(self) -> str:
        return self.get_sharers_display()


class ShareLinkQuerySet(models.QuerySet["ShareLink"]):
    def living(self) -> Self:
        """Those that are not over and whose maker's account is not shut off."""
        return self.filter(ended=None, expires__gt=timezone.now(), maker__is_active=True)

    def of(self, datasources: Iterable[int] | models.QuerySet[Datasource]) -> Self:
        return self.filter(conversation__datasource__in=datasources)

    def made_by(self, user: "User") -> Self:
        """The person's own, also those that rest; with an API token, those of the datasources that it
        reaches.
        """
        mine = self.filter(maker=user)
        return mine if user.reach is None else mine.of(user.reach)

    def endable_by(self, user: "User") -> Self:
        """Their own, and those of others where they are an owner."""
        owned = self.of(Datasource.objects.visible_to(user, Role.OWNER))
        return self.made_by(user) | owned


class ShareLink(models.Model):
    """The ends of its answer, its conversation and its maker's account delete the row. One that is ended
    stays, so that its maker still sees how often it was viewed. It rests, and shows nothing, while its maker
    may not see the answer or not share it.

    Made and looked up by `exchange.shares.services`.
    """

    maker = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="share_links")
    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="share_links")
    turn = models.ForeignKey(
        Turn,
        models.CASCADE,
        null=True,
        related_name="share_links",
        help_text="The one answer that it shows; null: those of the conversation.",
    )
    last_number = models.PositiveIntegerField(
        help_text="Of the conversation's last question when it was made: later ones are not shown."
    )
    recipient = models.CharField(max_length=80, help_text="For whom it is, as the watermark says.")
    digest = models.CharField(max_length=64, unique=True, editable=False, help_text="SHA-256 of its token.")
    password = models.CharField(max_length=128, blank=True, editable=False, help_text="Its hash, if any.")
    created = models.DateTimeField(auto_now_add=True)
    expires = models.DateTimeField()
    ended = models.DateTimeField(null=True, blank=True, help_text="When its maker ended it before its time.")
    views = models.PositiveIntegerField(default=0)
    last_viewed = models.DateTimeField(null=True, blank=True)

    ended_by: "User | None" = None  # of the one that is being deleted

    objects = ShareLinkQuerySet.as_manager()

    class Meta:
        ordering = ["-created", "-pk"]

    def __str__(self) -> str:
        return f"for {self.recipient}"

    @property
    def is_expired(self) -> bool:
        return self.expires <= timezone.now()

    @property
    def is_over(self) -> bool:
        return self.ended is not None or self.is_expired

    @property
    def has_password(self) -> bool:
        return bool(self.password)

    @property
    def about(self) -> str:
        """What it shows: the question, or the conversation's title."""
        return self.turn.question if self.turn else str(self.conversation)
