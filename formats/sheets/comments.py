"""What people said of the cells of a workbook of Excel, by sheet."""

from collections.abc import Iterator
from contextlib import suppress

from formats.base.annotations import Annotation, AnnotationKind
from formats.base.characters import one_line
from formats.base.errors import ExtractionError
from formats.embedded.parts import Package
from formats.embedded.xml import Element, attribute, named, whole_number
from formats.sheets.sheet_parts import sheet_parts, workbook_part

THREADED = "tc="  # begins the name of the author under which Excel repeats a conversation for older versions


def comments_of(package: Package) -> dict[str, list[tuple[int, Annotation]]]:
    """Each with the row of its cell, from 0. Only files of Excel have them where this looks.

    There are none where a part is damaged, or no XML, as in an XLSB.
    """
    found: dict[str, list[tuple[int, Annotation]]] = {}
    with suppress(ExtractionError):
        people = _people(package, workbook_part(package))
        for name, part in sheet_parts(package):
            with suppress(ExtractionError):
                found[name] = _on_sheet(package, part, people)
    return found


def _on_sheet(package: Package, sheet: str, people: dict[str, str]) -> list[tuple[int, Annotation]]:
    said = list(_conversations(package, sheet, people))
    taken = {reference for reference, _ in said}
    said += [each for each in _notes(package, sheet) if each[0] not in taken]
    return sorted(((_row(reference), annotation) for reference, annotation in said), key=lambda each: each[0])


def _conversations(package: Package, sheet: str, people: dict[str, str]) -> Iterator[tuple[str, Annotation]]:
    for target in package.related(sheet, "threadedComment"):
        for each in named(package.xml_if_whole(target), "threadedComment"):
            author = people.get(attribute(each, "personId") or "", "")
            made = attribute(each, "dT") or ""
            yield _annotation(each, "text", author, f"{made.removesuffix('Z')}Z" if made else "")  # it is UTC


def _notes(package: Package, sheet: str) -> Iterator[tuple[str, Annotation]]:
    for target in package.related(sheet, "comments"):
        root = package.xml_if_whole(target)
        authors = [each.text or "" for each in named(root, "author")]
        for each in named(root, "comment"):
            number = whole_number(attribute(each, "authorId"), -1)
            author = authors[number] if 0 <= number < len(authors) else ""
            yield _annotation(each, "t", "" if author.startswith(THREADED) else author, "")


def _annotation(element: Element, texts: str, author: str, made: str) -> tuple[str, Annotation]:
    reference = attribute(element, "ref") or ""
    text = _said("".join(each.text or "" for each in named(element, texts)))
    quote = f"Cell {reference}"
    return reference, Annotation(
        kind=AnnotationKind.COMMENT, text=text, quote=quote, author=author, made=made
    )


def _people(package: Package, workbook: str) -> dict[str, str]:
    return {
        attribute(each, "id") or "": attribute(each, "displayName") or ""
        for target in package.related(workbook, "person")
        for each in named(package.xml_if_whole(target), "person")
    }


def _row(reference: str) -> int:
    return max(whole_number(reference.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ$"), 1) - 1, 0)


def _said(comment: str) -> str:
    """Without what Excel writes for its older versions before a comment that people reply to."""
    text = one_line(comment)
    return text.partition(" Comment: ")[2] or text if text.startswith("[Threaded comment]") else text
