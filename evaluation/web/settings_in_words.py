"""The settings of a run in words, as its pages and its report list them."""

from typing import Any

from chat.models import AnswerSettings
from evaluation.models import Run

LABELS = {
    "model": "Model",
    "embedder": "Embeddings",
    "judge": "Judge",
    "mode": "Mode",
    "answers": "Answers",
    "quotes_only": "Quotes only",
    "graph": "Graph",
    "legs": "Legs",
    "fusion": "Fusion",
    "alpha": "Weight of meaning",
    "near": "Near the best",
    "rerank": "Reranking",
    "chunking": "Chunking",
    "documents": "Documents",
    "chunks": "Passages",
    "prices": "Prices",
    "judge_prices": "Prices of the judge",
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
    rows = [(LABELS.get(name, name), in_words(value)) for name, value in told.items()]
    for name, value in run.frozen.get("stages", {}).items():
        label = getattr(AnswerSettings._meta.get_field(name), "verbose_name", name)
        rows.append((str(label), in_words(value)))
    return rows


def changed(now: Run, before: Run) -> list[str]:
    """A sentence for each setting that may explain a difference."""
    return [
        f"{LABELS[name]}: {_value(now, name)} in {now}, {_value(before, name)} in {before}."
        for name in COMPARED
        if now.frozen.get(name) != before.frozen.get(name)
    ]


def _value(run: Run, name: str) -> str:
    if name == "model" and run.frozen.get("quotes_only"):
        return "none"  # what copies quotes has a name, too, and is no language model
    return in_words(run.frozen.get(name))


def in_words(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, dict):
        return ", ".join(f"{name} {each}" for name, each in value.items())
    if isinstance(value, list):
        return " + ".join(map(str, value)) or "none"
    return "none" if value in (None, "") else str(value)
