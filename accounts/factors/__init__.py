"""A second factor at sign-in: codes of an app, passkeys, recovery codes. allauth keeps them, by our rules."""
