"""The outside world: chat models and embedders. Knows no Django, no database row and no request."""
