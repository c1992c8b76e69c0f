"""Personal data and secrets in a text."""
