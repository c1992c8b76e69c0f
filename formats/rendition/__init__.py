"""Formats without pages of their own: their text is typeset once as a PDF, the rendition, which shows it."""
