"""Sentences of documents, turned into claims that they contradict and into claims that they carry."""
