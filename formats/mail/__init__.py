"""Messages (EML): who wrote to whom and when, the body, and what is attached."""
