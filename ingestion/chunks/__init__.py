"""How the text of a document becomes chunks."""
