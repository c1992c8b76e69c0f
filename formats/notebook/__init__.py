"""Notebooks of Jupyter: their text, code and results, cell by cell."""
