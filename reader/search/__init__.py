"""The search page: what is asked, what is found, and how it is told."""
