"""Answers as files to hand on."""
