"""What makes texts comparable: one form for the many in which the same words are written."""
