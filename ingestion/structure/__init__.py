"""The structure of a document, derived from its pages: headings and tables."""
