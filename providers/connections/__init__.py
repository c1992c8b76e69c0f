"""The model servers that were connected in the browser: which, for what, and their keys."""
