"""Who is named in a document: people and organisations, as each passage writes them."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from answering.extractive.candidates import Candidate
from desks.evaluation.generation.corpus import Source
from graph.models import EntityMention

TOLD = 2  # sentences about a name without a type, as of a person: then it is one
OFTENER = 2  # so many more for each as of a thing
_OF_A_PERSON = re.compile(r"\b(?:he|she|his|her|him|himself|herself)\b")
_OF_A_THING = re.compile(r"\b(?:its|itself)\b")
_LONGEST = 60  # characters

Named = tuple[str, str, Sequence[str]]  # key of a passage, a name as it is written there, and its types


def named_in(source: Source) -> Iterator[Named]:
    """The mentions of the document in the graph; a passage's key is its chunk's number."""
    text_of = {chunk.pk: chunk.text for chunk in source.chunks}
    rows = EntityMention.objects.filter(document=source.document, chunk__in=text_of, live=True)
    for chunk, start, end, types in rows.values_list("chunk", "start", "end", "types"):
        yield str(chunk), text_of[chunk][start:end], types


def names_by_passage(named: Iterable[Named], parts: Sequence[Candidate]) -> dict[str, dict[str, bool]]:
    """By the key of a passage: the names of people and organisations in it, and whether each is a person.

    A name of which the graph has no type is a person's where sentences that begin with it say "his" or "she".
    """
    found: dict[str, dict[str, bool]] = defaultdict(dict)
    unknown: list[tuple[str, str]] = []
    for key, written, types in named:
        name = " ".join(written.split())
        if len(name) > _LONGEST or not name[:1].isupper():
            continue
        if "ORGANIZATION" in types or ("PERSON" in types and "&" not in name):
            found[key][name] = "ORGANIZATION" not in types
        elif list(types) == ["NAME"]:
            unknown.append((key, name))
    people = _people({name for _, name in unknown}, parts)
    for key, name in unknown:
        if name in people:
            found[key].setdefault(name, True)
    return found


def _people(names: Iterable[str], parts: Sequence[Candidate]) -> set[str]:
    by_first: Mapping[str, list[str]] = defaultdict(list)
    for name in names:
        by_first[name.split()[0]].append(name)
    people: Counter[str] = Counter()
    things: Counter[str] = Counter()
    for part in parts:
        for name in by_first.get(part.text.split()[0], ()):
            if part.text.startswith(f"{name} "):
                people[name] += bool(_OF_A_PERSON.search(part.text))
                things[name] += bool(_OF_A_THING.search(part.text))
    return {name for name, count in people.items() if count >= TOLD + OFTENER * things[name]}
