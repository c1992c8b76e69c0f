"""What a sign-in waits for after the password or the provider: a second factor, or one that is set up."""

from typing import Any

from allauth.account.stages import LoginStage, LoginStageController
from allauth.mfa.stages import AuthenticateStage
from django.http import HttpRequest
from django.shortcuts import redirect

from accounts.api_tokens import password_mark
from accounts.second_factor import asks_itself, has_one, is_required


class Waiting(LoginStage):
    """A step that waits for the person, for as long as the account is as it was when they came to it."""

    def begin(self) -> None:
        self.state["password"] = password_mark(self.login.user)

    @property
    def is_over(self) -> bool:
        """Whether the account was switched off meanwhile, or has another password."""
        person = self.login.user
        return person is None or not person.is_active or self.state.get("password") != password_mark(person)


class AskStage(Waiting, AuthenticateStage):
    """Not where the provider has asked for one itself."""

    def handle(self) -> tuple[Any, bool]:
        self.begin()
        answer: tuple[Any, bool] = super().handle()
        return answer

    def _should_handle(self, request: HttpRequest) -> bool:
        return super()._should_handle(request) and not came_with_one(self.login)


class SetUpStage(Waiting):
    """Where administrators require one: nobody is signed in before there is one."""

    key = "set_up_second_factor"
    urlname = "set_up_second_factor"

    def handle(self) -> tuple[Any, bool]:
        person = self.login.user
        if person is None or has_one(person.pk) or came_with_one(self.login) or not is_required():
            return None, True
        self.begin()
        return redirect(self.urlname), True


def waiting(request: HttpRequest, key: str) -> Waiting | None:
    """The step that this browser is at, if it is that one."""
    stage = LoginStageController.enter(request, key)
    return stage if isinstance(stage, Waiting) else None


def came_with_one(login: Any) -> bool:
    social = (login.signal_kwargs or {}).get("sociallogin")
    return social is not None and asks_itself(social)
