"""The forms of question sets, questions and runs. Rules are the services'; fields only ask."""

from django import forms
from django.utils.translation import gettext_lazy as _

from batches.budget import LEAST_MONEY
from datasources.web.number_fields import AmountField, WholeField
from desks.evaluation.models import Kind
from desks.evaluation.runs.services import MOST_TOKENS

COUNT = forms.NumberInput(attrs={"class": "input", "min": 0, "max": 400})
VARIANTS = (
    (
        "",
        _("Agent, as people ask"),
        _("The datasource’s model and settings, up to five rounds of searching."),
    ),
    ("fast", _("Fast"), _("At most two rounds of searching.")),
    ("graph=off", _("Agent without the graph"), _("The agent has no graph tools.")),
    (
        "fusion=rrf",
        _("Reciprocal rank"),
        _("The results of the searches are combined by rank instead of by score."),
    ),
    ("legs=dense", _("Meaning alone"), _("Only vectors are searched.")),
    ("legs=bm25", _("Words alone"), _("Only words are searched.")),
    (
        "near=0.5",
        _("Only near the best"),
        _("Passages with less than half of the best one’s score are left out."),
    ),
    (
        "chunking=paragraph",
        _("Cut by paragraph"),
        _("Documents are cut into other passages for this run only."),
    ),
    (
        "chunking=recursive:500",
        _("Smaller passages"),
        _("Passages of 500 characters at most, for this run only."),
    ),
    ("rerank=bge", _("Reranked"), _("Needs a reranking server or an installed model.")),
    ("rerank=llm", _("Reranked by the language model"), _("Costs a call for each search.")),
    ("keyless", _("Without a language model"), _("Answers are quotes only, even if a model is connected.")),
    ("search", _("Search alone"), _("Nothing is answered: the fastest way, and free.")),
)


class NewSetForm(forms.Form):
    name = forms.CharField(label=_("Name"), widget=forms.TextInput(attrs={"class": "input"}))
    single = forms.IntegerField(
        label=_("Single-source"), initial=20, min_value=0, required=False, widget=COUNT
    )
    multi = forms.IntegerField(label=_("Multi-source"), initial=20, min_value=0, required=False, widget=COUNT)
    none = forms.IntegerField(label=_("No-source"), initial=20, min_value=0, required=False, widget=COUNT)
    by_model = forms.BooleanField(
        label=_("Have the language model write them"),
        required=False,
        widget=forms.CheckboxInput(attrs={"class": "check"}),
    )
    token_budget = WholeField(
        label=_("Stop after this many tokens"),
        required=False,
        min_value=1,
        max_value=MOST_TOKENS,
        widget=forms.NumberInput(attrs={"class": "input"}),
    )
    file = forms.FileField(
        label=_("Or import a file"),
        required=False,
        widget=forms.FileInput(attrs={"class": "input", "accept": ".jsonl,.csv,.tsv,.zip"}),
    )

    @property
    def counts(self) -> dict[str, int]:
        return {kind: self.cleaned_data.get(kind) or 0 for kind in Kind.values}


class MoreForm(NewSetForm):
    """More questions for a set that is there."""

    name = None  # type: ignore[assignment]


class QuestionForm(forms.Form):
    text = forms.CharField(
        label=_("Question"), widget=forms.Textarea(attrs={"class": "input area", "rows": 2})
    )
    kind = forms.ChoiceField(
        label=_("Where its answer lies"), choices=Kind.choices, widget=forms.Select(attrs={"class": "select"})
    )
    reference = forms.CharField(
        label=_("Expected answer"),
        required=False,
        widget=forms.Textarea(attrs={"class": "input area", "rows": 3}),
    )


class ScheduleForm(forms.Form):
    """How a set is run after each upload."""

    variant = forms.ChoiceField(
        label=_("Way of answering"),
        required=False,
        choices=[(value, label) for value, label, _ in VARIANTS],
        widget=forms.Select(attrs={"class": "select"}),
    )
    thresholds = forms.CharField(
        label=_("Also report what falls below"),
        required=False,
        max_length=500,
        widget=forms.TextInput(attrs={"class": "input", "placeholder": "adherence=0.97, none.refused=0.8"}),
    )
    token_budget = WholeField(
        label=_("Stop each run after this many tokens"),
        required=False,
        min_value=1,
        max_value=MOST_TOKENS,
        widget=forms.NumberInput(attrs={"class": "input"}),
    )
    judged = forms.BooleanField(
        label=_("Ask the judge model as well"),
        required=False,
        widget=forms.CheckboxInput(attrs={"class": "check"}),
    )


class RunForm(forms.Form):
    judged = forms.BooleanField(
        label=_("Ask the judge model as well"),
        required=False,
        widget=forms.CheckboxInput(attrs={"class": "check"}),
    )
    token_budget = WholeField(
        label=_("Stop after this many tokens"),
        required=False,
        min_value=1,
        max_value=MOST_TOKENS,
        widget=forms.NumberInput(attrs={"class": "input"}),
    )
    money_budget = AmountField(
        label=_("Stop after this much money"),
        required=False,
        min_value=LEAST_MONEY,
        max_digits=12,
        decimal_places=6,
        widget=forms.NumberInput(attrs={"class": "input", "step": "any"}),
    )
