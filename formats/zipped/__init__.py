"""Archives (ZIP): a list of the files in them, which become documents of their own."""
