"""Trains a small model that reads a question and a passage, or a claim and a quote, together."""
