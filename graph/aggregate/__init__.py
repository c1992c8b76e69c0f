"""Mentions, and the entities and relations that are made of them: written, updated, embedded."""
