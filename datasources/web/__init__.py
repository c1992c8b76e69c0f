"""Pages of datasources: what all of them begin with, a new one, API tokens, invitations by a link."""
