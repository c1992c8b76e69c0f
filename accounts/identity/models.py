"""The providers that administrators have set up, and whom one of them has made an administrator."""

from django.conf import settings
from django.db import models

from accounts import addresses


class Language(models.TextChoices):
    """What a provider speaks."""

    OPENID = "openid", "OpenID Connect"
    SAML = "saml", "SAML"


class IdentityProvider(models.Model):
    """A server of a firm that says who somebody is. The issuer, which SAML calls entity ID, never changes:
    people are known by a name that counts there alone.
    """

    language = models.CharField(max_length=10, choices=Language, default=Language.OPENID)
    name = models.CharField(max_length=40, unique=True)
    issuer = models.CharField(max_length=500, unique=True)
    client_id = models.CharField(max_length=191)  # what SVQ is called there
    encrypted_secret = models.TextField(blank=True, editable=False)
    # Not yet on the sign-in page: only administrators can try it, in their own settings.
    is_hidden = models.BooleanField(default=False, db_default=False)
    makes_accounts = models.BooleanField(default=False)
    connects_by_address = models.BooleanField(default=False)
    domains = models.TextField(blank=True)
    asks_second_factor = models.BooleanField(default=False)
    group_claim = models.CharField(max_length=100, blank=True, default="groups")
    administrators = models.CharField(max_length=200, blank=True)
    # Of SAML alone. The metadata is what was pasted, or found at its address the last time.
    metadata_address = models.CharField(max_length=500, blank=True)
    metadata = models.TextField(blank=True, editable=False)
    subject_attribute = models.CharField(max_length=200, blank=True)
    address_attribute = models.CharField(max_length=200, blank=True)
    name_attribute = models.CharField(max_length=200, blank=True)
    takes_unasked = models.BooleanField(default=False)
    # Of the key that signs what SVQ sends there, which is the secret. Empty: nothing is signed.
    own_certificate = models.TextField(blank=True, editable=False)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def key(self) -> str:
        """What allauth calls it. A number is never given a second time."""
        return f"{self.language}-{self.pk}"

    def takes(self, address: str) -> bool:
        """Whether it may speak for people with such an address."""
        return addresses.is_of_domains(address, self.domains)


class GivenAdministrator(models.Model):
    """Somebody who is an administrator because a provider says so: what it gave, it can take away."""

    person = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    provider = models.ForeignKey(IdentityProvider, models.CASCADE, related_name="+")

    def __str__(self) -> str:
        return f"{self.person} by {self.provider}"
