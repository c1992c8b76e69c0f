"""REST: a datasource's connected sources."""
