"""Files of other programs that are known by their content and refused, with what to do instead."""
