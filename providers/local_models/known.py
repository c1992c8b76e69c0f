"""Well-known models for these roles, with what the files of some of them leave out."""

from dataclasses import dataclass
from types import MappingProxyType

from django.utils.translation import gettext_lazy

from localization.promises import StrOrPromise
from providers.gguf import memory
from providers.local_models.roles import LocalRole


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownModel:
    """`repository`: on the hub. `parameters`: in millions; a file has four bytes for each, one where it is
    quantised. `size`: bytes of a language model's file, as published. The rest is as in
    `configuration.Configuration`, and stands in for what the files do not say.
    """

    repository: str
    role: LocalRole
    about: StrOrPromise
    licence: str
    parameters: int
    max_tokens: int = 512
    pooling: str = ""
    question_prefix: str = ""
    passage_prefix: str = ""
    labels: tuple[str, ...] = ()
    reads: str = ""  # how a pair is given to it, in their order
    figures: str = ""  # as its authors have published them
    has_onnx: bool = True  # whether its page has a graph that can be installed
    size: int = 0

    @property
    def name(self) -> str:
        return self.repository.rpartition("/")[2]

    @property
    def memory(self) -> int:
        """Bytes that a language model takes, roughly: its file tells more exactly, once it is here."""
        return memory.roughly(self.size) if self.size else 0


PREMISE, DOCUMENT = "premise, then hypothesis", "document, then claim"
NLI_LABELS = ("contradiction", "entailment", "neutral")
_MODELS = (
    KnownModel(
        repository="BAAI/bge-small-en-v1.5",
        role=LocalRole.EMBEDDINGS,
        about=gettext_lazy("English, 384 dimensions"),
        licence="MIT",
        parameters=33,
        pooling="cls",
        question_prefix="Represent this sentence for searching relevant passages: ",
    ),
    KnownModel(
        repository="intfloat/multilingual-e5-small",
        role=LocalRole.EMBEDDINGS,
        about=gettext_lazy("About a hundred languages, 384 dimensions"),
        licence="MIT",
        parameters=118,
        pooling="mean",
        question_prefix="query: ",
        passage_prefix="passage: ",
    ),
    KnownModel(
        repository="nomic-ai/nomic-embed-text-v1.5",
        role=LocalRole.EMBEDDINGS,
        about=gettext_lazy("English, 768 dimensions, long texts"),
        licence="Apache-2.0",
        parameters=137,
        max_tokens=8192,
        pooling="mean",
        question_prefix="search_query: ",
        passage_prefix="search_document: ",
    ),
    KnownModel(
        repository="cross-encoder/ms-marco-MiniLM-L6-v2",
        role=LocalRole.RERANK,
        about=gettext_lazy("English, small and quick"),
        licence="Apache-2.0",
        parameters=23,
    ),
    KnownModel(
        repository="BAAI/bge-reranker-base",
        role=LocalRole.RERANK,
        about=gettext_lazy("English and Chinese"),
        licence="MIT",
        parameters=278,
    ),
    KnownModel(
        repository="cross-encoder/nli-deberta-v3-small",
        role=LocalRole.ENTAILMENT,
        about=gettext_lazy("English"),
        licence="Apache-2.0",
        parameters=142,
        labels=NLI_LABELS,
        reads=PREMISE,
    ),
    KnownModel(
        repository="cross-encoder/nli-deberta-v3-base",
        role=LocalRole.ENTAILMENT,
        about=gettext_lazy("English, more exact and slower"),
        licence="Apache-2.0",
        parameters=184,
        labels=NLI_LABELS,
        reads=PREMISE,
        figures="SNLI 92.4 %, MNLI mismatched 90.0 % (accuracy)",
    ),
    KnownModel(
        repository="MoritzLaurer/mDeBERTa-v3-base-mnli-xnli",
        role=LocalRole.ENTAILMENT,
        about=gettext_lazy("About a hundred languages"),
        licence="MIT",
        parameters=279,
        labels=("entailment", "neutral", "contradiction"),
        reads=PREMISE,
        has_onnx=False,
    ),
    KnownModel(
        repository="lytang/MiniCheck-RoBERTa-Large",
        role=LocalRole.ENTAILMENT,
        about=gettext_lazy("English, made for claims of language models"),
        licence="MIT",
        parameters=355,
        labels=("not_entailment", "entailment"),
        reads=DOCUMENT,
        has_onnx=False,
    ),
    KnownModel(
        repository="lytang/MiniCheck-DeBERTa-v3-Large",
        role=LocalRole.ENTAILMENT,
        about=gettext_lazy("English, made for claims of language models"),
        licence="MIT",
        parameters=435,
        labels=("not_entailment", "entailment"),
        reads=DOCUMENT,
        has_onnx=False,
    ),
    KnownModel(
        repository="Pranshurs/groundcheck-modernbert",
        role=LocalRole.ENTAILMENT,
        about=gettext_lazy("English, small; long texts"),
        licence="",
        parameters=150,
        max_tokens=1024,
        labels=("entailment", "not_entailment"),
        reads="source, then answer",
        figures="RAGTruth .68 F1 of what is not supported, .75 accuracy; VitaminC .85 accuracy",
        has_onnx=False,
    ),
)
# Files with 4 bits for a weight (Q4_K_M), with the sizes and licences that their pages publish. All are
# published with at least as many tokens as SVQ has a model read at once.
_LANGUAGE_MODELS = (
    KnownModel(
        repository="bartowski/Llama-3.2-1B-Instruct-GGUF",
        role=LocalRole.CHAT,
        about=gettext_lazy("The smallest here"),
        licence="Llama 3.2 Community License",
        parameters=1_240,
        max_tokens=16_384,
        size=810_000_000,
    ),
    KnownModel(
        repository="Qwen/Qwen2.5-1.5B-Instruct-GGUF",
        role=LocalRole.CHAT,
        about=gettext_lazy("For a computer with two processors"),
        licence="Apache-2.0",
        parameters=1_540,
        max_tokens=16_384,
        size=1_117_320_736,
    ),
    KnownModel(
        repository="bartowski/HuggingFaceTB_SmolLM3-3B-GGUF",
        role=LocalRole.CHAT,
        about=gettext_lazy("Six European languages"),
        licence="Apache-2.0",
        parameters=3_080,
        max_tokens=16_384,
        size=1_920_000_000,
    ),
    KnownModel(
        repository="bartowski/google_gemma-3-4b-it-GGUF",
        role=LocalRole.CHAT,
        about=gettext_lazy("Many languages"),
        licence="Gemma Terms of Use",
        parameters=3_880,
        max_tokens=16_384,
        size=2_490_000_000,
    ),
    KnownModel(
        repository="bartowski/Qwen_Qwen3-4B-GGUF",
        role=LocalRole.CHAT,
        about=gettext_lazy("Many languages"),
        licence="Apache-2.0",
        parameters=4_020,
        max_tokens=16_384,
        size=2_500_000_000,
    ),
    KnownModel(
        repository="bartowski/phi-4-GGUF",
        role=LocalRole.CHAT,
        about=gettext_lazy("Large: for many processors"),
        licence="MIT",
        parameters=14_700,
        max_tokens=16_384,
        size=9_050_000_000,
    ),
)
KNOWN = MappingProxyType({model.name.lower(): model for model in (*_LANGUAGE_MODELS, *_MODELS)})


def known(name: str) -> KnownModel | None:
    """By the last part of a name: copies of a model are often kept by other people under the same one."""
    return KNOWN.get(name.rpartition("/")[2].lower())


def repository_of(name: str) -> str:
    """The whole name of a model that is called by its last part."""
    model = known(name)
    return model.repository if model and "/" not in name else name
