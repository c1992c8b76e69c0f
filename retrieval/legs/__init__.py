"""The ways to find passages, and what they use of a question: its words, its phrases, similar spellings."""
