"""Where the nodes of a drawing stand."""
