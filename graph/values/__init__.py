"""What all of the graph speaks in: names and their keys, types, what an extractor gives."""
