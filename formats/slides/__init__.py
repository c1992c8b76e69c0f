"""Presentations (PPTX): a page for each slide, with its notes."""
