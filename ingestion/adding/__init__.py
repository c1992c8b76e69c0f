"""Taking documents in: what is allowed, what is refused, and what they are called."""
