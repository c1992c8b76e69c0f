"""Where folders lie that are followed: what is there, and the bytes of one file."""
