"""Questions that a sentence answers, made of its own words."""
