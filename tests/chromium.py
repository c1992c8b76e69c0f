"""Which Chromium tests, benchmarks and screenshots drive: `python -m tests.chromium` names it."""

import shutil
import sys

# The one without windows first: the others draw the frame of each window, which nobody sees here, and a new
# page costs them three times the processor time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
INSTALL = (
    "The browser tests need Chromium: apt-get install chromium-headless-shell (Debian),"
    " or brew install --cask chromium (macOS)"
)


def path() -> str:
    """Of the first that is installed. Raises LookupError, which says how to install it."""
    found = next((found for name in NAMES if (found := shutil.which(name))), None)
    if found is None:
        raise LookupError(INSTALL)
    return found


if __name__ == "__main__":
    try:
        print(path())
    except LookupError as error:
        sys.exit(str(error))
