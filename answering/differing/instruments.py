"""Which contract a statement speaks of, and which documents a sentence names by their kind. Pure."""

import re
from collections.abc import Set
from functools import lru_cache

from answering.extractive.named_documents import KINDS
from answering.extractive.words import stem
from english.contracts.kinds import CHANGING, CONTRACTS, SAME_KIND
from english.lexicon import roots

_NAMEABLE = KINDS | {stem(SAME_KIND.get(each, each)) for each in CONTRACTS}
_WORD = re.compile(r"[^\W\d_]+")
_KIND = rf"(?P<kind>{'|'.join(sorted(CONTRACTS | CHANGING))})"
_THIS = re.compile(rf"\bthis\s+(?:(?-i:[A-Z])\w+\s+){{0,3}}?{_KIND}\b", re.IGNORECASE)
_THE = re.compile(rf"\bthe\s+{_KIND}\b", re.IGNORECASE)
_NAMED = re.compile(r"\b[Tt]he\s+(?:[A-Z][\w-]+\s+){0,3}?(?P<kind>[A-Z][a-z]{2,})\b")
KEPT = 1024  # sentences of which this is remembered: each is held against many others


def of_other_contracts(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether the statements, each with its title, speak each of its own contract, and these have nothing to
    do with each other: "This Lease is governed by" and "This Award Agreement is governed by".
    """
    mine, theirs = _own(*one), _own(*other)
    if not mine or not theirs:
        return False
    titled, titled_too = _kinds(one[0]), _kinds(other[0])
    changing = [bool(CHANGING & kinds) for kinds in (mine | titled, theirs | titled_too)]
    if all(changing):
        return False
    if any(changing):
        change, changed = (titled, theirs | titled_too) if changing[0] else (titled_too, mine | titled)
        named = change - CHANGING - {"deed"}
        return bool(named) and named.isdisjoint(changed)
    if mine.isdisjoint(theirs):
        return mine.isdisjoint(titled_too) and theirs.isdisjoint(titled)
    about, about_too = (roots(title) - roots(" ".join(CONTRACTS)) for title, _ in (one, other))
    return all((titled, titled_too, about, about_too)) and about.isdisjoint(about_too)


@lru_cache(KEPT)
def others_named(sentence: str) -> Set[str]:
    """Stems of the kinds of documents that it names beside its own: "If this Deed and the Lease conflict"."""
    own = {stem(found["kind"]) for found in _THIS.finditer(sentence)}
    named = (stem(_same(found["kind"].lower())) for found in _NAMED.finditer(sentence))
    return {kind for kind in named if kind in _NAMEABLE} - own


@lru_cache(KEPT)
def kinds_of(title: str, text: str) -> Set[str]:
    """Stems of the kinds of document that a title names, or that a text calls its own."""
    titled = {stem(_same(word)) for word in _WORD.findall(title.lower())} & _NAMEABLE
    return titled | {stem(_same(found["kind"].lower())) for found in _THIS.finditer(text)}


@lru_cache(KEPT)
def _own(title: str, text: str) -> Set[str]:
    """Of which contract it speaks as its own; that of the title may be "the contract", too."""
    found = {_same(each["kind"].lower()) for each in _THIS.finditer(text)}
    titled = _kinds(title)
    if titled and not titled & CHANGING:
        found |= {_same(each["kind"].lower()) for each in _THE.finditer(text)} & titled
    return found


@lru_cache(KEPT)
def _kinds(title: str) -> Set[str]:
    """Of contracts, and of what changes one."""
    return {_same(word) for word in _WORD.findall(title.lower())} & (CONTRACTS | CHANGING)


def _same(kind: str) -> str:
    return SAME_KIND.get(kind, kind)
