"""Removes from a server's words what only administrators may know: addresses, machines, paths, keys."""

import re
from collections.abc import Collection

from text.word_lists import FUNCTION_WORDS, words

HIDDEN = "…"
# A key or the name of a machine can look like any word, so only words that explain a failure are told.
_EXPLAINING = words(
    """above accept accepted active allowed already amount answer argument arguments array available avoid
away bad balance below broke broken busy call called calls can't cannot capacity change channel chat
check choice chunk chunks closed cluster completed completion completions connection contains
content context corrupt couldn't count current currently delta deprecated didn't disabled doesn't
don't down due embedding embeddings empty enabled encoding end ended engine error errors exceed
exceeded exceeds exist exists expected extra fail failed failing fails failure field fields filter
finished fit flight forbidden format full function functions generate generation gpu gpus greater
group hour however id image images including incompatible incorrect input inputs instead
insufficient integer internal invalid isn't item items json kind large larger least length less
level limit limited limits list load loaded loading long longer lower maintenance malformed many
match max maximum memory message messages method minimum minute missing model models must name need
needs new next none null number object occurred offline only option options output overload
overloaded parallel parameter parameters parse part permission policy positive possible process
processing produce prompt property provided quota ran range rate reach reached read reason receive
received reduce reduced refused reject rejected remaining replica replicas request requested
requests required requires response responses result resulted resulting retry role running schema
second seconds see send sent serve service session set shorter shut shutdown size slow small start
started starting status still stop stopped stream streaming strict string structured subset support
supported supports system temperature temporarily text time timed timeout token tokens too tool
tools total traffic try type types unable unavailable unexpected unexpectedly unknown unprocessable
unsupported upgrade usage use used user valid value values vector vectors wait waiting wasn't while
won't worker workers write writing wrong zero"""
)
_EDGES = "\"'“”‘’«»`()[]{}<>.,;:!?"
_NUMBER = re.compile(r"\d{1,7}(?:,\d{3})*(?:\.\d{1,2})?%?")


def public_words(text: str, known: Collection[str] = ()) -> str:
    """The text in one line, with “…” for all but numbers, ordinary words and what is `known` anyway."""
    told = [token if _is_public(token.strip(_EDGES), known) else HIDDEN for token in text.split()]
    return re.sub(rf"{HIDDEN}(?: {HIDDEN})+", HIDDEN, " ".join(told))


def _is_public(word: str, known: Collection[str]) -> bool:
    plain = word.lower().replace("’", "'")
    return (
        not word
        or word in known
        or plain in _EXPLAINING
        or plain in FUNCTION_WORDS
        or _NUMBER.fullmatch(word) is not None
    )


def shortened(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}..."
