"""What a perturbation is made from, what it gives, and how one is registered."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence of a document, with what stands around it."""

    text: str
    before: str  # the sentence before; may be empty
    following: str  # the sentence after; may be empty
    other: str  # some sentence of the same document, not near
    names: tuple[str, ...]  # of the document, sorted


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A claim and the words cited for it; `context` is the passage in which those stand, if it matters."""

    claim: str
    quote: str
    context: str = ""


Maker = Callable[[Sentence, Random], Pair | None]
Rewriter = Callable[[str, Random], str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A way to make claims. `held_back`: no rule of the check was written or tuned with it in view."""

    name: str
    faithful: bool
    held_back: bool
    make: Maker


KINDS: list[Kind] = []


def kind(name: str, *, faithful: bool = False, held_back: bool = False) -> Callable[[Maker], Maker]:
    """Registers a function from a sentence to a pair, or to None where the sentence gives none."""

    def register(make: Maker) -> Maker:
        KINDS.append(Kind(name=name, faithful=faithful, held_back=held_back, make=make))
        return make

    return register


def rewriting(
    name: str, *, faithful: bool = False, held_back: bool = False
) -> Callable[[Rewriter], Rewriter]:
    """The same for a function that rewrites the sentence, which is then the quote."""

    def register(rewrite: Rewriter) -> Rewriter:
        def make(sentence: Sentence, random: Random) -> Pair | None:
            claim = rewrite(sentence.text, random)
            return Pair(claim=claim, quote=sentence.text) if claim and claim != sentence.text else None

        kind(name, faithful=faithful, held_back=held_back)(make)
        return rewrite

    return register
