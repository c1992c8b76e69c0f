"""Books (EPUB): chapter by chapter, in the order of reading."""
