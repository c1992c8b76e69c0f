"""Questions with known sentences, for fitting keyless answers: on Wikipedia, on invented documents, and those
of the development list. The held-out list of benchmarks/keyless.py is not among them.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pypdfium2

from ingestion.chunks.chunking import join_pages, split

ROOT = Path(__file__).resolve().parent.parent
_REFERENCE = re.compile(r"#(\d)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A question, answered by a sentence that holds one of `marks` in a passage of one of `titles`."""

    question: str
    titles: frozenset[str]
    marks: tuple[str, ...]

    def answered_by(self, document: str, text: str) -> bool:
        folded = " ".join(text.split())
        return document in self.titles and any(mark in folded for mark in self.marks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """Passages as (title, text), and questions about them."""

    name: str
    passages: Sequence[tuple[str, str]]
    questions: Sequence[Labelled]


def collections(folder: Path) -> list[Collection]:
    """Raises OSError when the folder lacks one of the sets."""
    return [
        _hotpot(folder / "hotpot_train"),
        _musique(folder / "musique_train"),
        _samples(),
        _invented(),
    ]


def _hotpot(folder: Path) -> Collection:
    """Questions over two passages each; both supporting sentences count as right."""
    corpus = json.loads((folder / "hotpotqa_train_corpus.json").read_text(encoding="utf-8"))
    rows = json.loads((folder / "hotpotqa_train.json").read_text(encoding="utf-8"))
    questions = []
    for row in rows:
        facts = [(title, number) for title, number in row["supporting_facts"] if number < len(corpus[title])]
        marks = tuple(" ".join(corpus[title][number].split())[:80] for title, number in facts)
        titles = frozenset(title for title, _ in facts)
        questions.append(Labelled(question=row["question"], titles=titles, marks=marks))
    return Collection(
        name="hotpot",
        passages=[(title, "".join(sentences)) for title, sentences in corpus.items()],
        questions=questions,
    )


def _musique(folder: Path) -> Collection:
    """The single steps of questions with several steps; a sentence with the answer's words is right."""
    passages = json.loads((folder / "musique_train_corpus.json").read_text(encoding="utf-8"))
    rows = json.loads((folder / "musique_train.json").read_text(encoding="utf-8"))
    questions = {}
    for row in rows:
        titles = {paragraph["idx"]: paragraph["title"] for paragraph in row["paragraphs"]}
        steps = row["question_decomposition"]
        answers = [step["answer"] for step in steps]
        for step in steps:
            text = step["question"]
            for number in _REFERENCE.findall(text):
                text = text.replace(f"#{number}", answers[int(number) - 1])
            if ">>" in text:
                subject, _, relation = text.partition(" >> ")
                text = f"What is the {relation} of {subject}?"
            questions[text] = Labelled(
                question=text,
                titles=frozenset({titles[step["paragraph_support_idx"]]}),
                marks=(" ".join(step["answer"].split()),),
            )
    return Collection(
        name="musique",
        passages=[(passage["title"], passage["text"]) for passage in passages],
        questions=list(questions.values()),
    )


def _samples() -> Collection:
    """The development list's questions that one sentence answers, and those that nothing answers."""
    titles = {path.name: path.stem for path in sorted((ROOT / "samples").glob("*.pdf"))}
    passages = [(title, text) for name, title in titles.items() for text in _pieces(ROOT / "samples" / name)]
    rows = json.loads((ROOT / "benchmarks" / "keyless_questions.json").read_text(encoding="utf-8"))
    questions = [
        Labelled(
            question=row["question"],
            titles=frozenset(titles[name] for name in row["documents"]),
            marks=tuple(" ".join(part.split()) for part in row["expect"]),
        )
        for row in rows
        if row["kind"] != "multi"
    ]
    return Collection(name="samples", passages=passages, questions=questions)


def _invented() -> Collection:
    """Documents after "# title", each with questions: "Q: question => words of the answer", or "N: question"
    when the document does not answer it although it might.
    """
    passages, questions = [], []
    text = (ROOT / "benchmarks" / "keyless_invented.txt").read_text(encoding="utf-8")
    for section in re.split(r"^# ", text, flags=re.MULTILINE)[1:]:
        title, *lines = section.splitlines()
        body = "\n".join(line for line in lines if not line.startswith(("Q: ", "N: ")))
        passages += [(title, piece.text) for piece in split(*join_pages([body]))]
        for line in lines:
            if line.startswith(("Q: ", "N: ")):
                question, _, mark = line[3:].partition(" => ")
                titles, marks = (frozenset({title}), (mark,)) if mark else (frozenset[str](), ())
                questions.append(Labelled(question=question, titles=titles, marks=marks))
    return Collection(name="invented", passages=passages, questions=questions)


def _pieces(path: Path) -> list[str]:
    document = pypdfium2.PdfDocument(path)
    pages = [page.get_textpage().get_text_bounded().replace("\r\n", "\n") for page in document]
    text, starts = join_pages(pages)
    return [piece.text for piece in split(text, starts)]


def without_gold(collection: Collection, labelled: Labelled) -> list[int]:
    """Positions of the passages that can't answer the question."""
    return [
        position
        for position, (title, text) in enumerate(collection.passages)
        if not (
            title in labelled.titles
            and (collection.name in {"hotpot", "musique"} or labelled.answered_by(title, text))
        )
    ]
