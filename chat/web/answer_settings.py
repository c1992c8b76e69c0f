"""How a datasource answers, in its settings: the form, the panel and what saves a field."""

from functools import partial
from typing import Any, ClassVar

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django_htmx.http import reswap, retarget

from answering.values.personal_data import PersonalData
from chat.models import LIMITS, AnswerSettings
from chat.services import change_answer_settings
from datasources.in_use.models import ModelInUse
from datasources.models import Datasource, Role
from datasources.settings.panels import SettingsPanel
from datasources.settings.sections import page_of_section
from datasources.settings.views import section_page
from datasources.web.forms import DatasourceForm
from datasources.web.pages import HtmxRequest, datasource_for, posted_from
from localization.casing import within_a_sentence
from localization.numbers import lazy_numeral, numeral
from providers.roles import ModelRole, endpoint
from settings_pages.refusals import OFFERED, always_says, whole_number
from settings_pages.saving import save_fields
from settings_pages.search import Place, Setting

ANSWERS = page_of_section("answers")
HELP = {
    "rephrase": _(
        "“And in 2022?” is searched as a whole question. Costs a call where a question does not stand alone."
    ),
    "classify": _(
        "A comparison becomes a table, a list is counted; greetings are not searched for. Costs "
        "one call where the words leave it open."
    ),
    "rerank": _(
        "The model reads the best passages of all searches, not those of the last one. Costs no call."
    ),
    "compress": _("No sentence is changed, so every quote is still found on its page. The model reads less."),
    "read_whole": _(
        "Also for comparisons, if at most three documents are meant. A long document costs a call for about "
        "every ten pages."
    ),
    "correct": _(
        "Once, in other words, before the answer says that something is missing. That costs a second round."
    ),
    "judge": _("It may confirm a claim, or find that its quote does not say it. Costs one call an answer."),
    "strict": _(
        "An answer with an invented or contradicted claim is withheld; the closest passages are shown."
    ),
    "remember": _(
        "While documents, models and settings are the same. It is labelled, costs nothing, and "
        "you may ask for another."
    ),
}
MORE_WORDS = {  # that people may type for a field
    "expansion": "query expansion synonyms",
    "rephrase": "follow-up question history",
    "classify": "intent kind of question",
    "rerank": "ranking order relevance",
    "compress": "shorten context",
    "read_whole": "summarise summary list all obligations compare map reduce long document",
    "correct": "retry search again",
    "judge": "verify check hallucination trust",
    "strict": "hallucination withhold refuse",
    "remember": "cache",
    "personal_data": "privacy GDPR mask anonymise redact PII secrets",
    "passages": "top k results sources",
    "context_tokens": "context window length",
    "seconds": "timeout time limit deadline",
    "tokens": "cost budget limit",
    "money": "cost budget price limit",
}
STEPS = ("rephrase", "classify", "rerank", "compress", "read_whole", "correct")
PERSONAL_DATA_HELP = _(
    "E-mail addresses; telephone, account, card and identity numbers; keys and passwords in answers "
    "and quotes. Once you choose to mask them, what was written before is masked within a minute "
    "too, and for good."
)
LIMITS_HELP = {
    "passages": _(
        "How many of the best passages of all searches the model reads. More take longer and cost more."
    ),
    "context_tokens": _(
        "The most that these passages may have together. What is more is shortened or left out."
    ),
    "seconds": _(
        "Of one question. Searching ends early enough for an answer. One that has begun by then "
        "is written to its end."
    ),
    "tokens": _("Of one question, sent and written. A call that could take more is not made. 0: no limit."),
    "money": _(
        "Of one question, where models have prices. A call that could cost more is not made. 0: no limit."
    ),
}


def _number(name: str) -> forms.IntegerField:
    low, high = LIMITS[name]
    widget = forms.NumberInput(attrs={"class": "input w-sm", "inputmode": "numeric"})
    return forms.IntegerField(
        min_value=low, max_value=high, widget=widget, error_messages=whole_number(low, high)
    )


class AnswerSettingsForm(forms.ModelForm):
    passages = _number("passages")
    context_tokens = _number("context_tokens")
    seconds = _number("seconds")
    tokens = _number("tokens")
    money = forms.DecimalField(
        min_value=LIMITS["money"][0],
        max_value=LIMITS["money"][1],
        decimal_places=4,
        widget=forms.TextInput(attrs={"class": "input w-sm", "inputmode": "decimal", "autocomplete": "off"}),
        error_messages=always_says(
            format_lazy(
                _("An amount such as 1.50, up to {most}, with at most four digits after the point."),
                most=lazy_numeral(LIMITS["money"][1]),
            )
        ),
    )

    class Meta:
        model = AnswerSettings
        fields = (
            *HELP,
            "personal_data",
            *LIMITS_HELP,
        )
        labels: ClassVar = {
            "passages": _("Passages"),
            "context_tokens": _("Tokens of passages"),
            "seconds": _("Seconds"),
            "tokens": _("Tokens in all"),
            "money": _("Money in all"),
        }
        widgets: ClassVar = {
            **{name: forms.CheckboxInput(attrs={"class": "switch", "role": "switch"}) for name in HELP},
            "personal_data": forms.Select(attrs={"class": "select"}),
        }
        error_messages: ClassVar = {"personal_data": always_says(OFFERED)}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, label in self.Meta.labels.items():
            self.fields[name].label = label
        for name, help_text in (HELP | LIMITS_HELP).items():
            self.fields[name].help_text = help_text
        for name in ("passages", "context_tokens", "seconds"):
            low, high = LIMITS[name]
            of = gettext("From {low} to {high}.").format(low=numeral(low), high=numeral(high))
            self.fields[name].help_text = f"{self.fields[name].help_text} {of}"
        self.fields["personal_data"].help_text = PERSONAL_DATA_HELP

    @property
    def switches(self) -> list[forms.BoundField]:
        """What people notice of an answer, first."""
        return [self[name] for name in HELP if name not in STEPS]

    @property
    def steps(self) -> list[forms.BoundField]:
        """The stages that hardly anybody leaves out."""
        return [self[name] for name in STEPS]

    @property
    def steps_on(self) -> int:
        return sum(bool(field.value()) for field in self.steps)

    @property
    def in_order(self) -> list[forms.BoundField]:
        return [*self.switches, *self.steps]

    @property
    def limits(self) -> list[forms.BoundField]:
        return [self[name] for name in LIMITS_HELP]


class AnswersPanel(SettingsPanel):
    section, template, anchor = "answers", "chat/_answer_settings.html", "answers"

    def context(self, datasource: Datasource) -> dict[str, Any]:
        chosen = AnswerSettings.objects.of(datasource)
        return {
            "answer_settings": chosen,
            "answers_form": AnswerSettingsForm(instance=chosen, auto_id="answers_%s"),
            "form": DatasourceForm(instance=datasource),
            "language_model_is_set": endpoint(datasource, ModelRole.AGENT) is not None,
        }

    def state(self, datasource: Datasource, role: Role) -> str:
        chosen = AnswerSettings.objects.of(datasource)
        judge = gettext("Claims are checked by fixed rules, not by a model.")
        if chosen.judge and endpoint(datasource, ModelRole.JUDGE):
            judge = gettext("Claims are read by a judge too.")
        elif chosen.judge:
            judge = gettext("No model is connected, so claims are checked by fixed rules.")
        shown = within_a_sentence(chosen.get_personal_data_display())
        data = gettext("Personal data: {what}.").format(what=shown)
        return " ".join([*([gettext("Strict.")] if chosen.strict else []), judge, data])

    def settings(self, datasource: Datasource, place: Place) -> list[Setting]:
        form = AnswerSettingsForm(instance=AnswerSettings.objects.of(datasource))
        return [
            *place.fields(DatasourceForm(instance=datasource), ["expansion"], MORE_WORDS),
            *place.fields(form, form.fields, MORE_WORDS),
        ]

    def models_in_use(self, datasource: Datasource) -> list[ModelInUse]:
        return [*_reranker(), *_judge(datasource), *_entailment()]


def _reranker() -> list[ModelInUse]:
    """The server that ranks passages, where there is one."""
    server = endpoint(None, ModelRole.RERANK)
    if server is None:
        return []
    does = gettext("Ranks the passages of a question")
    return [
        ModelInUse(
            role=ModelRole.RERANK, job=gettext("Reranking"), does=does, name=server.model, server=server
        )
    ]


def _entailment() -> list[ModelInUse]:
    """The installed model that reads claims, where one is in use."""
    model = endpoint(None, ModelRole.ENTAILMENT)
    if model is None:
        return []
    does = gettext("Reads claims that are found supported")
    return [
        ModelInUse(
            role=ModelRole.ENTAILMENT, job=gettext("Entailment"), does=does, name=model.model, server=model
        )
    ]


def _judge(datasource: Datasource) -> list[ModelInUse]:
    """Where it is not the model for answers."""
    server = endpoint(datasource, ModelRole.JUDGE)
    if server is None or server == endpoint(datasource, ModelRole.AGENT):
        return []
    does = gettext("Compares claims with their quotes")
    return [
        ModelInUse(role=ModelRole.JUDGE, job=gettext("Judge"), does=does, name=server.model, server=server)
    ]


@login_required
@posted_from(ANSWERS)
def answer_settings(request: HtmxRequest, pk: int) -> HttpResponse:
    """Only the owner changes how a datasource answers, field by field. What masks for good is asked again."""
    datasource = datasource_for(request, pk, Role.OWNER)
    stored = AnswerSettings.objects.of(datasource)
    if masks_for_good(request, stored):
        question = render(request, "chat/mask.html", {"datasource": datasource, "tab": "settings"})
        return reswap(retarget(question, "#dialog"), "innerHTML") if request.htmx else question
    return save_fields(
        request,
        AnswerSettingsForm(request.POST, instance=stored, auto_id="answers_%s"),
        partial(change_answer_settings, datasource),
        page=lambda refused: section_page(request, datasource, "answers", answers_form=refused),
        back=ANSWERS(pk),
    )


def masks_for_good(request: HtmxRequest, stored: AnswerSettings) -> bool:
    """Whether it would mask what is written already, and nobody has said yet that it shall."""
    asked = "personal_data" in request.POST.getlist("field") and "sure" not in request.POST
    is_mask = request.POST.get("personal_data") == PersonalData.MASK
    return asked and is_mask and stored.personal_data != PersonalData.MASK
