"""The graph over REST."""
