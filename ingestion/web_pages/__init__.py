"""Web pages as documents: an address becomes a snapshot, where the administrator allows it."""
