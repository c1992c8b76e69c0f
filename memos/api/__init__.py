"""REST: memos of a datasource."""
