"""Pages of evaluation as an editor uses them, and what viewers and strangers may not do."""

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from accounts.models import User
from datasources.models import Datasource
from desks.evaluation.models import Kind, Origin, QuestionSet, Result, Run, RunStatus
from desks.evaluation.questions.draft import Draft
from desks.evaluation.questions.files.reading import read
from desks.evaluation.questions.files.writing import as_beir, as_csv, as_jsonl
from desks.evaluation.questions.services import add_questions, create_set
from desks.evaluation.reports.comparison import compared
from desks.evaluation.runs.services import start_runs
from tests.evaluation.world import BACKUPS, INVOICES, documents, question_set, started
from tests.factories import make_document
from tests.people import browser_of
from tests.responses import text_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def runs(contracts: Datasource, alice: User, work: Callable[[], None]) -> list[Run]:
    """Two runs of one set: all tools, and search by words alone."""
    made = start_runs(alice, question_set(contracts, alice), ["", "fast,legs=bm25"])
    work()
    return made


def test_two_runs_are_shown_side_by_side(
    contracts: Datasource, alice: User, bob: User, runs: list[Run]
) -> None:
    address = reverse("evaluation", args=[contracts.pk])
    for person in (alice, bob):
        page = browser_of(person).get(f"{address}?run=2&against=1").content.decode()
        for words in ("Context relevance", "Context utilisation", "Completeness", "Adherence", "Refused"):
            assert words in page
        assert "no difference that 3 questions could show" in page
        assert "How long are backups kept?" in page
        assert page.count('<svg class="ev-svg') >= 6
        assert "style=" not in page
    shown = browser_of(alice).get(f"{address}?run=2&against=1&q=mascot").content.decode()
    assert "mascot" in shown
    assert "How long are backups kept?</a>" not in shown


def test_a_run_begins_with_three_numbers_and_what_to_look_at(
    contracts: Datasource, bob: User, runs: list[Run]
) -> None:
    single = runs[1].question_results.get(question__kind=Kind.SINGLE)
    single.scores["completeness"], single.outcome = 0.0, "answered"
    single.answer = "They are kept for **ten days**."
    single.save()
    page = browser_of(bob).get(reverse("evaluation", args=[contracts.pk]))
    said = text_of(page)
    assert "Does it answer as you would?" in said
    assert "Right passage found 2 of 2" in said
    assert "Wrongly answered 1 of 3" in said
    assert "In Run 1: 0." in said
    assert "3 questions: too few to compare runs." in said
    first = said[said.index("Look at these first") :]
    assert first.index("How long are backups kept? It said “They are kept for ten days”.") < first.index(
        "Compare"
    )
    assert f"You expect “{BACKUPS[:-1]}”. That is in Questionnaire, page 1." in first
    started = browser_of(bob).get(reverse("evaluation", args=[contracts.pk], query={"run": 2}))
    for each in (page, started):  # also where a new run leads to
        assert '<details class="ev-fold" data-remember="measures">' in each.content.decode()


def test_a_question_is_shown_with_its_passages_and_both_answers(
    contracts: Datasource, bob: User, runs: list[Run]
) -> None:
    question = runs[0].questions().get(kind=Kind.SINGLE)
    address = reverse("evaluation_question", args=[contracts.pk, 1, question.pk])
    page = browser_of(bob).get(f"{address}?against=2").content.decode()
    assert BACKUPS in page
    assert "Passages retrieved" in page
    assert 'aria-label="needed"' in page
    assert "Run 2" in page
    assert "Legs: bm25" in page or "Legs:" in page


def test_a_run_is_started_followed_and_stopped_in_the_browser(
    contracts: Datasource, alice: User, bob: User, work: Callable[[], None]
) -> None:
    made = question_set(contracts, alice)
    new = reverse("evaluation_new", args=[contracts.pk])
    client = browser_of(alice)
    assert "Reciprocal rank" in client.get(new).content.decode()
    refused = client.post(new, {"set": made.pk, "variant": [""], "own": "warp=9"})
    assert refused.status_code == 422
    assert "not part of a variant" in refused.content.decode()
    assert "Choose at least one" in client.post(new, {"set": made.pk}).content.decode()
    assert client.post(new, {"set": made.pk, "variant": ["", "search"]}).status_code == 302
    state = reverse("evaluation_state", args=[contracts.pk])
    assert "0 of 3 questions" in browser_of(bob).get(state, headers={"HX-Request": "true"}).content.decode()
    end = reverse("evaluation_end", args=[contracts.pk, 1])
    assert browser_of(bob).post(end, {"action": "stop"}).status_code == 403
    client.post(end, {"action": "stop"})
    work()
    assert [run.status for run in Run.objects.order_by("number")] == [RunStatus.STOPPED, RunStatus.DONE]
    assert browser_of(bob).get(state, headers={"HX-Request": "true"})["HX-Refresh"] == "true"
    client.post(end, {"action": "delete"})
    assert not Run.objects.filter(number=1).exists()


def test_a_set_is_made_from_the_documents_in_the_browser(
    contracts: Datasource, alice: User, work: Callable[[], None]
) -> None:
    documents(contracts)
    client = browser_of(alice)
    address = reverse("question_sets", args=[contracts.pk])
    posted = client.post(address, {"name": "Mine", "single": 2, "multi": 0, "none": 1}, follow=True)
    assert "Questions are being made" in posted.content.decode()
    work()
    made = QuestionSet.objects.get(name="Mine")
    assert made.questions.count() >= 1
    assert "Last made" in client.get(reverse("question_set", args=[contracts.pk, made.pk])).content.decode()


def test_a_question_is_corrected_and_a_wrong_quote_is_told(contracts: Datasource, alice: User) -> None:
    made = question_set(contracts, alice)
    client = browser_of(alice)
    question = made.questions.get(kind=Kind.SINGLE)
    agreement = contracts.documents.get(title="Agreement")
    edit = reverse("question_edit", args=[contracts.pk, made.pk, question.key])
    assert BACKUPS in client.get(edit).content.decode()
    told = {"text": "How soon must an invoice be paid?", "kind": "single", "reference": "In 30 days."}
    gold = {"document": [agreement.pk], "quote": [INVOICES], "piece": ["1"]}
    assert client.post(edit, told | gold).status_code == 302
    new = made.questions.current().get(key=question.key)
    assert (new.text, new.gold.get().document_id) == ("How soon must an invoice be paid?", agreement.pk)
    wrong = client.post(edit, told | gold | {"quote": ["In ninety days."]}, follow=True)
    assert "These words are not in Agreement" in wrong.content.decode()
    unplaced = client.post(edit, told | gold | {"document": [""], "quote": ["Typed by hand."]})
    assert unplaced.status_code == 422
    assert "Choose the document that has these words" in unplaced.content.decode()
    assert "Typed by hand.</textarea>" in unplaced.content.decode(), "what was typed is not lost"
    none = client.post(edit, told | {"kind": "single"})
    assert none.status_code == 422
    assert "needs the quote" in none.content.decode()


# --- files -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("ending", "maker"), [("jsonl", as_jsonl), ("csv", as_csv), ("zip", as_beir)])
def test_what_is_exported_can_be_imported(
    contracts: Datasource, alice: User, ending: str, maker: Any
) -> None:
    made = question_set(contracts, alice)
    drafts = read(f"set.{ending}", maker(made), contracts)
    assert [draft.text for draft in drafts] == [question.text for question in made.questions.all()]
    assert [draft.kind for draft in drafts] == ["single", "multi", "none"]
    quotes = [sorted(proof.quote for proof in draft.proofs) for draft in drafts]
    assert quotes == [[BACKUPS], sorted([BACKUPS, INVOICES]), []]


@pytest.mark.parametrize(("ending", "maker"), [("jsonl", as_jsonl), ("csv", as_csv), ("zip", as_beir)])
def test_its_own_file_read_back_changes_questions_and_adds_none(
    contracts: Datasource, alice: User, ending: str, maker: Any
) -> None:
    made = question_set(contracts, alice)
    page, file = reverse("question_set", args=[contracts.pk, made.pk]), f"set.{ending}"
    keys = set(made.questions.values_list("key", flat=True))
    exported = maker(made)
    told = browser_of(alice).post(page, {"file": SimpleUploadedFile(file, exported)}, follow=True)
    assert "3 as before" in told.content.decode()
    assert made.questions.count() == 3
    made.questions.filter(kind=Kind.SINGLE).update(text="For how long?")
    told = browser_of(alice).post(page, {"file": SimpleUploadedFile(file, exported)}, follow=True)
    assert "1 changed, 2 as before" in told.content.decode()
    now = made.questions.current()
    assert set(now.values_list("key", flat=True)) == keys
    assert now.get(kind=Kind.SINGLE).text == "How long are backups kept?"
    assert [gold.quote for gold in now.get(kind=Kind.SINGLE).gold.all()] == [BACKUPS]
    made.refresh_from_db()
    assert (made.version, made.questions.count()) == (2, 4), "the old wording stays with earlier runs"


def test_a_question_that_stands_twice_in_a_file_is_refused(contracts: Datasource, alice: User) -> None:
    exported = as_jsonl(question_set(contracts, alice))
    file = SimpleUploadedFile("a.jsonl", exported + exported)
    page = browser_of(alice).post(
        reverse("question_sets", args=[contracts.pk]), {"name": "New", "file": file}
    )
    assert page.status_code == 422
    assert "is there twice" in page.content.decode()


def test_a_beir_archive_has_the_usual_files(contracts: Datasource, alice: User) -> None:
    with zipfile.ZipFile(io.BytesIO(as_beir(question_set(contracts, alice)))) as archive:
        assert set(archive.namelist()) == {"corpus.jsonl", "queries.jsonl", "qrels/test.tsv"}
        assert len(archive.read("corpus.jsonl").splitlines()) == 2
        assert archive.read("qrels/test.tsv").decode().splitlines()[0] == "query-id\tcorpus-id\tscore"
        assert len(archive.read("qrels/test.tsv").splitlines()) == 4


def test_a_spreadsheet_of_somebody_else_is_read(contracts: Datasource, alice: User) -> None:
    documents(contracts)
    table = (
        "Question,Source Docs,Question Type,Answer\n"
        "How long are backups kept?,*Questionnaire*,Single-Doc Single-Chunk RAG,Thirty days.\n"
        "What do both say?,*,Multi-Doc RAG,Much.\n"
    )
    client = browser_of(alice)
    file = SimpleUploadedFile("qna.csv", table.encode("utf-8-sig"), "text/csv")
    client.post(reverse("question_sets", args=[contracts.pk]), {"name": "Theirs", "file": file})
    made = QuestionSet.objects.get(name="Theirs")
    assert [question.kind for question in made.questions.all()] == ["single", "multi"]
    assert made.questions.first().gold.get().document_title == "Questionnaire"  # type: ignore[union-attr]
    assert made.questions.last().gold.count() == 2  # type: ignore[union-attr]


def zipped(files: dict[str, str], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", how) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()


QUERY = '{"_id": "q1", "text": "How long?"}'
PACKED = zipped({"queries.jsonl": QUERY * 50})
DAMAGED = PACKED[:60] + b"\x00\xff" * 3 + PACKED[66:]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.csv", b'question,gold\nW?,"[{""document"": ""A"", ""quote"": ""a\\u0000""}]"', "not text"),
        ("a.csv", b'question,gold\nW?,"[{""document"": ""\\ud800"", ""quote"": ""a""}]"', "not text"),
        ("a.jsonl", b'{"question": "W?", "x": ' + b"[" * 700 + b"]" * 700 + b"}", "lists within lists"),
        ("a.jsonl", b'{"question": "W?"}\n' * 2001, "more than 2,000 questions"),
        (
            "a.jsonl",
            b'{"question": "W?", "gold": [{"document": "A", "quote": "' + b"x" * 50_001 + b'"}]}',
            "50,000",
        ),
        ("a.jsonl", b'{"question": "W?", "kind": "none", "documents": "A"}', "is a no-source question"),
        (
            "a.jsonl",
            b"".join(b'{"question": "W?", "documents": "*%d*"}\n' % n for n in range(201)),
            "200 different",
        ),
        ("a.zip", DAMAGED, "cannot be read"),
        ("a.zip", PACKED[:-30], "cannot be read"),
        ("a.zip", zipped({"queries.jsonl": QUERY}, zipfile.ZIP_LZMA), "ordinary zip"),
        ("a.zip", zipped({"corpus.jsonl": " " * 50_000_001}), "more than 50 MB"),
        ("a.jsonl", b"{}", "Line 1 has no question"),
        ("a.jsonl", b"[]", "not a JSON object"),
        ("a.jsonl", b"nonsense", "Line 1 is not JSON"),
        ("a.jsonl", b"\xff\xfe", "not UTF-8"),
        ("a.jsonl", b" ", "no questions"),
        ("a.jsonl", b"", "file is empty"),
        ("a.csv", b"Frage;Antwort\nWarum?;Darum.\n", "no column “question”, but: frage, antwort"),
        ("a.zip", b"PK nonsense", "cannot be read"),
        ("a.csv", b'question\n"Why?\nHow?\n', "not CSV (unexpected end of data)"),
        ("a.csv", b"Question,Gold\nWhy?,{nonsense", "gold of line 2 is not JSON"),
        ("a.jsonl", b'{"question": "Why\\u0000?"}', "Line 1 has characters that are not text"),
        ("a.jsonl", b'{"question": "Why?", "documents": "zz\\ud800"}', "characters that are not text"),
        ("a.jsonl", b'{"question": ["a", "b"]}', "question of line 1 is not text"),
        ("a.jsonl", b'{"question": "W?", "gold": [{"document": "a", "piece": 99999}]}', "piece above 99"),
        ("a.jsonl", b'{"question": "W?", "gold": "' + b"[" * 100_000 + b'"}', "not JSON"),
        ("a.jsonl", b'{"question": "W?", "documents": "' + b"a;" * 60 + b'"}', "more than 50 places"),
        ("a.jsonl", b'{"question": "W?", "answer": "' + b"x" * 50_001 + b'"}', "limit is 50,000"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(
    contracts: Datasource, alice: User, name: str, content: bytes, words: str
) -> None:
    file = SimpleUploadedFile(name, content, "text/plain")
    page = browser_of(alice).post(
        reverse("question_sets", args=[contracts.pk]), {"name": "New", "file": file}
    )
    assert page.status_code == 422
    assert words in page.content.decode()
    assert not QuestionSet.objects.exists()


def test_an_archive_with_several_qrels_is_read_whole(contracts: Datasource, alice: User) -> None:
    documents(contracts)
    corpus = [{"_id": "a", "title": "Questionnaire", "text": BACKUPS}]
    corpus += [{"_id": "b", "title": "Agreement", "text": INVOICES}]
    queries = [{"_id": "q1", "text": "How long?"}, {"_id": "q2", "text": "How soon?"}]
    archive = zipped(
        {
            "scifact/corpus.jsonl": "\n".join(map(json.dumps, corpus)),
            "scifact/queries.jsonl": "\n".join(map(json.dumps, queries)),
            "scifact/qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\ta\t1\n",
            "scifact/qrels/train.tsv": "query-id\tcorpus-id\tscore\nq2\tb\t1\n",
            "__MACOSX/._corpus.jsonl": "not of BEIR",
        }
    )
    drafts = read("scifact.zip", archive, contracts)
    assert [draft.kind for draft in drafts] == [Kind.SINGLE, Kind.SINGLE]


def test_a_large_file_of_questions_is_taken() -> None:
    for route in ("question_sets", "question_set"):
        assert settings.BODY_LIMITS[route] > 20_000_000, "its own export of a few documents has so much"


def test_what_could_not_be_added_to_a_set_is_told_where_it_was_asked(
    contracts: Datasource, alice: User
) -> None:
    made = create_set(contracts, "Mine", alice)
    address = reverse("question_set", args=[contracts.pk, made.pk])
    for told, words in (
        ({"file": SimpleUploadedFile("a.jsonl", b"nonsense")}, "Line 1 is not JSON"),
        ({"single": 0}, "Choose how many questions to make"),
    ):
        page = browser_of(alice).post(address, told).content.decode()
        opened = page.index('open><summary class="m">Add questions')
        assert opened < page.index(words)


def test_a_table_with_semicolons_and_empty_rows_is_read(contracts: Datasource) -> None:
    table = "Question;Answer\nHow long, and where, are backups kept?;Thirty days.\n;\n"
    drafts = read("a.csv", table.encode(), contracts)
    told = [(draft.text, draft.reference) for draft in drafts]
    assert told == [("How long, and where, are backups kept?", "Thirty days.")]


@pytest.mark.parametrize("maker", [as_csv, as_jsonl])
def test_odd_questions_come_back_as_they_were(contracts: Datasource, alice: User, maker: Any) -> None:
    made = question_set(contracts, alice)
    odd = ["=1+1?", "'=1+1?", "'quoted' or not?", "-5 or 5?", "Line\u2028break?"]
    drafts = [Draft(kind=Kind.NONE, text=text, reference="@home") for text in odd]
    add_questions(made, drafts, Origin.PERSON)
    ending = "csv" if maker is as_csv else "jsonl"
    back = read(f"set.{ending}", maker(made), contracts)
    assert [draft.text for draft in back][3:] == odd
    assert back[-1].reference == "@home"


def test_a_page_that_is_not_there_is_stale(contracts: Datasource, alice: User) -> None:
    documents(contracts)
    rows = b'{"question": "W?", "documents": "Agreement", "pages": "1"}\n'
    rows += b'{"question": "V?", "documents": "Agreement", "pages": "999"}'
    made = create_set(contracts, "Pages", alice)
    add_questions(made, read("a.jsonl", rows, contracts), Origin.IMPORT)
    assert [question.is_stale for question in made.questions.all()] == [False, True]


def test_figures_of_an_answer_tell_its_page(contracts: Datasource, alice: User) -> None:
    make_document(contracts, "Report", "Net sales were $82,959 million in the third quarter.")
    make_document(contracts, "Other", "Net sales were not told.")
    table = "Question,Source Docs,Answer\n" + (
        'What were net sales?,*Report*,"They were 82,959."\nAnd what else?,*Other*,"It is 1,234."\n'
    )
    told, untold = read("qna.csv", table.encode(), contracts)
    assert [(proof.title, proof.page) for proof in told.proofs] == [("Report", 1)]
    assert [(proof.title, proof.page) for proof in untold.proofs] == [("Other", None)]


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"own": "model=" + "x" * 300}, "at most 200 characters"),
        ({"token_budget": "9" * 30}, "less than or equal"),
        ({"money_budget": "1e300"}, "Enter a number"),
        ({"money_budget": "9" * 20}, "digits"),
        ({"money_budget": "0"}, "greater than or equal to"),
        ({"set": "999999"}, "not there any more"),
        ({"own": "model=gpt-9"}, "No language model is connected for “model=gpt-9”"),
    ],
)
def test_what_no_run_can_be_is_refused_in_the_form(
    contracts: Datasource, alice: User, told: dict[str, str], words: str
) -> None:
    made = question_set(contracts, alice)
    address = reverse("evaluation_new", args=[contracts.pk])
    page = browser_of(alice).post(address, {"set": made.pk, "variant": ["search"]} | told)
    assert page.status_code == 422
    assert words in page.content.decode()
    assert not Run.objects.exists()


def test_runs_with_one_question_are_compared(
    contracts: Datasource, alice: User, work: Callable[[], None]
) -> None:
    made = question_set(contracts, alice)
    made.questions.exclude(kind=Kind.SINGLE).delete()
    start_runs(alice, made, ["search", "search,legs=bm25"])
    work()
    Result.objects.filter(run__number=1).update(scores={"recall_at_5": 0.0, "relevance_at_5": 0.0})
    page = browser_of(alice).get(f"{reverse('evaluation', args=[contracts.pk])}?run=2&against=1")
    assert "no difference that 1 question could show" in page.content.decode()


def test_a_run_of_the_search_alone_is_told_as_such(
    contracts: Datasource, alice: User, bob: User, work: Callable[[], None]
) -> None:
    made = start_runs(alice, question_set(contracts, alice), ["keyless", "search"])
    work()
    told = compared(made[1], made[0])
    assert told.count("same") == 2, "both have searched alike, and that is all that they have in common"
    assert told.quality.n == 2
    client = browser_of(bob)
    absent = made[1].questions().get(kind=Kind.NONE)
    address = reverse("evaluation_question", args=[contracts.pk, 2, absent.pk])
    page = client.get(f"{address}?against=1").content.decode()
    assert "measured the search alone" in page
    assert "Run 2 only searched." in page
    assert "It should have been refused" not in page
    overview = client.get(reverse("evaluation", args=[contracts.pk]) + "?run=2&against=1").content.decode()
    assert "no question was answered" in overview
    assert '<h2 class="h-plain small m">Recall at 5</h2>' in overview
    assert "Completeness</h2>" not in overview, "no card without a figure"
    report = client.get(reverse("evaluation_export", args=[contracts.pk, 2, "html"])).content.decode()
    assert "Recall at 5" in report
    assert "<td>Completeness" not in report, "a row without a figure says nothing"
    assert "Rank all passages together" in report, "settings have the names that people know"


def test_the_report_has_every_question(contracts: Datasource, alice: User, bob: User) -> None:
    made = create_set(contracts, "Long", alice)
    drafts = [Draft(kind=Kind.NONE, text=f"What is mascot {at:03}?", reference="") for at in range(120)]
    asked = add_questions(made, drafts, Origin.PERSON)
    run = started(made, alice)
    Result.objects.bulk_create(
        Result(run=run, question=question, outcome="not_found", scores={"refused": 1.0}) for question in asked
    )
    report = browser_of(bob).get(reverse("evaluation_export", args=[contracts.pk, 1, "html"]))
    assert sum(f"mascot {at:03}?" in report.content.decode() for at in range(120)) == 120


def test_a_run_is_taken_away_as_files(contracts: Datasource, bob: User, runs: list[Run]) -> None:
    client = browser_of(bob)

    def file(form: str, query: str = "") -> Any:
        return client.get(reverse("evaluation_export", args=[contracts.pk, 2, form]) + query)

    table = file("csv").content.decode("utf-8-sig").splitlines()
    assert table[0].startswith("question,kind,outcome,answer")
    assert len(table) >= 4
    told = json.loads(file("json", "?against=1").content)
    assert len(told["results"]) == 3
    assert told["against"]["run"] == 1
    assert told["settings"]["legs"] == ["bm25"]
    report = file("html", "?against=1").content.decode()
    assert "The share of the retrieved passages" in report
    assert file("exe").status_code == 404


def test_cells_of_a_spreadsheet_are_no_formulas(contracts: Datasource, alice: User) -> None:
    made = question_set(contracts, alice)
    made.questions.filter(kind=Kind.NONE).update(text="=HYPERLINK(1)")
    assert b"'=HYPERLINK(1)" in as_csv(made)


def test_runs_are_compared_by_the_questions_that_both_asked(
    contracts: Datasource, alice: User, work: Callable[[], None]
) -> None:
    made = question_set(contracts, alice)
    first = started(made, alice)
    made.questions.filter(kind=Kind.NONE).update(until=2)
    made.write(version=2)
    second = started(made, alice)
    work()
    told = compared(second, first)
    assert len(told.rows) == 2
    assert told.quality.n == 2
    assert told.count("same") == 2
    assert told.count("worse") == 0


def test_the_menu_has_it_before_the_first_document(contracts: Datasource, alice: User) -> None:
    client, here = browser_of(alice), reverse("evaluation", args=[contracts.pk])
    assert f'href="{here}"' in client.get(reverse("chat", args=[contracts.pk])).content.decode()
    assert "Nothing has been measured yet" in client.get(here).content.decode()


def test_a_program_makes_a_set_starts_runs_and_reads_results(
    contracts: Datasource, alice: User, bob: User, work: Callable[[], None]
) -> None:
    made = question_set(contracts, alice)
    client = browser_of(alice)
    here = f"/api/v1/data-sources/{contracts.pk}"
    new = client.post(
        f"{here}/evaluation-runs",
        {"question_set": made.pk, "variants": ["search"]},
        content_type="application/json",
    )
    assert new.status_code == 201
    work()
    number = new.json()[0]["id"]
    told = browser_of(bob).get(f"/api/v1/evaluation-runs/{number}").json()
    assert (told["status"], told["summary"]["answered"]) == ("done", 3)
    results = browser_of(bob).get(f"/api/v1/evaluation-runs/{number}/results").json()
    assert results["count"] == 3
    assert results["results"][0]["scores"]["recall_at_5"] == 1.0
    wrong = client.post(
        f"{here}/evaluation-runs",
        {"question_set": made.pk, "variants": ["warp=9"]},
        content_type="application/json",
    )
    assert (wrong.status_code, wrong.json()["code"]) == (400, "variant")
    listed = browser_of(bob).get(f"{here}/question-sets").json()["results"][0]
    assert listed["questions"] == {"single": 1, "multi": 1, "none": 1}
