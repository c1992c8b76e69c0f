"""Walks through a fresh SVQ as somebody new does: pictures of the first minutes, and five tasks."""
