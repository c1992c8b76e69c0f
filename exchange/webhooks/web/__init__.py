"""The pages of a datasource's webhooks."""
