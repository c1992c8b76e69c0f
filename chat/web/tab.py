"""The tab of a datasource's conversations."""

from datasources.tabs import Tab


class ChatTab(Tab):
    name, label, url, keys, icon = "chat", "Chat", "chat", "g c", "messages-square"
    palette_label = "New chat"
