"""Which names mean one thing: pairs that are in doubt, what people decided, what a model thinks."""

from collections.abc import Iterable

from django.contrib.postgres.fields import ArrayField
from django.db import models

from datasources.models import Datasource, Document
from graph.models.graph import EntityName
from graph.sql import statements
from sql import array


class MergeCandidate(models.Model):
    """Two names that may mean one thing: for a person to decide. Derived, like the names."""

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="merge_candidates")
    a = models.ForeignKey(EntityName, models.CASCADE, related_name="+")
    b = models.ForeignKey(EntityName, models.CASCADE, related_name="+")
    score = models.FloatField()

    class Meta:
        ordering = ["-score", "pk"]
        constraints = [models.UniqueConstraint(fields=["a", "b"], name="one_candidate_per_pair")]

    def __str__(self) -> str:
        return f"{self.a} = {self.b}?"


class DecisionKind(models.TextChoices):
    MERGE = "merge", "The same thing"
    APART = "apart", "Two different things"
    SPLIT = "split", "Another thing in this document"
    RENAME = "rename", "Goes by this name"
    RETYPE = "retype", "Is of these types"
    HIDE = "hide", "Is left out"
    DISMISS = "dismiss", "This relation is left out"
    RELATE = "relate", "This relation is of this type"


OF_RELATIONS = (DecisionKind.DISMISS, DecisionKind.RELATE)  # from `key` to `other_key`


class DecisionQuerySet(models.QuerySet["Decision"]):
    def about(self, datasource_id: int, keys: Iterable[str]) -> list["Decision"]:
        """Those that have any of these keys on either side, in the order in which they were made.

        Keys come by the thousand: as one value they take a tenth of the time of as many parameters.
        """
        values = {"datasource": datasource_id, "keys": array(list(keys))}
        return list(self.raw(statements["decisions_about"], values))


class Decision(models.Model):
    """What a person decided about names. It is kept by key, so it holds for later uploads; undo deletes it.

    An alias is a merge with a name that need not have been seen yet.
    """

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="graph_decisions")
    kind = models.CharField(max_length=8, choices=DecisionKind)
    key = models.CharField(max_length=200)
    sense = models.CharField(max_length=40, blank=True)
    other_key = models.CharField(max_length=200, blank=True)
    other_sense = models.CharField(max_length=40, blank=True)
    document = models.ForeignKey(Document, models.CASCADE, null=True, blank=True, related_name="+")
    name = models.CharField(max_length=300, blank=True)
    types = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    decided_by = models.ForeignKey("accounts.User", models.SET_NULL, null=True, related_name="+")
    decided = models.DateTimeField(auto_now_add=True)

    objects = DecisionQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["datasource", "key"], name="decision_key"),
            models.Index(fields=["datasource", "other_key"], name="decision_other_key"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.key} {self.other_key or self.name}".strip()


class Verdict(models.TextChoices):
    SAME = "same", "The same thing"
    DIFFERENT = "different", "Two different things"
    UNSURE = "unsure", "Can't be told"


class PairVerdict(models.Model):
    """A model's answer about two names and what was said of them, known by hash: it quotes nothing.

    It holds while that is what is said of them, and goes with the first document that it was based on.
    """

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    sense = models.CharField(max_length=40, blank=True)
    other_key = models.CharField(max_length=200)
    other_sense = models.CharField(max_length=40, blank=True)
    content = models.CharField(max_length=64, help_text="SHA-256 of the prompt and of what it saw of them.")
    documents = ArrayField(models.BigIntegerField(), help_text="Those that it saw quotes of.")
    model = models.CharField(max_length=200)
    verdict = models.CharField(max_length=9, choices=Verdict)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["datasource", "content", "model"], name="one_verdict_per_question"
            )
        ]
        indexes = [
            models.Index(fields=["datasource", "key"], name="verdict_key"),
            models.Index(fields=["datasource", "other_key"], name="verdict_other_key"),
        ]

    def __str__(self) -> str:
        return f"{self.key} = {self.other_key}? {self.get_verdict_display()}"
