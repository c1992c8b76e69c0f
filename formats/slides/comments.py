"""What people said of slides, as PowerPoint of either age keeps it."""

from collections.abc import Iterator
from typing import Any

from formats.base.annotations import Annotation, AnnotationKind
from formats.base.characters import one_line
from formats.base.errors import ExtractionError
from formats.embedded.parts import Package
from formats.embedded.xml import Element, attribute, children, local, parse

PEOPLE = {"ppt/commentAuthors.xml": "cmAuthor", "ppt/authors.xml": "author"}
COMMENTS = ("cm", "reply")
PARTS = ("ppt/comment", "ppt/authors")  # with which the names of their parts begin, in small letters


def people_of(package: Package) -> dict[str, str]:
    """The names of those who have commented, by their numbers."""
    return {
        attribute(each, "id") or "": attribute(each, "name") or ""
        for part, kind in PEOPLE.items()
        for each in children(package.xml_if_whole(part), kind)
    }


def comments_on(slide: Any, people: dict[str, str]) -> Iterator[Annotation]:
    """Replies follow what they reply to. A part that is damaged has none."""
    for related in slide.part.rels.values():
        if related.is_external or not related.reltype.endswith("/comments"):
            continue
        try:
            root = parse(related.target_part.blob)
        except ExtractionError:
            continue
        for each in root.iter():
            if local(each) in COMMENTS and (said := one_line(" ".join(_words(each)))):
                yield Annotation(
                    kind=AnnotationKind.COMMENT,
                    text=said,
                    author=people.get(attribute(each, "authorId") or "", ""),
                    made=attribute(each, "dt") or attribute(each, "created") or "",
                )


def is_of_comments(part: str) -> bool:
    """Whether it is about them only, so that damage to it harms no slide."""
    return part.endswith(".xml") and part.lower().startswith(PARTS)


def _words(comment: Element) -> Iterator[str]:
    """Without those of its replies."""
    for each in comment:
        if local(each) in ("text", "t"):
            yield each.text or ""
        elif local(each) not in ("replyLst", *COMMENTS):
            yield from _words(each)
