"""How allauth's second factors behave here: their secrets are encrypted, their words are SVQ's."""

from typing import ClassVar

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.contrib.auth.base_user import AbstractBaseUser
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from providers.connections.secrets import Unreadable, decrypted, encrypted

WRONG = gettext_lazy("This code is not right, or it was used before. Take the newest one.")


class SecondFactorAdapter(DefaultMFAAdapter):
    error_messages: ClassVar = DefaultMFAAdapter.error_messages | {
        "incorrect_code": WRONG,
        "unverified_email": gettext_lazy(
            "Confirm your e-mail address first: open the link that was mailed to it."
        ),
        "unreadable": (
            gettext_lazy(
                "What this server keeps of your second factor was encrypted with another secret. Use "
                "a passkey, or ask the administrator to take the second factor away."
            )
        ),
    }

    def encrypt(self, text: str) -> str:
        return encrypted(text)

    def decrypt(self, encrypted_text: str) -> str:
        """Raises ValidationError; an empty secret would make codes that anybody can work out."""
        try:
            return decrypted(encrypted_text)
        except Unreadable as error:
            raise self.validation_error("unreadable") from error

    def generate_authenticator_name(self, user: AbstractBaseUser, type: Authenticator.Type) -> str:
        number = Authenticator.objects.filter(user_id=user.pk, type=type).count() + 1
        return _("Passkey") if number == 1 else _("Passkey {number}").format(number=number)

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        return super().get_public_key_credential_rp_entity() | {"name": "SVQ"}
