"""Markup as blocks: what web pages, Markdown, mails and the chapters of books have in common."""
