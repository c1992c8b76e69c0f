"""Web archives (MHTML): a page and its pictures, kept as the parts of a message."""
