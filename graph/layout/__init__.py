"""Where the nodes of a drawing stand. Pure but for `node_positions`, and the same for the same input."""
