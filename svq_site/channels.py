"""Who may read which event channel."""

from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django_eventstream.channelmanager import DefaultChannelManager

from accounts.audit import note_thing
from accounts.models import AuditAct, TokenScope, User
from chat.models import Turn
from datasources.models import Datasource


class SvqChannelManager(DefaultChannelManager):
    """`turn:<uuid>` is its author's, `datasource:<id>` is everybody's who may see the datasource."""

    def can_read_channel(self, user: User | AnonymousUser | None, channel: str) -> bool:
        if not isinstance(user, User):
            return False
        kind, _, key = channel.partition(":")
        # Only the exact spelling, so that a channel has one name.
        if kind == "turn" and is_uuid(key) and (user.may(TokenScope.READ) or user.may(TokenScope.ASK)):
            seen = Turn.objects.visible_to(user).filter(pk=key)
            datasource = seen.values_list("conversation__datasource", flat=True).first()
            if datasource is not None:  # the stream begins with all that the answer has so far
                note_thing(
                    user,
                    AuditAct.SAW,
                    subject="answer",
                    number=key,
                    datasource=datasource,
                    address=f"events {channel}",
                )
            return datasource is not None
        if kind == "datasource" and is_number(key) and user.may(TokenScope.READ):
            return Datasource.objects.visible_to(user).filter(pk=int(key)).exists()
        return False


def is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19 and str(int(text)) == text
