"""The model servers that were connected in the browser."""

from django.db import models

from providers.connections.catalogue import PROVIDERS


class Connection(models.Model):
    """Which server plays a role for the whole of this SVQ. The environment, where it names one, wins."""

    role = models.CharField(max_length=20, primary_key=True)
    provider = models.CharField(max_length=20)
    address = models.URLField(max_length=500, help_text="Often ends in /v1.")
    encrypted_key = models.TextField(blank=True, editable=False)
    model = models.CharField(max_length=200)
    price_input = models.DecimalField(max_digits=10, decimal_places=4, default=0)
    price_output = models.DecimalField(max_digits=10, decimal_places=4, default=0)
    timeout = models.PositiveIntegerField(default=120, help_text="Seconds between two pieces of an answer.")
    connected = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.model} for {self.role}"

    @property
    def place(self) -> str:
        return PROVIDERS[self.provider].name if self.provider in PROVIDERS else self.provider
