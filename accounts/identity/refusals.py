"""Why a sign-in through a provider does not come about."""


class Unusable(Exception):
    """Why a provider can't be used, in a sentence for an administrator."""


class Refused(Exception):
    """Why what a provider says, or somebody in its name, does not count. For the log: visitors get less."""
