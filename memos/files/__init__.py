"""A memo as a file to hand on: Markdown, Word, PDF."""
