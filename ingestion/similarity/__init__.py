"""Which documents are alike: a map of a datasource's documents, made from vectors that are there already."""
