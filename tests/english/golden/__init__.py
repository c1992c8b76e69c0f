"""What the rules of English made of fixed texts when they were last looked at, as a short code for each case.

A code that differs is a rule that reads something otherwise. Where that is meant, look at what changed and
write the codes anew (`.venv/bin/python -m tests.english.golden --write`), in a commit that says what it is.
"""
