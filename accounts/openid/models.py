"""The providers that administrators have set up, and whom one of them has made an administrator."""

from django.conf import settings
from django.db import models

from accounts import addresses


class IdentityProvider(models.Model):
    """A server of a firm that says who somebody is. The address is its issuer, and never changes: people are
    known by a name that counts there alone.
    """

    name = models.CharField(max_length=40, unique=True)
    issuer = models.CharField(max_length=500, unique=True)
    client_id = models.CharField(max_length=191)
    encrypted_secret = models.TextField(blank=True, editable=False)
    makes_accounts = models.BooleanField(default=False)
    connects_by_address = models.BooleanField(default=False)
    domains = models.TextField(blank=True)
    asks_second_factor = models.BooleanField(default=False)
    group_claim = models.CharField(max_length=100, blank=True, default="groups")
    administrators = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def key(self) -> str:
        """What allauth calls it. A number is never given a second time."""
        return f"openid-{self.pk}"

    def takes(self, address: str) -> bool:
        """Whether it may speak for people with such an address."""
        return addresses.is_of_domains(address, self.domains)


class GivenAdministrator(models.Model):
    """Somebody who is an administrator because a provider says so: what it gave, it can take away."""

    person = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    provider = models.ForeignKey(IdentityProvider, models.CASCADE, related_name="+")

    def __str__(self) -> str:
        return f"{self.person} by {self.provider}"
