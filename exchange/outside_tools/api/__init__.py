"""REST: the outside tools of a datasource."""
