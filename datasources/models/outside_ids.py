"""What other programs call a document, kept in its metadata: they ask for it by that, too."""

from collections.abc import Mapping
from typing import Any

EXTERNAL_ID = "externalId"  # a text: the program's own id of the document
SUBJECT_ID = "subjectId"  # what the program has it filed under
LONGEST_ID = 200  # characters


def also(metadata: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata with more of it: of ids and subjects both stay, of everything else the new value."""
    both = {**metadata, **more}
    for name in (EXTERNAL_ID, SUBJECT_ID):
        values = [each for one in (metadata, more) if name in one for each in _listed(one[name])]
        if len(once := list(dict.fromkeys(values))) > 1:
            both[name] = once
    return both


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
