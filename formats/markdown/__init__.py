"""Markdown: made HTML, and read as that."""
