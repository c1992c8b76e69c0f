"""The cut pages that a citation hands out show what the pages show, and can do nothing."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pypdf
import pytest
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    TextStringObject,
)

from formats.pdf.reader import cut_pages, page_pixels, without_password
from tests.formats.pdfs import make_pdf, pages_of

SHOWN, KEPT_BACK, FIELD = "Clause 1. The rent is due.", "Clause 9. Not to be handed out.", "Filled in by hand"
# Names and words that nothing in a page to look at needs.
ACTIVE = (
    "/JavaScript",
    "/JS",
    "/Launch",
    "/URI",
    "/AA",
    "/OpenAction",
    "/EmbeddedFile",
    "/EmbeddedFiles",
    "/EF",
    "/Filespec",
    "/AF",
    "/GoToR",
    "/GoToE",
    "/SubmitForm",
    "/ImportData",
    "/Rendition",
    "/RichMedia",
    "/AcroForm",
    "/XFA",
    "/Names",
    "/Annots",
    "/Widget",
    "/A",
    "/Dests",
    "/Metadata",
    "/PieceInfo",
)
WORDS = ("app.alert", "evil.example", "calc.exe", "smuggled", KEPT_BACK)


def name(text: str) -> NameObject:
    return NameObject(text)


def dictionary(**entries: object) -> DictionaryObject:
    return DictionaryObject({name(f"/{key}"): value for key, value in entries.items()})


def action(kind: str, **entries: object) -> DictionaryObject:
    return dictionary(Type=name("/Action"), S=name(f"/{kind}"), **entries)


def script() -> DictionaryObject:
    return action("JavaScript", JS=TextStringObject("app.alert('smuggled')"))


def every_action() -> list[DictionaryObject]:
    far = TextStringObject("https://evil.example/")
    return [
        script(),
        action("URI", URI=far),
        action("Launch", F=TextStringObject("calc.exe")),
        action("GoToR", F=TextStringObject("evil.example.pdf"), D=TextStringObject("x")),
        action("SubmitForm", F=far),
        action("ImportData", F=far),
        action("Rendition", OP=FloatObject(0), JS=TextStringObject("app.alert(2)")),
        action("GoTo", D=TextStringObject("x"), Next=script()),
    ]


def annotation(kind: str, **entries: object) -> DictionaryObject:
    place = ArrayObject(map(FloatObject, (72, 500, 300, 530)))
    return dictionary(Type=name("/Annot"), Subtype=name(f"/{kind}"), Rect=place, **entries)


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """Two pages with all that a PDF can do, in its catalog, its name trees, its pages and annotations."""
    writer = pypdf.PdfWriter(clone_from=make_pdf(tmp_path / "plain.pdf", [[SHOWN], [KEPT_BACK]]))
    attached = DecodedStreamObject()
    attached.set_data(b"smuggled")
    attached[name("/Type")] = name("/EmbeddedFile")
    file = dictionary(
        Type=name("/Filespec"),
        F=TextStringObject("calc.exe"),
        EF=dictionary(F=writer._add_object(attached)),
    )
    specification = writer._add_object(file)
    tree = dictionary(Names=ArrayObject([TextStringObject("first"), writer._add_object(script())]))
    files = dictionary(Names=ArrayObject([TextStringObject("calc.exe"), specification]))
    drawn = DecodedStreamObject()
    drawn.set_data(f"BT /F1 12 Tf 2 10 Td ({FIELD}) Tj ET".encode())
    font = dictionary(Type=name("/Font"), Subtype=name("/Type1"), BaseFont=name("/Helvetica"))
    drawn.update(
        dictionary(
            Type=name("/XObject"),
            Subtype=name("/Form"),
            BBox=ArrayObject(map(FloatObject, (0, 0, 228, 30))),
            Resources=dictionary(Font=dictionary(F1=font)),
        )
    )
    field = writer._add_object(
        annotation(
            "Widget",
            FT=name("/Tx"),
            T=TextStringObject("field"),
            AP=dictionary(N=writer._add_object(drawn)),
            A=script(),
            AA=dictionary(K=script(), F=script()),
        )
    )
    root = writer.root_object
    root.update(
        dictionary(
            OpenAction=script(),
            AA=dictionary(WC=script(), WS=script()),
            Names=dictionary(JavaScript=tree, EmbeddedFiles=files),
            AcroForm=dictionary(Fields=ArrayObject([field]), XFA=TextStringObject("smuggled")),
            AF=ArrayObject([specification]),
        )
    )
    page, other = writer.pages
    page.update(dictionary(AA=dictionary(O=script(), C=script()), AF=ArrayObject([specification])))
    marks = [annotation("Link", A=writer._add_object(act)) for act in every_action()]
    marks += [
        annotation("Link", Dest=ArrayObject([other.indirect_reference, name("/Fit")])),
        annotation("Link", PA=action("URI", URI=TextStringObject("https://evil.example/"))),
        annotation("FileAttachment", FS=specification),
        annotation("RichMedia", RichMediaContent=dictionary(Assets=files)),
        annotation("Screen", A=script(), AA=dictionary(PO=script())),
    ]
    page[name("/Annots")] = ArrayObject([*map(writer._add_object, marks), field])
    path = tmp_path / "hostile.pdf"
    writer.write(path)
    return path


def everything_in(content: bytes) -> Iterator[str]:
    """All objects of a PDF, its streams unpacked, as text; those too that nothing refers to."""
    reader = pypdf.PdfReader(BytesIO(content))
    for numbers in reader.xref.values():
        for number in numbers:
            thing = reader.get_object(number)
            yield repr(thing)
            if isinstance(thing, pypdf.generic.StreamObject):
                yield thing.get_data().decode("latin-1")


def test_the_hostile_file_has_all_that_the_cut_pages_must_not_have(hostile: Path) -> None:
    text = "\n".join(everything_in(hostile.read_bytes()))
    ours = {"/GoToE", "/Dests", "/Metadata", "/PieceInfo", "/Rendition"}
    assert [part for part in ACTIVE if part not in ours and f"'{part}'" not in text] == []


@pytest.mark.parametrize("numbers", [[1], [1, 1], [2, 1]], ids=str)
def test_cut_pages_can_do_nothing(hostile: Path, numbers: list[int]) -> None:
    text = "\n".join(everything_in(cut_pages(hostile, numbers)))
    assert [part for part in ACTIVE if f"'{part}'" in text] == []
    assert [word for word in WORDS if word in text and not (word == KEPT_BACK and 2 in numbers)] == []


def test_cut_pages_show_text_and_filled_in_fields(hostile: Path, tmp_path: Path) -> None:
    (tmp_path / "cut.pdf").write_bytes(cut_pages(hostile, [1]))
    (page,) = pages_of(tmp_path / "cut.pdf")
    assert SHOWN in page.text
    assert FIELD in page.text
    assert KEPT_BACK not in page.text


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_cut_pages_look_like_the_pages(tmp_path: Path, turned: int) -> None:
    """Turned, and with a visible part that does not begin in the corner."""
    writer = pypdf.PdfWriter(clone_from=make_pdf(tmp_path / "plain.pdf", [[SHOWN, "And more."]]))
    page = writer.pages[0]
    page.cropbox = pypdf.generic.RectangleObject((50, 300, 500, 750))
    page.rotate(turned)
    writer.write(tmp_path / "turned.pdf")
    (tmp_path / "cut.pdf").write_bytes(cut_pages(tmp_path / "turned.pdf", [1]))
    assert page_pixels(tmp_path / "cut.pdf", 1, 400) == page_pixels(tmp_path / "turned.pdf", 1, 400)


def test_an_empty_page_is_cut_out_empty(tmp_path: Path) -> None:
    writer = pypdf.PdfWriter()
    writer.add_blank_page(300, 200)
    writer.write(tmp_path / "blank.pdf")
    (page,) = pypdf.PdfReader(BytesIO(cut_pages(tmp_path / "blank.pdf", [1]))).pages
    assert (page.mediabox.width, page.mediabox.height) == (300, 200)


def test_a_file_without_its_password_keeps_all_else(hostile: Path, tmp_path: Path) -> None:
    """It is the document itself from then on, not an excerpt of it."""
    writer = pypdf.PdfWriter(clone_from=hostile)
    writer.encrypt(user_password="secret", algorithm="AES-256")
    writer.write(tmp_path / "sealed.pdf")
    opened = pypdf.PdfReader(BytesIO(without_password(tmp_path / "sealed.pdf", "secret")))
    assert not opened.is_encrypted
    assert len(opened.pages) == 2
    assert SHOWN in opened.pages[0].extract_text()
    assert "field" in (opened.get_fields() or {})
