"""Transcripts: who said what at which time, in paragraphs, on pages of five minutes."""

import pytest

from formats import ExtractionError
from formats.registry import identify
from formats.transcript.format import TRANSCRIPT
from tests.formats.reading import pages_of, text_of

VTT = """WEBVTT - Meeting

STYLE
::cue { color: white }

NOTE 00:00:09.000 --> 00:00:10.000 is none of it

intro
00:00:01.000 --> 00:00:04.000 align:start
<v Ann Lee>The fee is <i>475</i> pounds</v>

00:00:04.200 --> 00:00:06.000
<v Ann Lee>a month &amp; rises each year.</v>

00:06.500 --> 00:08.000
<v.loud Bo Chan>From when?</v>

01:05:10.000 --> 01:05:12.000
<v Ann Lee>From May.</v>
"""
SRT = (
    "1\r\n00:00:01,000 --> 00:00:02,000\r\n{\\an8}The fee\r\n\r\n"
    "2\r\n00:00:02,100 --> 00:00:04,000\r\nis 475.\r\n"
)


def test_what_one_person_says_is_a_paragraph_with_its_time(tmp_path):
    pages = pages_of(TRANSCRIPT, VTT.encode(), tmp_path)
    assert [(page.address, page.text) for page in pages] == [
        (
            "From 0:00:00 to 0:05:00",
            "0:00:01 Ann Lee: The fee is 475 pounds a month & rises each year.\n0:00:06 Bo Chan: From when?",
        ),
        ("From 1:05:00 to 1:10:00", "1:05:10 Ann Lee: From May."),
    ]


def test_subtitles_are_read_without_their_numbers(tmp_path):
    assert text_of(TRANSCRIPT, SRT.encode(), tmp_path) == "0:00:01 The fee is 475."


def test_figures_are_text_and_numbers_of_cues_are_none(tmp_path):
    apart = (
        "1\n00:00:01,000 --> 00:00:02,000\nThe fee is\n475\n\n"
        "2\n00:00:02,000 --> 00:00:03,000\na month for\n12\n"
    )
    assert text_of(TRANSCRIPT, apart.encode(), tmp_path) == "0:00:01 The fee is 475 a month for 12"
    close = apart.replace("\n\n2\n", "\n2\n")
    assert text_of(TRANSCRIPT, close.encode(), tmp_path, "close") == "0:00:01 The fee is 475 a month for 12"


def test_captions_that_roll_are_told_once(tmp_path):
    shown = ("one", "one\ntwo", "two\nthree")
    rolling = "WEBVTT\n\n" + "".join(
        f"00:0{second}.000 --> 00:0{second + 1}.000\n{lines}\n\n" for second, lines in enumerate(shown, 1)
    )
    assert text_of(TRANSCRIPT, rolling.encode(), tmp_path) == "0:00:01 one two three"


def test_captions_that_roll_with_a_flash_between_them_are_told_once(tmp_path):
    rolling = (
        "WEBVTT\n\n00:01.000 --> 00:03.000\none\n\n00:03.000 --> 00:03.010\none\n\n"
        "00:03.010 --> 00:05.000\none\ntwo\n\n00:05.000 --> 00:05.010\ntwo\n"
    )
    assert text_of(TRANSCRIPT, rolling.encode(), tmp_path) == "0:00:01 one two"


def test_what_is_said_a_second_time_is_told_a_second_time(tmp_path):
    vtt = (
        "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Yes.\n\n00:02.000 --> 00:03.000\n<v Bo>Yes.\n\n"
        "00:03.000 --> 00:04.000\n<v Bo>Yes.\n\n00:05.000 --> 00:06.000\n<v Bo>Yes.\nAll.\n"
    )
    text = text_of(TRANSCRIPT, vtt.encode(), tmp_path)
    assert text == "0:00:01 Ann: Yes.\n0:00:02 Bo: Yes. Yes. Yes. All."


def test_a_paragraph_has_no_more_than_so_many_characters(tmp_path):
    cues = (f"00:00:01,000 --> 00:00:01,000\nword{number} {'a' * 90}\n\n" for number in range(100))
    text = text_of(TRANSCRIPT, "".join(cues).encode(), tmp_path)
    assert text.count("0:00:01 word") == 2


def test_a_long_speech_is_parted_at_ends_of_sentences(tmp_path):
    cues = "".join(
        f"00:00:{second:02},000 --> 00:00:{second + 1:02},000\nSentence {second}.\n\n" for second in range(58)
    )
    late = "00:00:59,000 --> 00:01:03,000\nLate one.\n\n00:01:03,000 --> 00:01:04,000\nNext.\n"
    text = text_of(TRANSCRIPT, (cues + late).encode(), tmp_path)
    assert text.count("\n") == 1
    assert text.endswith("\n0:00:59 Late one. Next.")


def test_what_tells_no_times_says_so(tmp_path):
    with pytest.raises(ExtractionError) as error:
        text_of(TRANSCRIPT, b"WEBVTT\n\nnothing\n", tmp_path)
    assert error.value.code == "corrupt"
    assert identify("meeting.vtt", VTT.encode()) is TRANSCRIPT
