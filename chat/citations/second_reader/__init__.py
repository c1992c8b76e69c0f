"""The second reader: a model that reads claims with their quotes, after the check by code."""
