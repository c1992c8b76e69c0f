"""Tries wrong passwords at the REST sign-in, in a process of its own.

python -m tests.accounts.guessing ADDRESS HOW_MANY
prints the status of each answer.
"""

import sys

from svq_site.host.memory import load_apps


def main(email: str, count: str) -> None:
    load_apps()
    from django.test import Client

    input()  # both processes begin when both are there
    for _ in range(int(count)):
        form = {"email": email, "password": "wrong"}
        answer = Client().post("/api/v1/auth/login", form, HTTP_HOST="localhost")
        print(answer.status_code)


if __name__ == "__main__":
    main(*sys.argv[1:])
