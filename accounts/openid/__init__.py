"""Sign-in through a firm's OpenID Connect provider, on top of allauth's accounts of others."""
