"""A statement and a quote in; out come where the quote stands, whether it carries the statement, and who says
so. Nothing here knows a conversation: rows of citations are kept in chat.
"""
