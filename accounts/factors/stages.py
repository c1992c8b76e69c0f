"""What a sign-in waits for after the password or the provider: a second factor, or one that is set up."""

from typing import Any

from allauth.account.stages import LoginStage
from allauth.mfa.stages import AuthenticateStage
from django.http import HttpRequest
from django.shortcuts import redirect

from accounts.second_factor import asks_itself, has_one, is_required


class AskStage(AuthenticateStage):
    """Not where the provider has asked for one itself."""

    def _should_handle(self, request: HttpRequest) -> bool:
        return super()._should_handle(request) and not came_with_one(self.login)


class SetUpStage(LoginStage):
    """Where administrators require one: nobody is signed in before there is one."""

    key = "set_up_second_factor"
    urlname = "set_up_second_factor"

    def handle(self) -> tuple[Any, bool]:
        person = self.login.user
        if person is None or has_one(person.pk) or came_with_one(self.login) or not is_required():
            return None, True
        return redirect(self.urlname), True


def came_with_one(login: Any) -> bool:
    social = (login.signal_kwargs or {}).get("sociallogin")
    return social is not None and asks_itself(social)
