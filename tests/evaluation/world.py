"""Documents, sets and runs that tests of the evaluation share."""

from accounts.models import User
from datasources.models import Datasource, Document
from desks.evaluation.models import Kind, Origin, QuestionSet, Run
from desks.evaluation.questions.draft import Draft, Proof
from desks.evaluation.questions.services import add_questions, create_set
from desks.evaluation.runs.services import start_runs
from tests.factories import make_document

BACKUPS = "Backups are kept for thirty days in a second region."
INVOICES = "The Customer shall pay each valid invoice within 30 days of receiving it."


def documents(datasource: Datasource) -> tuple[Document, Document]:
    return (
        make_document(datasource, "Questionnaire", BACKUPS),
        make_document(datasource, "Agreement", INVOICES),
    )


def proof(document: Document, quote: str, piece: int = 0) -> Proof:
    return Proof(document_id=document.pk, title=document.title, quote=quote, piece=piece)


def question_set(datasource: Datasource, person: User, name: str = "First") -> QuestionSet:
    """A question of each kind about two documents."""
    backups, invoices = documents(datasource)
    made = create_set(datasource, name, person)
    drafts = [
        Draft(
            kind=Kind.SINGLE,
            text="How long are backups kept?",
            reference=BACKUPS,
            proofs=(proof(backups, BACKUPS),),
        ),
        Draft(
            kind=Kind.MULTI,
            text="How long are backups kept, and how soon must the Customer pay an invoice?",
            reference=f"{BACKUPS}\n{INVOICES}",
            proofs=(proof(backups, BACKUPS), proof(invoices, INVOICES, piece=1)),
        ),
        Draft(kind=Kind.NONE, text="What is the mascot of the orchestra?", reference="Not there."),
    ]
    add_questions(made, drafts, Origin.PERSON, author=person)
    return made


def started(question_set: QuestionSet, person: User, variant: str = "") -> Run:
    return start_runs(person, question_set, [variant])[0]
