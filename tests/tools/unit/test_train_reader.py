"""What the reader is trained on: rows of a folder, what code makes of them, and how they become numbers."""

import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from providers.minilm.packing import packed, unpacked
from tools.train_reader import examples
from tools.train_reader.batches import LONGEST, batches
from tools.train_reader.examples import Example, read
from tools.train_reader.made import claim_of, varied
from tools.train_reader.plan import BLOCK, Plan

PASSAGE = "The bridge opened in 1932. It cost four million. The mayor said that 1932 was a good year."


def written(folder: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    with gzip.open(folder / "answers_extractive.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    return folder


def question(text: str, passage: str, answer: str, name: str, *, contains: bool = True) -> dict[str, Any]:
    return {
        "question": text,
        "passage": passage,
        "answer": answer,
        "start": passage.find(answer) if answer else -1,
        "set": name,
        "contains_answer": contains,
    }


def sentence(text: str, passage: str, *, contains: bool) -> dict[str, Any]:
    return question(text, passage, "", "qnli_dev", contains=contains)


def test_the_sentence_that_holds_the_answer_is_right_and_one_with_the_same_words_is_left_out(
    tmp_path: Path,
) -> None:
    folder = written(tmp_path, [question("When did it open?", PASSAGE, "1932", "xquad_en")])
    (example,) = read(folder, ["xquad_en"])["xquad_en"]
    assert [example.sentences[place] for place in example.right] == ["The bridge opened in 1932."]
    assert [example.sentences[place] for place in example.left_out] == [
        "The mayor said that 1932 was a good year."
    ]


def test_a_passage_that_does_not_answer_has_no_right_sentence(tmp_path: Path) -> None:
    row = question("Who built it?", PASSAGE, "", "squad2_dev_half", contains=False)
    other = question("What did it cost?", PASSAGE, "four million", "squad2_dev_half")
    first, second = read(written(tmp_path, [row, other]), ["squad2_dev_half"])["squad2_dev_half"]
    assert not first.right
    assert second.right == {1}


def test_sentences_judged_one_by_one_stand_beside_each_other(tmp_path: Path) -> None:
    rows = [
        sentence("What did it cost?", "It opened in 1932.", contains=False),
        sentence("What did it cost?", "It cost four million.", contains=True),
    ]
    (example,) = read(written(tmp_path, rows), ["qnli_dev"])["qnli_dev"]
    assert example.sentences == ("It opened in 1932.", "It cost four million.")
    assert example.right == {1}


def test_a_question_gets_the_passage_of_another_that_shares_its_words_and_not_its_answer(
    tmp_path: Path,
) -> None:
    rows = [
        question("When did the northern bridge open?", PASSAGE, "1932", "nq_oracle"),
        question("Which bridge is older?", "The northern bridge was repaired.", "northern", "nq_oracle"),
        question("Who won?", "The northern bridge opened in 1932 as well.", "1932", "nq_oracle"),
    ]
    made = read(written(tmp_path, rows), ["nq_oracle"])["nq_oracle"]
    negatives = [
        each for each in made if each.asked == "When did the northern bridge open?" and not each.right
    ]
    assert [each.sentences for each in negatives] == [("The northern bridge was repaired.",)]


def test_a_folder_without_a_set_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no rows of selqa"):
        read(written(tmp_path, [question("When?", PASSAGE, "1932", "xquad_en")]), ["selqa"])


def test_nothing_is_learned_from_sets_that_measure() -> None:
    learned = {*examples.ANSWERS, *examples.SUPPORTS}
    assert not learned & {*examples.UNSEEN_ANSWERS, *examples.UNSEEN_SUPPORTS}
    assert not [name for name in learned if name.startswith(("hotpot", "musique", "infotabs", "wice"))]


def test_a_window_of_a_passage_keeps_its_right_sentence_or_says_that_nothing_answers() -> None:
    whole = Example(asked="Who?", sentences=tuple("abcdefgh"), right=frozenset({5}), left_out=frozenset({2}))
    for seed in range(300):
        shown = varied(whole, "z", Random(seed))
        assert [shown.sentences[place] for place in shown.right] == (["f"] if "f" in shown.sentences else [])
        assert [shown.sentences[place] for place in shown.left_out] in ([], ["c"])


def test_a_passage_that_answers_only_as_a_whole_is_not_cut() -> None:
    whole = Example(asked="Is it?", sentences=("a", "b", "c", "d", "e"), right=frozenset(range(5)))
    assert all(varied(whole, "", Random(seed)).sentences == whole.sentences for seed in range(50))


def test_a_question_about_another_year_than_the_passage_tells_is_not_answered() -> None:
    plain = Example(asked="What opened in 1932?", sentences=("It opened in 1932.",), right=frozenset({0}))
    shown = [varied(plain, "", Random(seed)) for seed in range(100)]
    altered = [each for each in shown if "1932" not in each.asked]
    assert altered
    assert all(not each.right for each in altered)
    assert all(each.right for each in shown if "1932" in each.asked)


@pytest.mark.parametrize(
    "text", ["Sales increased in 2021 to 14,300.", "In May Alberta lost to Victoria again."]
)
def test_a_made_claim_contradicts_its_sentence_exactly_when_it_differs(text: str) -> None:
    made = [claim for seed in range(80) if (claim := claim_of(text, Random(seed)))]
    assert {each.asked == text for each in made} == {True, False}
    for each in made:
        assert examples.LABELS[each.label] == ("supported" if each.asked == text else "contradicted")


def test_a_run_that_goes_on_is_shown_what_it_would_have_been() -> None:
    claims = [Example(asked=f"claim {n}", sentences=("It is 1 or 2.",), label=n % 3) for n in range(9)]
    questions = [Example(asked=f"question {n}", sentences=("One.", "Two is 2.")) for n in range(9)]
    plan = Plan(sets={"xquad_en": questions, "med": claims}, seed=1)
    block = plan.block(7)
    assert block == Plan(sets={"xquad_en": questions, "med": claims}, seed=1).block(7)
    assert block != plan.block(8)
    assert len(block) == BLOCK
    assert 0.1 < sum(each.label >= 0 for each in block) / BLOCK < 0.3


def by_words(*texts: str) -> Tokenizer:
    known = {word: 1000 + number for number, word in enumerate(sorted({*" ".join(texts).split()}))}
    tokenizer = Tokenizer(WordLevel({**known, "?": 1}, unk_token="?"))
    tokenizer.pre_tokenizer = Whitespace()
    return tokenizer


def test_each_token_knows_its_sentence_and_each_row_what_is_right() -> None:
    asked = Example(asked="who won", title="games", sentences=("one won", "two lost"), right=frozenset({1}))
    unanswered = Example(asked="who", sentences=("one",))
    (batch,) = batches(by_words("who won games one two lost"), [asked, unanswered])
    long = batch.examples.index(asked)
    length = int((batch.ids[long] > 0).sum())
    assert batch.sentence[long, :length].tolist() == [0, 0, 0, 0, -1, 1, 1, 2, 2, -1]
    assert batch.types[long, :length].tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
    assert batch.right[long].tolist() == [False, False, True]
    assert batch.right[1 - long].tolist() == [True, False, False]
    assert batch.left_out[1 - long].tolist() == [False, False, True]


def test_a_right_sentence_beyond_what_is_read_does_not_answer() -> None:
    filler = " ".join(["word"] * LONGEST)
    cut = Example(asked="who", sentences=(filler, "one won"), right=frozenset({1}))
    (batch,) = batches(by_words("who word one won"), [cut])
    assert batch.ids.shape == (1, LONGEST)
    assert batch.right[0].tolist() == [True, False]


def test_packed_weights_take_a_quarter_and_move_by_half_a_step_at_most() -> None:
    numbers = np.random.default_rng(1)
    weights = {
        "wide.weight": numbers.normal(size=(64, 384)).astype(np.float32),
        "wide.bias": numbers.normal(size=64).astype(np.float32),
        "nothing.weight": np.zeros((1, 384), np.float32),
    }
    arrays = packed(weights)
    assert sum(each.nbytes for each in arrays.values()) < 0.27 * sum(each.nbytes for each in weights.values())
    back = unpacked(arrays)
    steps = np.abs(weights["wide.weight"]).max(1, keepdims=True) / 127
    assert (np.abs(back["wide.weight"] - weights["wide.weight"]) <= 0.501 * steps).all()
    assert np.allclose(back["wide.bias"], weights["wide.bias"], atol=2e-3)
    assert not back["nothing.weight"].any()
