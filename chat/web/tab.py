"""The tab of a datasource's conversations."""

from datasources.web.tabs import Tab


class ChatTab(Tab):
    name, label, url, keys, icon = "chat", "Ask", "chat", "g a", "message-square-text"
    palette_label = "New conversation"
