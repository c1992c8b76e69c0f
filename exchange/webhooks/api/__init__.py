"""REST: a datasource's webhooks."""
