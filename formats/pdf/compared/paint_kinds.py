"""How the child process tells with what a character of a page is painted."""

NOTHING, ONE_COLOUR, OTHERWISE = range(3)
BYTES = 5  # of a character: one of these, then red, green, blue and how opaque it is
