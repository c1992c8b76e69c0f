"""Share links: an answer or a conversation shown to somebody without an account, until a day, and no more."""
