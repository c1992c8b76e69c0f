"""People with different rights, and one of everything that an address may name."""

import zlib
from datetime import timedelta
from types import SimpleNamespace
from uuid import uuid4

import numpy as np
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.api_tokens import make_token
from accounts.identity.models import IdentityProvider, Language
from accounts.models import AccountInvitation, PeopleGroup, TokenScope, User
from accounts.programs.models import Grant, Program
from accounts.programs.rule import resource
from accounts.scim.models import Directory, DirectoryGroup, DirectoryPerson
from accounts.secret_texts import digest
from datasources.models import Datasource, Deletion, Document, Matter, Role
from datasources.services import create_datasource, share, share_with_group
from desks.compliance.checks.subjects import create_subject
from desks.compliance.frameworks.services import attach
from desks.compliance.models import (
    Assessment,
    Check,
    CheckStatus,
    Evidence,
    EvidenceKind,
    Finding,
    Framework,
    Requirement,
    Verdict,
)
from desks.evaluation.models import Kind, Origin, Question, Result, Run, RunStatus
from desks.evaluation.questions.draft import Draft, Proof
from desks.evaluation.questions.services import add_questions, create_set
from desks.evaluation.runs.services import start_runs
from desks.research.arxiv_api.feed import ArxivPaper
from desks.research.arxiv_api.query import PaperQuery
from desks.research.models import ImportStatus, ItemStatus, PaperImport, PaperSearch, SearchStatus
from desks.research.papers import describe
from desks.research.services import start_import
from desks.tables.filling.proof import Found, put
from desks.tables.models import Cell
from desks.tables.services import Asked, create_table
from exchange.bundles.models import BundleImport
from exchange.connectors.services import connect
from exchange.outside_tools.models import OutsideServer
from exchange.outside_tools.offers import offer_of
from exchange.outside_tools.services import attach as attach_tools
from exchange.outside_tools.services import key_of
from exchange.shares.services import make_link
from exchange.webhooks.services import make_webhook
from graph.aggregate import mentions, update
from graph.curation import services
from graph.extraction.rules.extractor import Rules
from graph.models import Entity, EntityName, MergeCandidate, Relation
from ingestion.models import Chunk
from memos.models import Memo
from providers.connections.services import allow_owners
from svq_site.scim.resources import USER
from svq_site.serving.refusals import SCIM
from tests.addresses import ANYONE, ASKER, EDITOR, OWNER, SIGNED_IN, VIEWER
from tests.factories import make_document, make_turn
from tests.people import person, sign_in

SECRET = "Quetzalcoatl"  # in every name and text of alice's datasource
PRIVATE = "Xochimilco"  # in alice's conversation, which is hers alone
DIRECTORY_TOKEN = "scim_of-the-directory-of-the-world"


def server_that_asks_each_person(datasource: Datasource, owner: User) -> OutsideServer:
    """One of its tools is ticked."""
    offer = offer_of("rate", "Tell the rate.", {"type": "object"})
    server = OutsideServer.objects.create(
        name="Tariffs",
        address="https://tariffs.example/mcp",
        is_per_person=True,
        is_for_owners=True,
        listed=[offer.as_json()],
    )
    attach_tools(datasource, [key_of(server, offer)], by=owner)
    return server


def make_world(contracts: Datasource, alice: User, bob: User, charlie: User) -> SimpleNamespace:
    """alice owns a datasource with secrets, erin edits it by a group alone, bob reads it, ann may only ask
    there; charlie has one of his own.
    """
    cache.clear()  # throttles count there
    allow_owners(connect=True, private_addresses=False)
    erin, ann = person("erin"), person("ann")
    share(contracts, ann, Role.ASKER)
    group = PeopleGroup.objects.create(name="Editors")
    group.members.create(person=erin)
    share_with_group(contracts, group, Role.EDITOR)
    directory = follow_directory(bob, group)
    recipes = create_datasource(charlie, "Recipes")
    make_document(recipes, "Soup", "Boil it for an hour.")
    share(recipes, ann, Role.VIEWER)
    alice.name = f"Alice {SECRET}"
    alice.save()
    contracts.name, contracts.description = f"{SECRET} contracts", f"About {SECRET}"
    contracts.save()
    document = make_document(contracts, f"{SECRET} report", f"The {SECRET} clause ends in May.")
    place_letters(document)
    turn = make_turn(alice, document, f"Does {PRIVATE} matter?")
    entity = learn(document)
    decision = services.rename(entity, f"{SECRET} itself", alice)
    relation, candidate = compare(entity)
    question, run = evaluate(document, alice)
    cell = fill_table(document, alice)
    evidence = assess(document, alice)
    matter = matter_with(contracts, alice, group, bob)
    matter.shares.create(person=ann, role=Role.ASKER)
    connector = connect(contracts, "webdav", f"https://dav.example/{SECRET}/", by=alice)
    return SimpleNamespace(
        people={OWNER: alice, EDITOR: erin, VIEWER: bob, ASKER: ann, SIGNED_IN: charlie, ANYONE: None},
        datasource=contracts.pk,
        datasource_as_model=f"svq-{contracts.pk}",
        document_as_id=f"svq-{document.pk}",
        section="reading",
        matter=matter.pk,
        matter_share=matter.shares.get(group=group).pk,
        document=document.pk,
        chunk=Chunk.objects.get(document=document).pk,
        conversation=turn.conversation_id,
        turn=turn.pk,
        entity=entity.pk,
        decision=decision.pk,
        relation=relation.pk,
        candidate=candidate.pk,
        note=contracts.notes.create(author=alice, question=f"Does {SECRET} matter?").pk,
        memo=memo_with_a_source(contracts, alice).pk,
        memo_form="md",
        deletion=receipt_of(contracts).pk,
        token=make_token(alice, name=PRIVATE, scopes=list(TokenScope), datasource_ids=[contracts.pk], days=1)[
            0
        ].pk,
        grant=let_in_program(alice).pk,
        share_link=make_link(alice, turn, recipient=PRIVATE, days=1)[0].pk,
        share_token="a-token-of-no-link",
        bob=bob.pk,
        provider=IdentityProvider.objects.create(
            name="Arden", issuer="http://127.0.0.1:9", client_id="svq"
        ).pk,
        saml_provider=IdentityProvider.objects.create(
            language=Language.SAML, name="Helios", issuer="http://127.0.0.1:9/entity", client_id="svq"
        ).pk,
        invitation=contracts.invitations.create(email="dora@example.org").pk,
        group=group.pk,
        directory=directory.pk,
        scim_type="User",
        scim_schema=USER,
        connector=connector.pk,
        reader=connector.counterparts.create(key="other:readers", name=f"{SECRET} readers").pk,
        outside_server=OutsideServer.objects.create(name="Rates", address="https://rates.example/mcp").pk,
        asking_server=server_that_asks_each_person(contracts, alice).pk,
        webhook=make_webhook(contracts, "https://hooks.example/", ["run.fell"], by=alice)[0].pk,
        bundle_import=BundleImport.objects.create(
            owner=alice, filename=f"{SECRET}.zip", status="done", reserved=0
        ).pk,
        join_link=contracts.join_links.create(
            made_by=alice, digest="0" * 64, expires=timezone.now() + timedelta(days=1)
        ).pk,
        account_invitation=AccountInvitation.objects.create(
            email="fred@example.org", made_by=alice, digest="0" * 64, expires=timezone.now()
        ).pk,
        first=1,
        tenth=10,
        form="json",
        question_set=question.question_set_id,
        question=question.pk,
        question_key=question.key,
        run=run.pk,
        table=cell.row.table_id,
        set_form="csv",
        bibliography="bib",
        calendar="ics",
        paper_search=PaperSearch.objects.create(
            asked_by=alice, query=PaperQuery(words=PRIVATE).as_json(), status=SearchStatus.DONE
        ).pk,
        paper_import=research(document, alice).pk,
        framework=evidence.finding.requirement.framework_id,
        requirement=evidence.finding.requirement_id,
        subject=evidence.finding.assessment.subject_id,
        assessment=evidence.finding.assessment_id,
        check=evidence.finding.made_in_id,
        evidence=evidence.pk,
    )


def follow_directory(member: User, group: PeopleGroup) -> Directory:
    """It knows of everybody, and keeps the group and one account."""
    made = Directory.objects.create(name="Arden", digest=digest(DIRECTORY_TOKEN), beginning="scim_of-the-")
    DirectoryPerson.objects.create(person=member, directory=made)
    DirectoryGroup.objects.create(group=group, directory=made)
    return made


def let_in_program(person: User) -> Grant:
    """One that has a token already."""
    made = Program.objects.create(
        client_id="notebook", name=PRIVATE, redirect_uris=["https://notes.example/"]
    )
    token, _ = make_token(
        person, name=f"{PRIVATE} Arden", scopes=[TokenScope.READ], datasource_ids=None, days=1
    )
    return Grant.objects.create(
        token=token, program=made, scopes=token.scopes, resource=resource(), ends=token.expires
    )


def place_letters(document: Document) -> None:
    """All letters of its only page at one place, so that what is quoted of it can be cut out."""
    page = document.pages.get()
    boxes = np.tile(np.array([6000, 6000, 7000, 7000], dtype="<u2"), (len(page.text), 1))
    page.boxes = zlib.compress(boxes.tobytes())
    page.save(update_fields=["boxes"])


def matter_with(datasource: Datasource, owner: User, group: PeopleGroup, reader: User) -> Matter:
    """The owner's matter with the datasource: the group edits it, the reader reads it."""
    made = Matter.objects.create(name=f"{SECRET} v. Halden")
    made.shares.create(person=owner, role=Role.OWNER)
    made.shares.create(group=group, role=Role.EDITOR)
    made.shares.create(person=reader, role=Role.VIEWER)
    datasource.matter = made
    datasource.save()
    return made


def evaluate(document: Document, author: User) -> tuple[Question, Run]:
    """A question about the document, and the first run that asked it."""
    made = create_set(document.datasource, f"{SECRET} questions", author)
    text = Chunk.objects.get(document=document).text
    proof = Proof(document_id=document.pk, title=document.title, quote=text)
    draft = Draft(
        kind=Kind.SINGLE, text=f"When does the {SECRET} clause end?", reference=text, proofs=(proof,)
    )
    question = add_questions(made, [draft], Origin.PERSON, author=author)[0]
    run = start_runs(author, made, queued=False)[0]
    run.write(status=RunStatus.DONE)
    Result.objects.create(
        run=run, question=question, outcome="quotes", answer=text, scores={"completeness": 1.0}
    )
    return question, run


def fill_table(document: Document, author: User) -> Cell:
    """The filled cell of a table that has the document."""
    columns = [Asked(name="End", question=f"When does the {SECRET} clause end?")]
    table = create_table(author, document.datasource, f"{SECRET} table", columns, [document.pk])
    cell = Cell.objects.select_related("row").get(row__table=table)
    text = Chunk.objects.get(document=document).text
    put(cell, Found(value="in May", quote=text, start=0, method="exact"), document)
    cell.save()
    return cell


def research(document: Document, person: User) -> PaperImport:
    """The document is a paper, and came with an import."""
    told = ArxivPaper(
        number="2401.00001",
        version=1,
        title=document.title,
        authors=(f"Ada {SECRET}",),
        abstract=f"About {SECRET}.",
        published="2024-01-01T00:00:00+00:00",
        updated="2024-01-01T00:00:00+00:00",
    )
    describe(document, told, has_full_text=True)
    row = start_import(document.datasource, person, [told.id], queued=False)
    row.imported_papers.update(status=ItemStatus.DONE, document=document, title=told.title)
    row.write(status=ImportStatus.DONE)
    return row


def assess(document: Document, author: User) -> Evidence:
    """A framework and a vendor, one requirement of which was found to be covered by the document."""
    framework = Framework.objects.create(owner=author, name=f"{SECRET} rules", source="CSV")
    requirement = Requirement.objects.create(
        framework=framework, position=1, ref="1", text=f"About {SECRET}.", is_assessable=True
    )
    attach(framework, document.datasource, author)
    subject = create_subject(document.datasource, f"{SECRET} Ltd", [document.pk])
    assessment = Assessment.objects.create(
        datasource=document.datasource, framework=framework, subject=subject
    )
    check = Check.objects.create(
        assessment=assessment, number=1, status=CheckStatus.DONE, finished=timezone.now()
    )
    finding = Finding.objects.create(
        assessment=assessment,
        requirement=requirement,
        made_in=check,
        verdict=Verdict.COVERED,
        model="made",
        read=[document.pk],
        parts=[{"text": SECRET, "verdict": "covered", "statement": SECRET, "reason": ""}],
    )
    return Evidence.objects.create(
        finding=finding,
        n=1,
        kind=EvidenceKind.QUOTE,
        document=document,
        title=document.title,
        sha256=document.sha256,
        quote=Chunk.objects.get(document=document).text,
        start=0,
        end=10,
        pages=[1],
        boxes={"1": [[100, 100, 600, 120]]},
        on_page="exact",
        support="supported",
    )


def memo_with_a_source(datasource: Datasource, author: User) -> Memo:
    """Its text does not cite the source."""
    source = {"n": 1, "document": None, "title": SECRET, "pages": [1], "where": "page 1", "quote": SECRET}
    memo: Memo = datasource.memos.create(
        author=author, title=f"{SECRET} memo", text=f"About {SECRET}.", sources=[source | {"said": ""}]
    )
    return memo


def receipt_of(datasource: Datasource) -> Deletion:
    """The receipt of a document that was there once."""
    return Deletion.objects.create(
        batch=uuid4(),
        owner=datasource.owner,
        datasource=datasource.pk,
        datasource_name=datasource.name,
        document=0,
        document_name=f"{SECRET} draft",
    )


def learn(document: Document) -> Entity:
    """What the document names enters the graph; one such thing."""
    chunks = list(document.chunks.all())
    mentions.store(chunks, Rules().extract(document.title, [chunk.text for chunk in chunks]), Rules.name)
    update.change(document.datasource_id, added=[document.pk])
    return Entity.objects.filter(datasource=document.datasource_id).earliest("pk")


def compare(entity: Entity) -> tuple[Relation, MergeCandidate]:
    """Another thing, what is said of both, and the question whether they are one."""
    more = {"datasource": entity.datasource, "key": "other", "name": f"{SECRET} other"}
    other = Entity.objects.create(**more)
    name = EntityName.objects.create(entity=other, **more)
    return (
        Relation.objects.create(
            datasource=entity.datasource, source=entity, target=other, description=f"About {SECRET}."
        ),
        MergeCandidate.objects.create(datasource=entity.datasource, a=entity.names.get(), b=name, score=0.9),
    )


def client_at(path: str, user: User | None) -> Client:
    """Whoever asks there: at the addresses of directories the one of the world, elsewhere this person."""
    return client_with(DIRECTORY_TOKEN) if path.startswith(SCIM) else client_of(user)


def client_with(token: str) -> Client:
    headers = {"Authorization": f"Bearer {token}"} if token else None
    return Client(raise_request_exception=False, headers=headers)


def client_of(user: User | None) -> Client:
    client = Client(raise_request_exception=False)
    if user:
        sign_in(client, user)
    return client
