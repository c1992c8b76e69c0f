"""Mailboxes and web archives: many messages in a file, a page with its pictures in another."""

from email.message import EmailMessage
from io import BytesIO

import pytest
from PIL import Image

from formats import ExtractionError, SourceFile
from formats.mail import mailbox
from formats.mail.format import MAIL, MAILBOX
from formats.registry import identify
from formats.web_archive.format import WEB_ARCHIVE
from tests.formats.reading import pages_of, text_of


def message(sender: str, subject: str, body: str) -> EmailMessage:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = sender, "bo@example.org", subject
    made["Date"] = "Thu, 05 Mar 2026 10:30:00 +0000"
    made.set_content(body)
    return made


def mbox(*messages: EmailMessage) -> bytes:
    line = b"From MAILER-DAEMON Thu Mar  5 10:30:00 2026\n"
    return b"\n".join(line + each.as_bytes().replace(b"\nFrom ", b"\n>From ") for each in messages)


def test_each_message_has_pages_that_are_called_by_it(tmp_path):
    first = message("Ann Lee <ann@example.org>", "Lease", "Please sign.\n\nFrom May on it is ours.")
    second = message("bo@example.org", "", "Signed.")
    pages = pages_of(MAILBOX, mbox(first, second), tmp_path)
    assert [page.address for page in pages] == [
        "Ann Lee, 5 March 2026: Lease",
        "bo@example.org, 5 March 2026: no subject",
    ]
    assert pages[0].text.endswith("Please sign.\n\nFrom May on it is ours.")
    assert pages[1].text.endswith("Signed.")


def test_words_that_only_look_like_the_beginning_of_a_message_stay_in_theirs(tmp_path):
    line = "From ann@example.org Thu Mar  5 10:30:00 2026\n"
    told = "From May on the rent is 475.\nNote: a month.\n\nFrom you I need:\n\n"
    quoted = f"{line}she wrote no more.\n"
    mails = f"{line}Subject: Lease\n\nHello.\n\n{told}{quoted}\n{line}Subject: Next\n\nBye.\n"
    first, second = pages_of(MAILBOX, mails.encode(), tmp_path)
    assert first.text.endswith(f"Hello.\n\n{told}{' '.join(quoted.split(' '))}".replace("  ", " ").strip())
    assert second.text.endswith("Bye.")
    before = pages_of(MAILBOX, f"Exported in May.\n\n{mails}".encode(), tmp_path, "before")
    assert [page.text.split("\n")[0] for page in before] == ["Exported in May.", "Lease", "Next"]


@pytest.mark.parametrize(
    "line",
    [
        "- Thu Mar 05 10:30:00 2026",
        "1788@xxx Thu Mar 05 10:30:00 +0000 2026",
        "ann at example.org  Thu Mar  5 10:30 GMT 2026",
        "ann@example.org Thu, 5 Mar 2026 10:30:00 +0100",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_messages_begin_as_different_programs_write_it(tmp_path, line, end):
    mails = f"From {line}\nSubject: Lease\n\nHello.\n\n" * 2
    assert len(pages_of(MAILBOX, mails.replace("\n", end).encode(), tmp_path)) == 2


def test_files_attached_to_any_of_the_messages_are_attached(tmp_path):
    messages = [message("ann@example.org", f"Plan {number}", "See it.") for number in range(3)]
    for number, each in enumerate(messages):
        each.add_attachment(
            b"%PDF-" + bytes([48 + number]), maintype="application", subtype="pdf", filename=f"{number}.pdf"
        )
    path = tmp_path / "file"
    path.write_bytes(mbox(*messages))
    file = SourceFile(path=path, derived=tmp_path / "derived")
    found = list(MAILBOX.attachments(file, most=2, largest=1000))
    assert [(each.name, each.content) for each in found] == [("0.pdf", b"%PDF-0"), ("1.pdf", b"%PDF-1")]
    assert found[-1].left_out == 1


def test_a_mailbox_is_known_by_its_name_and_a_message_stays_one():
    content = mbox(message("ann@example.org", "Lease", "Hello."))
    assert identify("all.mbox", content) is MAILBOX
    assert identify("one.eml", content) is MAIL


def test_what_has_no_or_too_many_messages_says_so(tmp_path):
    with pytest.raises(ExtractionError) as error:
        text_of(MAILBOX, b"nothing of it\n", tmp_path)
    assert error.value.code == "corrupt"
    path = tmp_path / "many"
    path.write_bytes(b"From x Thu Mar  5 10:30:00 2026\nSubject: a\n\n\n" * (mailbox.MOST_MESSAGES + 1))
    with pytest.raises(ExtractionError) as error:
        list(mailbox.messages_of(path))
    assert error.value.code == "too_large"


def test_a_web_archive_is_its_page_with_its_pictures(tmp_path):
    drawn = BytesIO()
    Image.new("RGB", (400, 300), "navy").save(drawn, "PNG")
    archive = EmailMessage()
    archive["From"], archive["Subject"] = "<Saved by Blink>", "Fees"
    archive["Date"] = "Thu, 05 Mar 2026 10:30:00 +0000"
    archive.set_content("<title>Fees</title><p>The fee is 475.</p><img src='a/plan.png'>", subtype="html")
    archive["Content-Location"] = "https://example.org/fees/"
    archive.add_related(drawn.getvalue(), "image", "png")
    list(archive.walk())[2]["Content-Location"] = "https://example.org/fees/a/plan.png"
    content = archive.as_bytes()
    assert identify("fees.mhtml", content) is WEB_ARCHIVE
    assert identify("fees.eml", content) is MAIL
    (page,) = pages_of(WEB_ARCHIVE, content, tmp_path)
    assert page.text == "The fee is 475."
    assert page.pictured
