"""Which of the documents found change others: what such a one says is said of the other, too."""

from collections.abc import Sequence
from dataclasses import replace

from answering.extractive.candidates import Passage
from english.contracts.amendments import changed_by_each


def with_what_they_change(passages: Sequence[Passage]) -> list[Passage]:
    """The passages; those of an amendment know the titles of what it amends, by what it says anywhere, and by
    what is known of it already.
    """
    texts: dict[str, list[str]] = {}
    for passage in passages:
        texts.setdefault(passage.document, []).append(passage.text)
    changed = changed_by_each(texts) if len(texts) > 1 else {}
    for passage in passages:
        if passage.changes:
            known = (*passage.changes, *changed.get(passage.document, ()))
            changed[passage.document] = tuple(dict.fromkeys(known))
    return [
        replace(passage, changes=changed[passage.document]) if passage.document in changed else passage
        for passage in passages
    ]
