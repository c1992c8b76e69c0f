"""The addresses, keys and codes of systems that SVQ takes the place of: their clients change a host name and
carry an API token. docs/how-to/move-from-another-system.md lists them.
"""
