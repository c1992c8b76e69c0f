"""The graph in the admin: Django looks for an app's admin classes here."""

from graph.admin import curation, derived, document_map, extraction

__all__ = ["curation", "derived", "document_map", "extraction"]
