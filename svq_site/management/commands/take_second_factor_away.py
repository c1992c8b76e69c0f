"""manage.py take_second_factor_away EMAIL: where nobody can sign in as an administrator any more."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from accounts.second_factor import take_away


class Command(BaseCommand):
    help = "Takes the second factor of an account away and ends its sessions, for somebody who has lost it."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("email")

    def handle(self, *args: Any, email: str, **options: Any) -> None:
        person = User.objects.filter(email__iexact=email).first()
        if person is None:
            raise CommandError(f"There is no account with the address {email}.")
        take_away(person)
        self.stdout.write(f"{person.email} signs in with the password alone, or sets up another one.")
