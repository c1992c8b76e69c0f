"""What was read, shortened to what a model can be given. Pure."""
