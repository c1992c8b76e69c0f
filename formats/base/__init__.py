"""What all formats share: the shape of a format, the values it gives back, and the sandbox it works in."""
