"""What the owner of a datasource chooses for its graph: who reads, for which types, what it may cost."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from datasources.models import Datasource
from graph.values.ontology import Ontology, Types, types_in_force


class GraphExtractor(models.TextChoices):
    RULES = "rules", _("Rules, on this machine")
    MODEL = "model", _("The language model")


class GraphSettingsQuerySet(models.QuerySet["GraphSettings"]):
    def of(self, datasource: Datasource) -> "GraphSettings":
        """As they are now; the defaults, not stored, while nobody has chosen anything."""
        return self.filter(datasource=datasource).first() or GraphSettings(datasource=datasource)

    def locked(self, datasource: Datasource) -> "GraphSettings":
        """To be changed: stored, and nobody else's until the transaction ends."""
        self.get_or_create(datasource=datasource)
        return self.select_for_update().get(datasource=datasource)


class GraphSettings(models.Model):
    """One row a datasource, made when something is chosen for the first time."""

    datasource = models.OneToOneField(
        Datasource, models.CASCADE, primary_key=True, related_name="graph_settings"
    )
    extractor = models.CharField(max_length=8, choices=GraphExtractor, default=GraphExtractor.RULES)
    ontology = models.CharField(max_length=12, choices=Ontology, default=Ontology.GENERAL)
    entity_types = ArrayField(
        models.CharField(max_length=40), default=list, blank=True, help_text="Empty: those of the ontology."
    )
    relation_types = ArrayField(
        models.CharField(max_length=40), default=list, blank=True, help_text="Empty: those of the ontology."
    )
    token_budget = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="Tokens that the graph may cost in all."
    )
    money_budget = models.DecimalField(
        max_digits=12, decimal_places=4, null=True, blank=True, help_text="What the graph may cost in all."
    )

    objects = GraphSettingsQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "graph settings"

    def __str__(self) -> str:
        return f"graph settings of {self.datasource}"

    @property
    def types(self) -> Types:
        """Those in force: the datasource's own lists, else those of its preset."""
        return types_in_force(Ontology(self.ontology), self.entity_types, self.relation_types)
