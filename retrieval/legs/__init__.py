"""The ways to find passages, one file each; every one takes a Scope first and gives Evidence with a score."""
