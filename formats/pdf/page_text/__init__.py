"""From the characters of a page to its text: pieces, the order of reading, tables. Pure."""
