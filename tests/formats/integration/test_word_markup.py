"""Redlines: the text is that with all changes accepted; changes and comments are kept beside it."""

from benchmarks.office_files import W, docx, paragraph
from formats.base.annotations import Annotation, AnnotationKind
from formats.word.format import WORD
from tests.formats.reading import pages_of

BY_BO = 'w:author="Bo Chan" w:date="2026-03-06T09:00:00Z"'
BY_ANN = 'w:author="Ann Lee" w:date="2026-03-05T10:30:00Z"'


def run(text):
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def deleted(text, by=BY_ANN):
    return f'<w:del {by}><w:r><w:delText xml:space="preserve">{text}</w:delText></w:r></w:del>'


def inserted(text, by=BY_ANN):
    return f"<w:ins {by}>{run(text)}</w:ins>"


def commented(number, words):
    return (
        f'<w:commentRangeStart w:id="{number}"/>{words}<w:commentRangeEnd w:id="{number}"/>'
        f'<w:r><w:commentReference w:id="{number}"/></w:r>'
    )


def with_comments(body, **said):
    comments = "".join(
        f'<w:comment w:id="{number[1:]}" {BY_BO}>{paragraph(text)}</w:comment>'
        for number, text in said.items()
    )
    parts = {"word/comments.xml": f"<w:comments {W}>{comments}</w:comments>"}
    return docx(body, parts, ("r1", "comments", "comments.xml"))


def read(content, folder):
    """The text, and the annotations with the page that each is on."""
    pages = pages_of(WORD, content, folder)
    return "\n".join(page.text for page in pages), [(p.number, each) for p in pages for each in p.annotations]


def test_a_replaced_word_is_told_as_what_went_and_what_came(tmp_path):
    body = f"<w:p>{run('Notice of ')}{deleted('thirty')}{inserted('sixty')}{run(' days.')}</w:p>"
    text, annotations = read(docx(body), tmp_path)
    assert text == "Notice of sixty days."
    changed = {"quote": "Notice of", "author": "Ann Lee", "made": "2026-03-05T10:30:00"}
    assert annotations == [
        (1, Annotation(kind=AnnotationKind.DELETED, text="thirty", **changed)),
        (1, Annotation(kind=AnnotationKind.INSERTED, text="sixty", **changed)),
    ]


def test_a_change_that_word_has_in_pieces_is_one(tmp_path):
    pieces = deleted("thirty ") + deleted("(30)") + deleted(" days", 'w:author="Bo Chan"')
    _, annotations = read(docx(f"<w:p>{run('Within ')}{pieces}{run(' now.')}</w:p>"), tmp_path)
    assert [(each.text, each.author) for _, each in annotations] == [
        ("thirty (30)", "Ann Lee"),
        ("days", "Bo Chan"),
    ]


def test_moved_words_are_in_the_text_where_they_are_now(tmp_path):
    body = (
        f"<w:p>{run('One.')}<w:moveFrom {BY_ANN}>{run('Fees.')}</w:moveFrom></w:p>"
        f"<w:p>{run('Two. ')}<w:moveTo {BY_ANN}>{run('Fees.')}</w:moveTo></w:p>"
    )
    text, annotations = read(docx(body), tmp_path)
    assert text == "One.\n\nTwo. Fees."
    assert [each.kind for _, each in annotations] == [AnnotationKind.MOVED_AWAY, AnnotationKind.MOVED_HERE]


def test_a_comment_names_its_author_its_day_and_the_words_that_it_is_on(tmp_path):
    words = f"<w:p>{run('The fee is ')}{commented(0, run('475 pounds'))}{run(' a month.')}</w:p>"
    text, annotations = read(with_comments(words, n0="Too much?"), tmp_path)
    assert text == "The fee is 475 pounds a month."
    assert annotations == [
        (
            1,
            Annotation(
                kind=AnnotationKind.COMMENT,
                text="Too much?",
                quote="475 pounds",
                author="Bo Chan",
                made="2026-03-06T09:00:00",
            ),
        )
    ]


def test_a_comment_may_be_on_several_paragraphs_or_on_what_was_deleted(tmp_path):
    body = (
        f'<w:p><w:commentRangeStart w:id="0"/>{run("First.")}</w:p><w:p>{run("Second.")}'
        f'<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r></w:p>'
        f"<w:p>{run('Third.')}{commented(1, deleted('Gone.'))}</w:p>"
    )
    _, annotations = read(with_comments(body, n0="Both?", n1="Why?"), tmp_path)
    comments = [each for _, each in annotations if each.kind == AnnotationKind.COMMENT]
    assert [(each.text, each.quote) for each in comments] == [("Both?", "First. Second."), ("Why?", "Gone.")]


def test_each_is_on_the_page_of_its_words(tmp_path):
    lines = "".join(paragraph(f"Line {number} of the agreement.") for number in range(60))
    changed = f"<w:p>{run('Governing law: ')}{deleted('France')}{inserted('Spain')}</w:p>"
    pages = pages_of(WORD, docx(lines + changed + lines + changed), tmp_path)
    found = [page.number for page in pages for _ in page.annotations]
    assert found == [page.number for page in pages for _ in range(2 * page.text.count("Governing law"))]
    assert len(set(found)) == 2


def test_a_change_on_the_second_page_of_its_paragraph_is_there(tmp_path):
    lines = "".join(paragraph(f"Line {number} of the agreement.") for number in range(60))
    long = " ".join(f"word{number}" for number in range(600))
    changed = f"{run('Begins. ')}{deleted('Early.')}{run(long)}{run(' Ends here')}{deleted('Late.')}"
    body = f"{lines}<w:p>{changed}</w:p>"
    pages = pages_of(WORD, docx(body), tmp_path)
    where = {each.text: page for page in pages for each in page.annotations}
    assert "Begins." in where["Early."].text
    assert "Ends here" in where["Late."].text
    assert where["Early."].number < where["Late."].number


def test_changes_and_comments_in_tables_are_on_the_page_of_their_row(tmp_path):
    def row(*cells):
        return "<w:tr>" + "".join(f"<w:tc><w:p>{each}</w:p></w:tc>" for each in cells) + "</w:tr>"

    rows = [row(run(f"Item {number}"), run("10")) for number in range(120)]
    rows[3] = row(run("Rent"), deleted("20") + inserted("25"))
    rows[119] = row(run("Deposit"), commented(0, run("300")))
    rows.append(
        f"<w:tr><w:trPr><w:del {BY_ANN}/></w:trPr><w:tc><w:p>{deleted('Parking')}</w:p></w:tc></w:tr>"
    )
    pages = pages_of(WORD, with_comments(f"<w:tbl>{''.join(rows)}</w:tbl>", n0="Check."), tmp_path)
    where = {each.text: page.number for page in pages for each in page.annotations}
    assert "Rent\t25" in pages[0].text
    assert where == {"20": 1, "25": 1, "Check.": len(pages), "Parking": len(pages)}


def test_a_document_with_many_open_comments_is_read_in_time(tmp_path):
    opened = "".join(f'<w:commentRangeStart w:id="{number}"/>' for number in range(20_000))
    body = f"<w:p>{opened}{(run('word ') + deleted('gone ')) * 20_000}</w:p>"
    text, _ = read(docx(body), tmp_path)
    assert text.startswith("word word")
