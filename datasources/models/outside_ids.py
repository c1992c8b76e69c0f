"""What other programs call a document, kept in its metadata: they ask for it by that, too."""

import json
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError

from text.normal_forms.storable import storable

EXTERNAL_ID = "externalId"  # a text, or a list of them: the programs' own ids of the document
SUBJECT_ID = "subjectId"  # what a program has it filed under
LONGEST_ID = 200  # characters
OURS = "svq-"  # before a number that stands for a text: no other program's ids begin so
LARGEST_METADATA = 10_000  # characters as JSON


def ids_in(metadata: Mapping[str, Any]) -> list[str]:
    """The first name first. Older rows may have anything there: what is no text, or begins like SVQ's own, is
    no such id.
    """
    given = metadata.get(EXTERNAL_ID)
    return [each for each in _listed(given) if isinstance(each, str) and not each.startswith(OURS)]


def is_id(text: object) -> bool:
    """Whether a program may call a document that, but for how SVQ's own begin."""
    return isinstance(text, str) and 0 < len(text) <= LONGEST_ID and storable(text) == text


def check_ids(metadata: Mapping[str, Any]) -> None:
    """Raises ValidationError."""
    for each in _listed(metadata.get(EXTERNAL_ID, [])):
        if not is_id(each):
            raise ValidationError(
                f"{EXTERNAL_ID} must be a text of 1 to {LONGEST_ID} characters, or a list of these.",
                code="id_bad",
            )
        if each.startswith(OURS):
            raise ValidationError(
                f"“{each}” cannot be an id of your own: “{OURS}” begins those of SVQ. Choose another one.",
                code="id_taken",
            )


def also(metadata: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata with more of it: of ids and subjects both stay, of everything else the new value. Raises
    ValidationError where that is too much.
    """
    both = {**metadata, **more}
    for name in (EXTERNAL_ID, SUBJECT_ID):
        values = [each for one in (metadata, more) if name in one for each in _listed(one[name])]
        if len(once := list(dict.fromkeys(values))) > 1:
            both[name] = once
    if len(json.dumps(both)) > LARGEST_METADATA:
        raise ValidationError(
            f"The document has as many ids and other metadata as fit, {LARGEST_METADATA:,} characters. "
            "Nothing was changed. Take some away first.",
            code="metadata_large",
        )
    return both


def without_id(metadata: Mapping[str, Any], gone: str) -> dict[str, Any]:
    """The same without one of its ids."""
    left = [each for each in ids_in(metadata) if each != gone]
    rest = {name: value for name, value in metadata.items() if name != EXTERNAL_ID}
    return rest | ({EXTERNAL_ID: left[0] if len(left) == 1 else left} if left else {})


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
