"""SAML 2.0: metadata, requests by redirect, signed answers by post."""
