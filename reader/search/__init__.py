"""The search page: the request, what is found, and how it is shown."""
