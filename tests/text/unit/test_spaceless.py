"""Chinese, Japanese and Thai: sentences, words and quotes of scripts that write no spaces between words."""

import numpy as np
import pytest

from citations.match import locate
from english.quotable import parts
from formats.pdf.page_text.clean import clean
from ingestion.chunks.chunk_quality import kind, quality
from ingestion.chunks.chunking import split
from text.normal_forms.spaceless import on_a_line
from text.search.excerpt import excerpt
from text.search.fuzzy_match import search
from text.search.search_terms import terms
from text.search.very_words import very_words
from text.sentences import sentences

LEASE = (
    "第一条 租赁期限\n"
    "本合同租赁期限为三年，自二〇二四年一月一日起至二〇二六年十二月三十\n"
    "一日止。承租人应当于每月5日前支付租金人民币12,500元，逾期支付的，每\n"
    "日按应付金额的万分之五支付违约金；出租人不得无故提高租金。双方另有\n"
    "约定的，从其约定。\n"
    "第二条 押金\n"
    "承租人应当支付相当于两个月租金的押金。合同终止后，出租人应当在十\n"
    "五日内退还押金。"
)


@pytest.mark.parametrize(
    "quote",
    [
        "自二〇二四年一月一日起至二〇二六年十二月三十一日止",
        "逾期支付的，每日按应付金额的万分之五支付违约金",
        "承租人应当于每月 5 日前支付租金人民币12,500元",
        "承租人应当于每月５日前支付租金人民币１２,５００元",
    ],
)
def test_a_chinese_quote_is_found_across_a_line_end(quote):
    located = locate(quote, LEASE)
    assert located
    assert "".join(located.quote.split())[:4] == "".join(quote.split()).replace("５", "5")[:4]


def test_a_japanese_and_a_thai_quote_are_found_across_a_line_end():
    assert locate("契約を解除することができる", "甲は本契約を解\n除することができる。")
    assert locate("ผู้เช่าต้องชำระค่าเช่า", "ผู้เช่าต้อง\nชำระค่าเช่าทุกเดือน")


def test_korean_and_latin_words_stay_apart():
    assert not locate("therapist", "the rapist was found")
    assert not locate("임대차계약", "임대차 계약")


@pytest.mark.parametrize(
    "quote",
    [
        "出租人得无故提高租金。双方另有约定的，从其约定",  # "not" is left out
        "承租人应当于每月6日前支付租金人民币12,500元",
        "出租人应当于每月5日前支付租金人民币12,500元，逾期支付的，每日按应付金额的万分之五",
    ],
)
def test_a_chinese_quote_that_says_something_else_is_not_found(quote):
    assert locate(quote, LEASE) is None


def test_chinese_sentences_end_without_a_space():
    text = "这是第一句。这是第二句！是吗？是的；好。“他说可以。”完了"
    assert [text[a:b] for a, b in sentences(text)] == [
        "这是第一句。",
        "这是第二句！",
        "是吗？",
        "是的；",
        "好。",
        "“他说可以。”",
        "完了",
    ]


def test_wrapped_chinese_lines_are_one_sentence_and_headings_are_apart():
    found = [on_a_line(LEASE[a:b]) for a, b in sentences(LEASE)]
    assert "本合同租赁期限为三年，自二〇二四年一月一日起至二〇二六年十二月三十一日止。" in found
    assert "第二条 押金" in found


def test_chinese_sentences_can_be_quoted():
    quotable = {part.text: part for part in parts(LEASE)}
    assert quotable["双方另有约定的，从其约定。"].kind == "sentence"
    assert quotable["第一条 租赁期限"].kind == "heading"
    assert quotable["双方另有约定的，从其约定。"].about == "第一条 租赁期限"


def test_a_chinese_passage_is_shown_without_spaces_at_its_line_ends():
    assert "十二月三十一日止" in excerpt(LEASE[9:])


def test_chinese_words_are_found_across_a_line_end():
    assert search("三十一日止", [LEASE])[0].text == "三十\n一日止"
    assert [LEASE[a:b] for a, b in very_words("十五日内", LEASE)] == ["十\n五日内"]
    assert "十五" in terms(LEASE)


def test_chinese_chunks_are_shorter_and_end_with_a_sentence():
    sentence = "承租人应当按照约定的期限支付租金，逾期支付的应当承担违约责任。"
    pieces = split(sentence * 100, [0], size=1000, overlap=100)
    assert all(200 <= len(piece.text) <= 350 for piece in pieces[:-1])
    assert all(piece.text.startswith("承租人") and piece.text.endswith("。") for piece in pieces)
    assert split("The tenant pays the rent. " * 100, [0])[0].text.endswith("rent.")
    assert len(split("The tenant pays the rent. " * 100, [0])[0].text) > 800


def test_chinese_prose_is_worth_as_much_as_english():
    assert quality(LEASE) > 0.7
    assert quality("承租人应当支付相当于两个月租金的押金，合同终止后退还。") > quality("目录 ……… 3")
    assert (
        kind("第一条 本合同租赁期限为三年，承租人应当于每月5日前支付租金，逾期支付的支付违约金。") == "clause"
    )
    assert (
        kind("出租人收到押金以后向承租人出具收据，合同终止以后在十五天以内退还全部押金给承租人。") == "prose"
    )
    assert kind("第二条 押金") == "heading"


def _cleaned(text):
    codes = np.frombuffer(text.encode("utf-32-le"), dtype="<u4").astype(np.uint32)
    boxes = np.arange(4.0 * len(codes)).reshape(-1, 4)
    cleaned, kept = clean(codes, boxes)
    assert len(kept) == len(cleaned)
    return cleaned, kept


def test_radicals_are_stored_as_the_letters_that_people_type():
    assert _cleaned("⼈⺠⻓⻔⼤⼩")[0] == "人民长门大小"
    assert _cleaned("金樂")[0] == "金樂"


def test_joined_arabic_is_stored_as_the_letters_that_people_type():
    text, boxes = _cleaned("ﻻﺑ")
    assert text == "لاب"
    assert (boxes[0] == boxes[1]).all()  # two letters drawn as one
