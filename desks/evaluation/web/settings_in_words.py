"""The settings of a run in words, as its pages and its report list them."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.models import AnswerSettings
from desks.evaluation.models import Run

LABELS = {
    "model": gettext_lazy("Model"),
    "embedder": gettext_lazy("Embeddings"),
    "judge": gettext_lazy("Judge"),
    "mode": gettext_lazy("Mode"),
    "answers": gettext_lazy("Answers"),
    "quotes_only": gettext_lazy("Quotes only"),
    "graph": gettext_lazy("Graph"),
    "legs": gettext_lazy("Legs"),
    "fusion": gettext_lazy("Fusion"),
    "alpha": gettext_lazy("Weight of meaning"),
    "near": gettext_lazy("Near the best"),
    "rerank": gettext_lazy("Reranking"),
    "chunking": gettext_lazy("Chunking"),
    "documents": gettext_lazy("Documents"),
    "chunks": gettext_lazy("Passages"),
    "prices": gettext_lazy("Prices"),
    "judge_prices": gettext_lazy("Prices of the judge"),
}
# What may explain why two runs differ.
COMPARED = (
    "model",
    "embedder",
    "graph",
    "mode",
    "answers",
    "legs",
    "fusion",
    "near",
    "rerank",
    "chunking",
    "documents",
    "chunks",
)


def settings_of(run: Run) -> list[tuple[str, str]]:
    """Name and value of each."""
    told = {name: value for name, value in run.frozen.items() if name != "stages"}
    rows = [(str(LABELS.get(name, name)), in_words(value)) for name, value in told.items()]
    for name, value in run.frozen.get("stages", {}).items():
        label = getattr(AnswerSettings._meta.get_field(name), "verbose_name", name)
        rows.append((_(str(label)), in_words(value)))
    return rows


def changed(now: Run, before: Run) -> list[str]:
    """A sentence for each setting that may explain a difference."""
    return [
        _("{setting}: {value} in {run}, {other_value} in {other_run}.").format(
            setting=LABELS[name],
            value=_value(now, name),
            run=now,
            other_value=_value(before, name),
            other_run=before,
        )
        for name in COMPARED
        if now.frozen.get(name) != before.frozen.get(name)
    ]


def _value(run: Run, name: str) -> str:
    if name == "model" and run.frozen.get("quotes_only"):
        return _("none")  # what copies quotes has a name, too, and is no language model
    return in_words(run.frozen.get(name))


def in_words(value: Any) -> str:
    if isinstance(value, bool):
        return _("on") if value else _("off")
    if isinstance(value, dict):
        return ", ".join(f"{name} {each}" for name, each in value.items())
    if isinstance(value, list):
        return " + ".join(map(str, value)) or _("none")
    return _("none") if value in (None, "") else str(value)
