"""How a datasource answers, on its settings page: the form, the section and what saves it."""

from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from chat.models import LIMITS, AnswerSettings
from chat.services import change_answer_settings
from datasources.models import Datasource, Role
from datasources.models_in_use import ModelInUse
from datasources.pages import HtmxRequest, datasource_for, page_of_datasource, posted_from
from datasources.settings_page import SettingsSection
from datasources.views import settings_page
from providers.roles import ModelRole, endpoint

ANSWERS = page_of_datasource("datasource_settings", "#answers")
HINTS = {
    "rephrase": "“And in 2022?” is searched as a whole question.",
    "classify": "A comparison becomes a table, a list is counted; greetings are not searched for.",
    "rerank": "The model reads the best passages of all searches, not those of the last one.",
    "compress": "No sentence is changed, so every quote is still found on its page.",
    "correct": "Once, in other words, before the answer says that something is missing.",
    "judge": "In one call an answer: it may confirm what code has nothing against, and take green back.",
    "strict": "An answer with an invented or contradicted claim is withheld; the closest passages are shown.",
    "remember": "While documents, models and settings are the same. It is labelled; you may ask for another.",
}


def _number(name: str) -> forms.IntegerField:
    low, high = LIMITS[name]
    widget = forms.NumberInput(attrs={"class": "input w-sm", "inputmode": "numeric"})
    return forms.IntegerField(min_value=low, max_value=high, widget=widget)


class AnswerSettingsForm(forms.ModelForm):
    passages = _number("passages")
    context_tokens = _number("context_tokens")
    seconds = _number("seconds")
    tokens = _number("tokens")
    money = forms.FloatField(
        min_value=LIMITS["money"][0],
        max_value=LIMITS["money"][1],
        widget=forms.NumberInput(attrs={"class": "input w-sm", "inputmode": "decimal", "step": "any"}),
    )

    class Meta:
        model = AnswerSettings
        fields = (
            *HINTS, "personal_data", "passages", "context_tokens", "seconds", "tokens", "money",
        )  # fmt: skip
        labels: ClassVar = {
            "passages": "Passages",
            "context_tokens": "Tokens of passages",
            "seconds": "Seconds",
            "tokens": "Tokens in all",
            "money": "Money in all",
        }
        widgets: ClassVar = {
            **{name: forms.CheckboxInput(attrs={"class": "check"}) for name in HINTS},
            "personal_data": forms.Select(attrs={"class": "select"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, label in self.Meta.labels.items():
            self.fields[name].label = label

    @property
    def switches(self) -> list[tuple[forms.BoundField, str]]:
        """Each stage that can be left out, and what it does."""
        return [(self[name], hint) for name, hint in HINTS.items()]


class AnswersOnSettingsPage(SettingsSection):
    template = "chat/_answer_settings.html"

    def context(self, datasource: Datasource) -> dict[str, Any]:
        chosen = AnswerSettings.objects.of(datasource)
        form = AnswerSettingsForm(instance=chosen, auto_id="answers_%s")
        return {"answer_settings": chosen, "answers_form": form}

    def models_in_use(self, datasource: Datasource) -> list[ModelInUse]:
        return [*_reranker(), *_judge(datasource), *_entailment()]


def _reranker() -> list[ModelInUse]:
    """The server that ranks passages, where there is one."""
    server = endpoint(None, ModelRole.RERANK)
    if server is None:
        return []
    does = "Ranks the passages of a question"
    return [ModelInUse(role=ModelRole.RERANK, job="Reranking", does=does, name=server.model, server=server)]


def _entailment() -> list[ModelInUse]:
    """The installed model that reads claims, where one is in use."""
    model = endpoint(None, ModelRole.ENTAILMENT)
    if model is None:
        return []
    does = "Reads claims that are found supported"
    return [
        ModelInUse(role=ModelRole.ENTAILMENT, job="Entailment", does=does, name=model.model, server=model)
    ]


def _judge(datasource: Datasource) -> list[ModelInUse]:
    """Where it is not the model for answers."""
    server = endpoint(datasource, ModelRole.JUDGE)
    if server is None or server == endpoint(datasource, ModelRole.AGENT):
        return []
    does = "Compares claims with their quotes"
    return [ModelInUse(role=ModelRole.JUDGE, job="Judge", does=does, name=server.model, server=server)]


@login_required
@posted_from(ANSWERS)
def answer_settings(request: HtmxRequest, pk: int) -> HttpResponse:
    """Only the owner changes how a datasource answers."""
    datasource = datasource_for(request, pk, Role.OWNER)
    form = AnswerSettingsForm(
        request.POST, instance=AnswerSettings.objects.of(datasource), auto_id="answers_%s"
    )
    if not form.is_valid():
        return settings_page(request, datasource, answers_form=form)
    change_answer_settings(datasource, **form.cleaned_data)
    messages.success(request, "Settings saved.")
    return redirect(f"{reverse('datasource_settings', args=[pk])}#answers")
