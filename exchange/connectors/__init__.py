"""Connectors: folders elsewhere whose files a datasource follows, as they come, change and go."""
