"""REST: a datasource's connected folders."""
