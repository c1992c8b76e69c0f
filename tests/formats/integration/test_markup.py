"""Web pages, Markdown, books and messages: what a reader sees of them, in order; nothing is fetched."""

import base64
import io
from zipfile import ZipFile

import pytest
from PIL import Image

from benchmarks.office_files import archive
from formats import ExtractionError
from formats.epub.format import EPUB
from formats.html.format import HTML
from formats.mail.format import MAIL
from formats.markdown.format import MARKDOWN
from tests.formats.reading import pages_of, text_of

PAGE = """<!DOCTYPE html><html><head><title>Terms of 2025</title><style>p{}</style>
<script>let x = "secret"</script></head>
<body><nav>Home</nav><h1>Terms</h1><p>The fee is <b>1,200</b> euros<br>a month.
<a href="http://x.example/y">More</a></p>
<p hidden>Never seen</p><p style="display: none">Not either</p>
<img src="http://x.example/a.png" alt="A logo">
<ol start="3" type="a"><li>Third<ul><li>Inner</li></ul></li>
<li>Fourth</li></ol><blockquote>Quoted.</blockquote>
<table><thead><tr><th>Item</th><th>Fee</th></tr></thead><tr><td>Rent</td><td>1,200</td></tr>
<tr><td colspan=2>Total &amp; tax</td></tr></table><pre>  x = 1
  y = 2</pre></body></html>"""


def test_what_a_reader_of_the_page_sees(tmp_path):
    text = text_of(HTML, PAGE.encode(), tmp_path)
    assert text.split("\n\n") == [
        "Home",
        "Terms",
        "The fee is 1,200 euros\na month. More",
        "A logo",
        "c. Third\n◦ Inner\nd. Fourth",
        "Quoted.",
        "Item\tFee\nRent\t1,200\nTotal & tax",
        "  x = 1\n  y = 2",
    ]
    assert "secret" not in text
    assert "seen" not in text
    assert "Not either" not in text


def test_figures_stay_in_their_columns_beside_spanned_cells(tmp_path):
    page = """<table><tr><th>Region</th><th>Item</th><th colspan=2>Fee</th><th>Note</th></tr>
    <tr><td rowspan=2>North</td><td>a</td><td>1</td><td>2</td><td>x</td></tr>
    <tr><td>b</td><td>3</td><td>4</td><td>y</td></tr><tr><td>South</td><td>c</td><td>5</td><td>6</td></tr></table>"""
    assert text_of(HTML, page.encode(), tmp_path).split("\n") == [
        "Region\tItem\tFee\t\tNote",
        "North\ta\t1\t2\tx",
        "\tb\t3\t4\ty",
        "South\tc\t5\t6",
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1", "gb18030", "shift_jis"])
def test_the_declared_encoding_is_believed(tmp_path, encoding):
    words = {"gb18030": "合同自签字之日起生效", "shift_jis": "契約は署名の日から有効"}.get(
        encoding, "Größe für Käufer"
    )
    page = f'<html><head><meta charset="{encoding}"></head><body><p>{words}</p></body></html>'
    assert text_of(HTML, page.encode(encoding), tmp_path) == words


@pytest.mark.parametrize(
    "long",
    ["<pre hidden>" + "x" * 11_000_000 + "</pre>", f"<img src='data:image/png;base64,{'A' * 11_000_000}'>"],
)
def test_nothing_is_cut_off_behind_a_long_text_or_picture(tmp_path, long):
    page = f"<html><body><p>before</p>{long}<p>after</p></body></html>"
    assert text_of(HTML, page.encode(), tmp_path) == "before\n\nafter"


def test_markdown_is_read_as_it_is_rendered(tmp_path):
    source = "---\ntitle: x\n---\n# Fees\n\nThe **fee** is `1,200`.\n\n"
    source += "| Item | Fee |\n|---|---|\n| Rent | 5 |\n\n1. one\n2. two\n"
    pages = pages_of(MARKDOWN, source.encode(), tmp_path)
    assert pages[0].text == "title: x\n\nFees\n\nThe fee is 1,200.\n\nItem\tFee\nRent\t5\n\n1. one\n2. two"


CHAPTER = "<h1>One</h1><p>First chapter.</p><img src='../p.png' alt='A plan'/>"


def book(**parts):
    picture = io.BytesIO()
    Image.new("RGB", (60, 40), "red").save(picture, "PNG")
    return archive(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container><rootfile full-path="o/book.opf"/></container>',
            "o/book.opf": '<package xmlns:dc="d"><metadata><dc:title>A book</dc:title></metadata><manifest>'
            '<item id="a" href="t/one.xhtml"/><item id="b" href="t/two.xhtml"/></manifest>'
            '<spine><itemref idref="b"/><itemref idref="a"/></spine></package>',
            "o/t/one.xhtml": f"<html><body>{CHAPTER}</body></html>",
            "o/t/two.xhtml": "<html><body><h1>Two</h1><p>Second file, first read.</p></body></html>",
            "o/p.png": picture.getvalue(),
            **parts,
        }
    )


def test_chapters_come_in_the_order_of_reading(tmp_path):
    pages = pages_of(EPUB, book(), tmp_path)
    assert [(page.address, page.text) for page in pages] == [
        ("Two", "Two\n\nSecond file, first read."),
        ("One", "One\n\nFirst chapter.\n\nA plan"),
    ]


def test_a_chapter_is_read_once_however_often_it_is_listed(tmp_path):
    whole = book()
    with ZipFile(io.BytesIO(whole)) as parts:
        listed = (
            parts.read("o/book.opf").decode().replace("<spine>", "<spine>" + '<itemref idref="a"/>' * 3000)
        )
    pages = pages_of(EPUB, book(**{"o/book.opf": listed}), tmp_path)
    assert [page.address for page in pages] == ["One", "Two"]


def test_declarations_of_a_page_are_no_text_of_it(tmp_path):
    page = '<?xml version="1.0"?>\n<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]><p>Deposit</p>'
    assert text_of(HTML, page.encode(), tmp_path) == "Deposit"


def test_a_locked_book_is_refused(tmp_path):
    rights = '<encryption><CipherData><CipherReference URI="o/t/one.xhtml"/></CipherData></encryption>'
    with pytest.raises(ExtractionError) as caught:
        text_of(EPUB, book(**{"META-INF/encryption.xml": rights}), tmp_path)
    assert caught.value.code == "encrypted"


def test_a_message_is_read_as_its_reader_sees_it(tmp_path):
    picture = io.BytesIO()
    Image.new("RGB", (60, 40), "red").save(picture, "PNG")
    message = (
        "From: =?utf-8?q?J=C3=B6rg?= <j@x.example>\r\nTo: a@x.example,\r\n b@x.example\r\nSubject: Fees\r\n"
        "Date: Mon, 14 Oct 2024 10:00:00 +0200\r\nMIME-Version: 1.0\r\n"
        "Content-Type: multipart/mixed; boundary=b\r\n\r\n"
        "--b\r\nContent-Type: multipart/alternative; boundary=c\r\n\r\n"
        "--c\r\nContent-Type: text/plain\r\n\r\nPlain words.\r\n"
        "--c\r\nContent-Type: text/html; charset=utf-8\r\n"
        "Content-Transfer-Encoding: 8bit\r\n\r\n<p>Seen wörds.</p>\r\n--c--\r\n"
        "--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\n"
        f"Content-Transfer-Encoding: base64\r\n\r\n{base64.b64encode(b'%PDF-').decode()}\r\n--b--\r\n"
    )
    assert text_of(MAIL, message.encode(), tmp_path).split("\n\n") == [
        "Fees",
        "From\tJörg <j@x.example>\nTo\ta@x.example, b@x.example\nDate\tMon, 14 Oct 2024 10:00:00 +0200",
        "Seen wörds.",
        "Attached: a.pdf, 5 bytes",
    ]


def test_parts_without_words_or_for_programs_are_no_text_of_a_message(tmp_path):
    kinds = {
        "text/html": "<p>Due on Monday.</p>",
        "text/html; charset=utf-8": "<html><body> </body></html>",
        "text/x-amp-html": "<html amp4email>source</html>",
        "text/calendar": "BEGIN:VCALENDAR",
    }
    parts = "".join(f"--b\nContent-Type: {kind}\n\n{words}\n" for kind, words in kinds.items())
    message = f"From: a@x.example\nContent-Type: multipart/mixed; boundary=b\n\n{parts}--b--\n"
    text = text_of(MAIL, message.encode(), tmp_path)
    assert "Due on Monday." in text
    assert "source" not in text
    assert "BEGIN" not in text
    assert "Attached: text/calendar, 15 bytes" in text


def test_text_beside_a_page_is_told_unless_it_is_the_same_in_plain_letters(tmp_path):
    message = (
        "From: a@x.example\nContent-Type: multipart/mixed; boundary=b\n\n"
        "--b\nContent-Type: multipart/alternative; boundary=c\n\n"
        "--c\nContent-Type: text/plain\n\nDue on Monday, plainly.\n"
        "--c\nContent-Type: text/html\n\n<p>Due on Monday.</p>\n--c--\n"
        "--b\nContent-Type: text/plain\n\nSent to all of the board.\n--b--\n"
    )
    text = text_of(MAIL, message.encode(), tmp_path)
    assert "Due on Monday." in text
    assert "plainly" not in text
    assert "Sent to all of the board." in text


def test_heads_of_older_programs_are_read(tmp_path):
    message = (
        "From: Jürgen <j@x.example>\nSubject: Größe\nContent-Type: multipart/mixed; boundary=b\n\n"
        "--b\nContent-Type: text/plain\n\nDue on Monday.\n"
        '--b\nContent-Type: application/pdf; name="Müller.pdf"\n\nx\n--b--\n'
    )
    for encoding in ("latin-1", "utf-8"):
        text = text_of(MAIL, message.encode(encoding), tmp_path, encoding)
        assert text.startswith("Größe\n\nFrom\tJürgen <j@x.example>\n")
        assert "Attached: Müller.pdf, 1 bytes" in text


@pytest.mark.parametrize("charset", ['"utf\0"', "idna", "punycode", "unicode_escape", "rot13", "none-such"])
def test_an_encoding_that_is_none_costs_no_message_and_no_page(tmp_path, charset):
    message = f"From: a@x.example\nContent-Type: text/plain; charset={charset}\n\nDue a..b on \\x41 Monday."
    assert "Due a..b on \\x41 Monday." in text_of(MAIL, message.encode(), tmp_path)
    page = f"<meta charset={charset}><p>Due a..b on \\x41 Monday."
    assert text_of(HTML, page.encode(), tmp_path, "page") == "Due a..b on \\x41 Monday."


def test_what_is_not_read_of_a_message_is_said(tmp_path):
    heads = "From: a@x.example\nContent-Type: multipart/mixed; boundary="
    parts = "".join(f"--b\nContent-Type: text/plain\n\npart {n}\n" for n in range(501))
    text = text_of(MAIL, f"{heads}b\n\n{parts}--b--\n".encode(), tmp_path)
    assert "part 499" in text
    assert "part 500" not in text
    assert "Only the first 500 parts of this message are read." in text
    nested = "".join(f"--b{n}\nContent-Type: multipart/mixed; boundary=b{n + 1}\n\n" for n in range(30))
    text = text_of(MAIL, f"{heads}b0\n\n{nested}--b30\n\nInnermost\n".encode(), tmp_path, "nested")
    assert "Parts in more than 20 others are not read." in text
    inner = "Innermost\n"
    for n in range(30):
        inner = f"{heads}b{n}\n\n--b{n}\nContent-Type: message/rfc822\n\n{inner}\n--b{n}--\n"
    text = text_of(MAIL, inner.encode(), tmp_path, "inner")
    assert "Parts in more than 20 others are not read." in text


def test_markdown_nested_deep_is_told(tmp_path):
    source = "".join(f"{'> ' * level}Level {level}\n{'> ' * level}\n" for level in range(1, 80))
    text = text_of(MARKDOWN, source.encode(), tmp_path)
    assert all(f"Level {level}" in text for level in range(1, 80))


@pytest.mark.parametrize(
    ("form", "content", "code"),
    [
        (HTML, b"<html><body></body></html>", "empty"),
        (HTML, b"<div>" * 100_000 + b"deep" + b"</div>" * 100_000, "too_large"),
        (HTML, b"", "empty"),
        (MARKDOWN, b"\0\1\2" * 900, "unsupported"),
        (EPUB, b"PK\x03\x04 cut off", "corrupt"),
        (EPUB, archive({"a.txt": "x"}), "corrupt"),
        (MAIL, b"\n\nno heads", "corrupt"),
    ],
)
def test_what_cannot_be_read_says_why(tmp_path, form, content, code):
    with pytest.raises(ExtractionError) as caught:
        text_of(form, content, tmp_path)
    assert caught.value.code == code
    assert caught.value.hint
