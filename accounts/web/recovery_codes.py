"""The page that shows recovery codes once."""

from typing import Any

from allauth.mfa.recovery_codes.views import ViewRecoveryCodesView

from accounts.models import User
from accounts.programs.tokens import living
from accounts.second_factor import FIRST, had_none_until


class RecoveryCodesPage(ViewRecoveryCodesView):
    """Right after the first second factor, with what was made with the password alone and still works."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        person = self.request.user
        is_first = self.request.session.pop(FIRST, False)
        if is_first and isinstance(person, User) and (began := had_none_until(person.pk)):
            context["tokens"] = living(person).filter(created__lt=began)
        return context
