"""The pages of sign-in providers: the way there, and where administrators set them up."""
