"""The tab of a datasource's conversations."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from datasources.models import Role
from datasources.web.tabs import Tab


class ChatTab(Tab):
    name, label, url, keys, icon = "chat", pgettext_lazy("verb", "Ask"), "chat", "g a", "message-square-text"
    needed = Role.ASKER
    palette_label = _("New conversation")
