"""Evidence packs: answers with their proof as one signed file, and how such a file is verified."""
