"""Sign-in through a firm's own provider, on top of allauth's accounts of others: what is the same for OpenID
Connect and for SAML. `openid` and `saml` have what each of them does in its own way; `web` has the pages and
tells which is which.
"""
