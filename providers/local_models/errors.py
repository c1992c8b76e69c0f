"""Why a model cannot be installed, in words for the person who installs it."""

from providers.protocols import ProviderError


class NotInstalled(ProviderError):
    """`message` says why and what helps. `transient`: the same may succeed later, and goes on from there."""

    code = "model_file"
