"""REST: datasources, with whom they are shared, and what all of REST makes of requests."""
