"""OpenID Connect: discovery, codes and signed tokens."""
