"""The list of conversations, under headings such as Today."""

from dataclasses import dataclass
from datetime import date, timedelta

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.models import User
from chat.models import Conversation
from datasources.models import Datasource

SHORT = 40  # conversations listed unless all are asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    heading: str
    conversations: list[Conversation]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationList:
    groups: list[Group]
    count: int
    hidden: bool  # whether there are more than the groups hold


def conversation_list(user: User, datasource: Datasource, *, whole: bool = False) -> ConversationList:
    """The user's conversations about the datasource, the newest first."""
    mine = Conversation.objects.visible_to(user).filter(datasource=datasource)
    shown = list(mine if whole else mine[:SHORT])
    count = len(shown) if len(shown) < SHORT else mine.count()
    today = timezone.localdate()
    groups: list[Group] = []
    for conversation in shown:
        heading = _heading(timezone.localtime(conversation.updated).date(), today)
        if not groups or groups[-1].heading != heading:
            groups.append(Group(heading=heading, conversations=[]))
        groups[-1].conversations.append(conversation)
    return ConversationList(groups=groups, count=count, hidden=count > len(shown))


def _heading(day: date, today: date) -> str:
    monday = today - timedelta(days=today.weekday())
    if day >= today:
        return _("Today")
    if day == today - timedelta(days=1):
        return _("Yesterday")
    if day >= monday:
        return _("This week")
    if day >= monday - timedelta(days=7):
        return _("Last week")
    return date_format(day, "F Y" if day.year != today.year else "F")
