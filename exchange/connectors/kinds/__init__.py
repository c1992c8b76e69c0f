"""What can be followed: one file for each kind, with all that is particular to it."""
