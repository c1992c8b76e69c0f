"""manage.py make_account EMAIL: an account with a generated password, or a new password for one."""

import argparse
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from svq_site.host import first_start


class Command(BaseCommand):
    help = "Makes an account, or with --reset a new password for one, and prints the password once."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("email")
        parser.add_argument("--admin", action="store_true", help="May use the administration pages.")
        parser.add_argument("--reset", action="store_true", help="Give an existing account a new password.")

    def handle(self, *args: Any, email: str, admin: bool, reset: bool, **options: Any) -> None:
        change = first_start.reset_password if reset else first_start.make_account
        try:
            account = change(email, admin=admin)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        self.stdout.write(str(account))
