"""The roles of installed models, and valid names for models and files."""

import re
from enum import StrEnum

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}(/[A-Za-z0-9][A-Za-z0-9._-]{0,95})?")
LONGEST_NAME = 190  # characters: with the hash it is a name of vectors, which has 200
PATH = re.compile(r"\w[\w.+ -]*(/\w[\w.+ -]*)*", re.ASCII)  # no part is hidden, none leads upwards
LONGEST_PATH = 300
IDENTITY = re.compile(rf"{NAME.pattern}@[0-9a-f]{{8}}")


class LocalRole(StrEnum):
    """What a model is installed for."""

    EMBEDDINGS = "embeddings"  # texts to vectors
    RERANK = "rerank"  # how well a passage answers a question
    ENTAILMENT = "entailment"  # whether a claim follows from a quote
    CHAT = "chat"  # writes: answers, readings for the graph, judgements

    @property
    def plays(self) -> tuple[str, ...]:
        """The values of `providers.roles.ModelRole` that it may have; the first is what it gets as a rule."""
        return ("agent", "extraction", "judge") if self == LocalRole.CHAT else (self.value,)


def is_name(text: str) -> bool:
    """Whether it is a name such as "BAAI/bge-small-en-v1.5": fit for a folder, in whose name "--" stands for
    the slash, and for an address.
    """
    return bool(NAME.fullmatch(text)) and len(text) <= LONGEST_NAME and ".." not in text and "--" not in text


def is_identity(text: str) -> bool:
    """Whether it is the name of a model with the hash of its files: "BAAI/bge-small-en-v1.5@0123abcd"."""
    return bool(IDENTITY.fullmatch(text)) and is_name(text.rpartition("@")[0])


def is_path(text: str) -> bool:
    """Whether a file of that name lies in the folder of its model, wherever that is."""
    return len(text) <= LONGEST_PATH and bool(PATH.fullmatch(text))
