"""SCIM 2.0 (RFC 7643, 7644): the protocol in which a firm's directory says who comes and who leaves."""
