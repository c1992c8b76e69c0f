"""The ways to find passages, and what they know of a question: its words, its phrases, words spelt alike."""
