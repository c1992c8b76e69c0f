"""Reading with a chat model: what it is asked, at what pace, at what cost, and what it answered."""
