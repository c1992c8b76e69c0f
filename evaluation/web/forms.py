"""The forms of question sets, questions and runs. Rules are the services'; fields only ask."""

from django import forms

from evaluation.models import Kind
from evaluation.runs.services import MOST_TOKENS

COUNT = forms.NumberInput(attrs={"class": "input", "min": 0, "max": 400})
VARIANTS = (
    ("", "Agent, as people ask", "The datasource’s model and settings, up to five rounds of searching."),
    ("fast", "Fast", "At most two rounds of searching."),
    ("graph=off", "Agent without the graph", "The agent has no graph tools."),
    (
        "fusion=rrf",
        "Reciprocal rank",
        "The results of the searches are combined by rank instead of by score.",
    ),
    ("legs=dense", "Meaning alone", "Only vectors are searched."),
    ("legs=bm25", "Words alone", "Only words are searched."),
    ("near=0.5", "Only near the best", "Passages with less than half of the best one’s score are left out."),
    ("chunking=paragraph", "Cut by paragraph", "Documents are cut into other passages for this run only."),
    ("chunking=recursive:500", "Smaller passages", "Passages of 500 characters at most, for this run only."),
    ("rerank=bge", "Reranked", "Needs a reranking server or an installed model."),
    ("rerank=llm", "Reranked by the language model", "Costs a call for each search."),
    ("keyless", "Without a language model", "Answers are quotes only, even if a model is connected."),
    ("search", "Search alone", "Nothing is answered: the fastest way, and free."),
)


class NewSetForm(forms.Form):
    name = forms.CharField(label="Name", widget=forms.TextInput(attrs={"class": "input"}))
    single = forms.IntegerField(label="Single-source", initial=20, min_value=0, required=False, widget=COUNT)
    multi = forms.IntegerField(label="Multi-source", initial=20, min_value=0, required=False, widget=COUNT)
    none = forms.IntegerField(label="No-source", initial=20, min_value=0, required=False, widget=COUNT)
    by_model = forms.BooleanField(
        label="Have the language model write them",
        required=False,
        widget=forms.CheckboxInput(attrs={"class": "check"}),
    )
    token_budget = forms.IntegerField(
        label="Stop after this many tokens",
        required=False,
        min_value=1,
        max_value=MOST_TOKENS,
        widget=forms.NumberInput(attrs={"class": "input"}),
    )
    file = forms.FileField(
        label="Or import a file",
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
    text = forms.CharField(label="Question", widget=forms.Textarea(attrs={"class": "input area", "rows": 2}))
    kind = forms.ChoiceField(
        label="Where its answer lies", choices=Kind.choices, widget=forms.Select(attrs={"class": "select"})
    )
    reference = forms.CharField(
        label="Expected answer",
        required=False,
        widget=forms.Textarea(attrs={"class": "input area", "rows": 3}),
    )


class ScheduleForm(forms.Form):
    """How a set is run after each upload."""

    variant = forms.ChoiceField(
        label="Way of answering",
        required=False,
        choices=[(value, label) for value, label, _ in VARIANTS],
        widget=forms.Select(attrs={"class": "select"}),
    )
    thresholds = forms.CharField(
        label="Also report what falls below",
        required=False,
        max_length=500,
        widget=forms.TextInput(attrs={"class": "input", "placeholder": "adherence=0.97, none.refused=0.8"}),
    )
    token_budget = forms.IntegerField(
        label="Stop each run after this many tokens",
        required=False,
        min_value=1,
        max_value=MOST_TOKENS,
        widget=forms.NumberInput(attrs={"class": "input"}),
    )
    judged = forms.BooleanField(
        label="Ask the judge model as well",
        required=False,
        widget=forms.CheckboxInput(attrs={"class": "check"}),
    )


class RunForm(forms.Form):
    judged = forms.BooleanField(
        label="Ask the judge model as well",
        required=False,
        widget=forms.CheckboxInput(attrs={"class": "check"}),
    )
    token_budget = forms.IntegerField(
        label="Stop after this many tokens",
        required=False,
        min_value=1,
        max_value=MOST_TOKENS,
        widget=forms.NumberInput(attrs={"class": "input"}),
    )
    money_budget = forms.DecimalField(
        label="Stop after this much money",
        required=False,
        min_value=0,
        max_digits=12,
        decimal_places=6,
        widget=forms.NumberInput(attrs={"class": "input", "step": "any"}),
    )
