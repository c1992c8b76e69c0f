"""Office files with a password: opened with it, as a copy that needs none."""
