"""Plain text: its encoding is found out, its lines are wrapped, a form feed ends a page."""
