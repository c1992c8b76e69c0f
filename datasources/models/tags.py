"""The tags of a document: by which lists and searches are filtered, kept in its metadata."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.core.exceptions import ValidationError

from formats.base.characters import one_line

TAGS = "tags"  # in the metadata of documents: a list of them, or one
LONGEST = 200  # characters of a tag
MOST = 50  # of a document


def tags_in(metadata: Mapping[str, Any]) -> list[str]:
    """Programs may have put anything there: what is no text is no tag."""
    given = metadata.get(TAGS, [])
    return [tag for tag in (given if isinstance(given, list) else [given]) if isinstance(tag, str) and tag]


def with_tags(metadata: Mapping[str, Any], tags: Iterable[str]) -> dict[str, Any]:
    """The metadata with just these tags; of “site” and “Site” the first stays. Raises ValidationError."""
    by_letters: dict[str, str] = {}
    for tag in tags:
        cleaned = one_line(tag)
        by_letters.setdefault(cleaned.casefold(), cleaned)
    chosen = [tag for tag in by_letters.values() if tag]
    if len(chosen) > MOST:
        raise ValidationError(
            f"These are {len(chosen):,} tags; a document has at most {MOST}. Nothing was changed.",
            code="tags_many",
        )
    if longest := next((tag for tag in chosen if len(tag) > LONGEST), None):
        raise ValidationError(
            f"The tag “{longest[:40]}...” has {len(longest):,} characters; the limit is {LONGEST}. "
            "Nothing was changed.",
            code="tag_long",
        )
    rest = {name: value for name, value in metadata.items() if name != TAGS}
    return rest | ({TAGS: chosen} if chosen else {})


def folder_tag(path: str) -> str:
    """The folders before a file's name in the path of a dropped folder, as a tag; "" without folders."""
    parts = [one_line(part) for part in path.replace("\\", "/").split("/")[:-1]]
    folders = [part for part in parts if part not in ("", ".", "..")]
    while len("/".join(folders)) > LONGEST:  # the nearest folders say most
        folders = folders[1:] or [folders[0][:LONGEST]]
    return "/".join(folders)
