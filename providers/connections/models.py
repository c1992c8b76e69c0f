"""The models of servers that were connected in the browser, and which of them plays which role where."""

from urllib.parse import urlsplit

from django.db import models

from providers.connections.catalogue import PROVIDERS
from providers.protocols.dialect import Rung

HERE = "this server"  # in place of a provider: an installed model, which has no address
EVERYWHERE = 0  # in place of a datasource's number: the whole deployment


class Connection(models.Model):
    """A model of a server, and the key to it. It goes when it plays no role and nobody may choose it."""

    datasource = models.BigIntegerField(
        default=EVERYWHERE, help_text="Whose owner connected it, for it alone; 0: an administrator."
    )
    provider = models.CharField(max_length=20)
    address = models.URLField(
        max_length=500, blank=True, help_text="Often ends in /v1; empty for an installed model."
    )
    encrypted_key = models.TextField(blank=True, editable=False)
    model = models.CharField(max_length=200)
    price_input = models.DecimalField(max_digits=10, decimal_places=4, default=0)
    price_output = models.DecimalField(max_digits=10, decimal_places=4, default=0)
    timeout = models.PositiveIntegerField(default=60, help_text="Seconds for a whole answer.")
    offered = models.BooleanField(
        default=False, help_text="Owners may choose it for a datasource, and people for a question."
    )
    connected = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["datasource", "address", "model"], name="one_connection_to_a_model"
            )
        ]

    def __str__(self) -> str:
        return f"{self.model} at {self.place}"

    @property
    def host(self) -> str:
        return urlsplit(self.address).hostname or ""

    @property
    def place(self) -> str:
        return PROVIDERS[self.provider].name if self.provider in PROVIDERS else self.provider


class OwnersMay(models.Model):
    """What administrators allow the owners of datasources; one row at most."""

    connect = models.BooleanField("Owners may connect a server for their datasource", default=False)
    private_addresses = models.BooleanField("Also one on this server or in a private network", default=False)

    private_webhooks = models.BooleanField("Webhooks may reach private networks", default=False)
    private_connectors = models.BooleanField("Connected folders may lie in private networks", default=False)

    class Meta:
        verbose_name_plural = "what owners may"

    def __str__(self) -> str:
        return "What owners may"


class Assignment(models.Model):
    """Which model plays a role: for one datasource, or for all that have none of their own.

    The environment, where it names one, wins.
    """

    role = models.CharField(max_length=20)
    datasource = models.BigIntegerField(default=EVERYWHERE, help_text="Its number; 0 is the deployment.")
    connection = models.ForeignKey(Connection, models.CASCADE, related_name="assignments")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["role", "datasource"], name="one_model_a_role")]

    def __str__(self) -> str:
        return f"{self.connection} for {self.role}"


class ModelDialect(models.Model):
    """How a model of a server is spoken to, as its test or an answer has found out: a Dialect."""

    address = models.CharField(max_length=500)
    model = models.CharField(max_length=200)
    rung = models.CharField(max_length=10, default=Rung.FORCED)
    streams = models.BooleanField(default=True)
    reads = models.FloatField(default=0, help_text="Tokens a second; 0: not measured.")
    writes = models.FloatField(default=0, help_text="Tokens a second; 0: not measured.")
    found = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["address", "model"], name="one_dialect_a_model")]

    def __str__(self) -> str:
        return f"{self.model}: {self.rung}"


class ServerPace(models.Model):
    """How fast a model server is asked that was busy, see providers.rate_limiter."""

    server = models.CharField(max_length=64, primary_key=True, help_text="A hash of its address.")
    refused = models.DateTimeField(help_text="When the last burst of refusals began.")
    refusals = models.PositiveIntegerField(help_text="Bursts since its last answer.")
    spacing = models.FloatField(help_text="Seconds between two requests.")
    next = models.DateTimeField(help_text="When the next request may be sent.")

    def __str__(self) -> str:
        return f"a request each {self.spacing:.2f} s"
