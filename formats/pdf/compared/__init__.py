"""The text of a page held against what the page shows."""
