"""The rows of citations: made and stored, made again, and their proof as pages show it."""
