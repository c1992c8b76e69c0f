"""The tab of a datasource's conversations."""

from datasources.models import Role
from datasources.web.tabs import Tab


class ChatTab(Tab):
    name, label, url, keys, icon = "chat", "Ask", "chat", "g a", "message-square-text"
    needed = Role.ASKER
    palette_label = "New conversation"
