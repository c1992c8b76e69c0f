"""What searches read: vectors and words of chunks, their indexes, another model for all of them."""
