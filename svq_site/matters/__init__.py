"""Matters on pages and over REST: folders of datasources with people, archived as one."""
