"""Webhooks: other people's servers are told what happened in a datasource."""
