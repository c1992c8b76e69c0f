"""The stored files of documents, wherever they are kept."""
