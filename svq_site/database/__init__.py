"""The database: the embedded Postgres with its folder, an outside one, and what stands in front of it."""
