"""How a model is to be used, read from its files and from what is known about it."""

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Self

from localization.sentences import worded
from providers.local_models.errors import NotInstalled
from providers.local_models.known import KnownModel, known
from providers.local_models.roles import LocalRole
from text.normal_forms.storable import storable

CONFIG, TOKENIZER = "config.json", "tokenizer.json"
# What else is read where it is there; all of them are small.
OTHERS = (
    "tokenizer_config.json",
    "special_tokens_map.json",
    "modules.json",
    "1_Pooling/config.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
)
LARGEST_JSON = 4 * 1024**2  # bytes; a tokenizer has a limit of its own
LONGEST = 1024  # tokens of a text that are read at most, whatever a model could: a passage has some 250
SHORTEST = 8
LONGEST_LABEL = 60  # characters
POOLINGS = {
    "cls_token": "cls",
    "mean_tokens": "mean",
    "max_tokens": "max",
    "lasttoken": "last",
    "cls": "cls",
    "mean": "mean",
    "max": "max",
}
OFFSET_POSITIONS = ("roberta", "xlm-roberta", "camembert", "mpnet")  # their first positions are not used
BY_MEAN = worded("No file says how to pool, so the mean is used.")
ENTAILS, CONTRADICTS, NEITHER = "entailment", "contradiction", "neutral"
APPLIED = ("Transformer", "Pooling", "Normalize")  # the modules of a sentence model that SVQ knows


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """pooling: how the vectors of the tokens become one: "cls", "mean", "max" or "last"; of embeddings alone.
    max_tokens: of a text, or of a pair of texts. labels: what the outputs mean, in their order; those of a
    model of entailment are found when it is tried, where no file names them.
    whole: the graph has to give the text's vector itself, as SVQ cannot make it of the tokens' vectors.
    kv_bytes: memory for each token that is read at once; of a model that writes.
    notes: what the files did not say.
    """

    max_tokens: int
    pooling: str = ""
    question_prefix: str = ""
    passage_prefix: str = ""
    padding: int = 0
    labels: tuple[str, ...] = ()
    whole: bool = False
    kv_bytes: int = 0
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, told: dict[str, Any]) -> Self:
        return cls(**{**told, "labels": tuple(told["labels"]), "notes": tuple(told["notes"])})


def read(folder: Path, role: LocalRole, name: str) -> Configuration:
    """Read the files in the folder; what is known about a model of that name fills the gaps. Raises
    NotInstalled.
    """
    config, tokenizer = _json(folder, CONFIG), _json(folder, "tokenizer_config.json")
    if config is None:
        raise NotInstalled(
            worded("{file} is missing: this is not a folder of a model as the hub has them.", file=CONFIG)
        )
    if not (folder / TOKENIZER).is_file():
        raise NotInstalled(
            worded(
                "{file} is missing. SVQ needs it to cut texts into tokens; other vocabularies are not read.",
                file=TOKENIZER,
            )
        )
    facts = known(name)
    facts = facts if facts and facts.role == role else None
    sentence = _json(folder, "sentence_bert_config.json") or {}
    made = Configuration(
        max_tokens=_max_tokens(config, tokenizer or {}, sentence, facts),
        padding=_whole_number(config.get("pad_token_id")) or 0,
    )
    if role == LocalRole.EMBEDDINGS:
        return _of_embeddings(made, folder, facts)
    labels = _labels(config) or (facts.labels if facts else ())
    if role == LocalRole.RERANK:
        return replace(made, labels=labels)
    if facts and not {ENTAILS} & set(labels):
        labels = facts.labels
    if labels and ENTAILS not in labels:
        raise NotInstalled(
            worded(
                "{file} names no output “{output}” (it has {labels}): this model does not say whether one "
                "text follows from another.",
                file=CONFIG,
                output=ENTAILS,
                labels=", ".join(labels),
            )
        )
    return replace(made, labels=labels)


def _of_embeddings(made: Configuration, folder: Path, facts: KnownModel | None) -> Configuration:
    prompts = (_json(folder, "config_sentence_transformers.json") or {}).get("prompts")
    prompts = prompts if isinstance(prompts, dict) else {}
    question = _text(prompts, "query", "question") or (facts.question_prefix if facts else "")
    passage = _text(prompts, "passage", "document", "corpus") or (facts.passage_prefix if facts else "")
    pooling = _pooling(folder) or (facts.pooling if facts else "")
    notes = () if pooling else (BY_MEAN,)
    return replace(
        made,
        pooling=pooling or "mean",
        question_prefix=question,
        passage_prefix=passage,
        whole=_has_other_modules(folder),
        notes=notes,
    )


def _pooling(folder: Path) -> str:
    told = _json(folder, "1_Pooling/config.json")
    if told is None:
        return ""
    prefix = "pooling_mode_"
    named = [key.removeprefix(prefix) for key, on in told.items() if key.startswith(prefix) and on is True]
    if not named and isinstance(told.get("pooling_mode"), str):
        named = [told["pooling_mode"]]
    if len(named) != 1 or named[0] not in POOLINGS:
        raise NotInstalled(
            worded(
                "{file} asks for the pooling “{asked}”. SVQ knows {known}.",
                file="1_Pooling/config.json",
                asked=", ".join(named) or "-",
                known=", ".join(sorted(set(POOLINGS.values()))),
            )
        )
    return POOLINGS[named[0]]


def _has_other_modules(folder: Path) -> bool:
    modules = _json(folder, "modules.json", kind=list) or []
    kinds = [str(each.get("type", "")).rpartition(".")[2] for each in modules if isinstance(each, dict)]
    return any(kind not in APPLIED for kind in kinds)


def _max_tokens(
    config: dict[str, Any], tokenizer: dict[str, Any], sentence: dict[str, Any], facts: KnownModel | None
) -> int:
    positions = _whole_number(config.get("max_position_embeddings"))
    if positions and config.get("model_type") in OFFSET_POSITIONS:
        positions -= (_whole_number(config.get("pad_token_id")) or 0) + 1
    told = [
        positions,
        _whole_number(sentence.get("max_seq_length")),
        _whole_number(tokenizer.get("model_max_length")),
        facts.max_tokens if facts else None,
        LONGEST,
    ]
    return max(SHORTEST, min(number for number in told if number is not None and number > 0))


def _labels(config: dict[str, Any]) -> tuple[str, ...]:
    """The names of the outputs, in lower case; none where they are mere numbers."""
    told = config.get("id2label")
    if not isinstance(told, dict) or len(told) > 100:
        return ()
    numbered = {str(key): storable(str(label).strip().lower()[:LONGEST_LABEL]) for key, label in told.items()}
    if set(numbered) != {str(number) for number in range(len(numbered))}:
        return ()
    labels = tuple(numbered[str(number)] for number in range(len(numbered)))
    return () if all(label.startswith("label_") for label in labels) else labels


def _text(told: dict[str, Any], *names: str) -> str:
    texts = (told.get(name) for name in names)
    return next((storable(text[:500]) for text in texts if isinstance(text, str) and text), "")


def _whole_number(value: object) -> int | None:
    """JSON's numbers may be 1e30, which stands for "no end"."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not -1e9 < value < 1e9:
        return None
    return int(value)


def _json(folder: Path, name: str, *, kind: type = dict) -> Any:
    """None where there is no such file. Raises NotInstalled."""
    path = folder / name
    if not path.is_file():
        return None
    if path.stat().st_size > LARGEST_JSON:
        raise NotInstalled(worded("{file} is larger than {n} MB.", file=name, n=LARGEST_JSON // 1024**2))
    try:
        told = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise NotInstalled(worded("{file} is not valid JSON.", file=name)) from error
    if not isinstance(told, kind):
        raise NotInstalled(worded("{file} does not have the structure that such a file has.", file=name))
    return told
