"""Requests that nobody would write, in numbers: no page and no REST address may break or hang."""
