"""Asks for turns at a model server, in a process of its own.

python -m tests.providers.asking ADDRESS HOW_MANY
prints the moment of each turn, in seconds by the clock of the database.
"""

import sys

from asgiref.sync import async_to_sync

from svq_site.host.memory import load_apps


def main(address: str, count: str) -> None:
    load_apps()
    from providers.rate_limiter import RateLimiter

    limiter = RateLimiter(address=address)
    input()  # both processes begin when both are there
    for _ in range(int(count)):
        print(async_to_sync(limiter.enter)())


if __name__ == "__main__":
    main(*sys.argv[1:])
