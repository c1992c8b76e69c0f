"""How a datasource answers: which stages, within which limits."""

from dataclasses import fields

from django.db import models
from django.utils.translation import gettext_lazy as _

from answering.values.personal_data import PersonalData
from answering.values.settings import Settings
from datasources.models import Datasource

# The least and the most of each number that can be set.
LIMITS = {
    "passages": (3, 25),
    "context_tokens": (500, 200_000),
    "seconds": (10, 3600),
    "tokens": (0, 10_000_000),
    "money": (0, 1_000_000),
}


class AnswerSettingsManager(models.Manager["AnswerSettings"]):
    def of(self, datasource: Datasource) -> "AnswerSettings":
        """The settings of a datasource; those of a new one where nobody has changed them."""
        return self.filter(datasource=datasource).first() or AnswerSettings(datasource=datasource)


class AnswerSettings(models.Model):
    """How questions of one datasource are answered: which stages, within which limits."""

    datasource = models.OneToOneField(
        Datasource, models.CASCADE, primary_key=True, related_name="answer_settings"
    )
    rephrase = models.BooleanField(_("Rephrase follow-up questions"), default=True)
    classify = models.BooleanField(_("Recognise the type of question"), default=True)
    rerank = models.BooleanField(_("Rank all passages together"), default=True)
    read_whole = models.BooleanField(_("Read whole documents for summaries and lists"), default=True)
    compress = models.BooleanField(_("Shorten long passages by whole sentences"), default=True)
    correct = models.BooleanField(_("Search again when the passages are not enough"), default=True)
    judge = models.BooleanField(_("Ask a judge model about each claim"), default=True)
    strict = models.BooleanField(_("Strict: show no answer that has an unproven claim"), default=False)
    remember = models.BooleanField(_("Give the same answer again while nothing has changed"), default=True)
    personal_data = models.CharField(
        _("Personal data and keys"), max_length=4, choices=PersonalData, default=PersonalData.OFF
    )
    passages = models.PositiveSmallIntegerField("Passages", default=15)
    context_tokens = models.PositiveIntegerField("Tokens of passages", default=4000)
    seconds = models.PositiveIntegerField("Seconds", default=120)
    tokens = models.PositiveIntegerField("Tokens in all", default=0, help_text="0 is no limit.")
    money = models.FloatField(
        "Money in all", default=0, help_text="In the currency of the prices; 0 is no limit."
    )

    objects = AnswerSettingsManager()

    class Meta:
        verbose_name_plural = "answer settings"

    def __str__(self) -> str:
        return f"How {self.datasource} answers"

    def as_value(self) -> Settings:
        """For an answer."""
        return Settings(**{each.name: getattr(self, each.name) for each in fields(Settings)})
