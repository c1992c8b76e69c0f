"""Which parts of a message are attached files, and what they are called."""

from email.message import EmailMessage
from io import BytesIO

from PIL import Image

from formats.mail.attachments import attached
from formats.mail.reading import message_of


def message(subject: str = "Lease") -> EmailMessage:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "ann@example.org", "bob@example.org", subject
    made.set_content("See the files.")
    return made


def names(made: EmailMessage, *, most: int = 50, largest: int = 10_000) -> list[tuple[str, bytes]]:
    frames = attached([message_of(made.as_bytes())], most=most, largest=largest)
    return [(head["name"], body) for head, body in frames]


def test_files_come_in_their_order_with_their_content() -> None:
    made = message()
    made.add_attachment(b"%PDF-1", maintype="application", subtype="pdf", filename="Lease — draft.pdf")
    made.add_attachment("a,b", subtype="csv", filename="table.csv")
    assert names(made) == [("Lease — draft.pdf", b"%PDF-1"), ("table.csv", b"a,b\n")]


def test_a_picture_that_the_text_shows_is_no_attachment() -> None:
    made = message()
    made.add_alternative('<p>Yours <img src="cid:logo@x"></p>', subtype="html")
    html = made.get_payload()[1]  # type: ignore[index]
    html.add_related(b"shown", "image", "png", cid="<logo@x>", filename="logo.png")  # type: ignore[union-attr]
    html.add_related(b"loose", "image", "png", cid="<other@x>", filename="plan.png")  # type: ignore[union-attr]
    assert names(made) == [("plan.png", b"loose")]


def test_a_logo_that_no_text_shows_is_no_attachment_but_what_is_attached_is() -> None:
    made = message()
    logo, plan = picture(400, 120), picture(1200, 900)
    made.add_attachment(logo, maintype="image", subtype="png", filename="logo.png", disposition="inline")
    made.add_attachment(plan, maintype="image", subtype="png", filename="plan.png", disposition="inline")
    made.add_attachment(logo, maintype="image", subtype="png", filename="stamp.png")
    assert [name for name, _ in names(made)] == ["plan.png", "stamp.png"]


def test_a_picture_is_found_in_the_text_however_its_name_is_written() -> None:
    made = message()
    made.add_alternative('<p>Yours <img src="CID:A%26B@x"> <img src="cid:c&amp;d@x">', subtype="html")
    html = made.get_payload()[1]  # type: ignore[index]
    for cid in ("<a&b@x>", "<C&D@x>"):
        html.add_related(picture(900, 900), "image", "png", cid=cid, filename="a.png")  # type: ignore[union-attr]
    assert names(made) == []


def picture(width: int, height: int) -> bytes:
    content = BytesIO()
    Image.new("1", (width, height)).save(content, "PNG")
    return content.getvalue()


def test_a_message_within_gives_its_files_too() -> None:
    inner = message("Inner")
    inner.add_attachment(b"deep", maintype="application", subtype="pdf", filename="deep.pdf")
    outer = message("Outer")
    outer.add_attachment(inner)
    assert names(outer) == [("deep.pdf", b"deep")]


def test_a_file_without_a_name_gets_one() -> None:
    made = message()
    made.add_attachment(b"%PDF-1", maintype="application", subtype="pdf")
    assert names(made) == [("attachment 1.pdf", b"%PDF-1")]


def test_too_many_are_counted_and_too_large_ones_come_without_content() -> None:
    made = message()
    for number in range(4):
        made.add_attachment(
            bytes(20 * number), maintype="application", subtype="pdf", filename=f"{number}.pdf"
        )
    frames = list(attached([message_of(made.as_bytes())], most=3, largest=20))
    assert [(head["size"], len(body), head["left_out"]) for head, body in frames] == [
        (0, 0, 0),
        (20, 20, 0),
        (40, 0, 1),
    ]
