"""What the agent may ask of frameworks and assessments, where there are such (settings.AGENT_TOOLS)."""

from collections.abc import Sequence

from django.db.models import Q
from pydantic import BaseModel, Field

from datasources.models import Datasource
from desks.compliance.checks.evidence import evidence_of
from desks.compliance.checks.standing import standings
from desks.compliance.frameworks.text import documents_of
from desks.compliance.models import Assessment, Evidence, Framework, Requirement
from ingestion.models import Chunk
from providers.protocols import Embedder
from retrieval.engine import Query, retrieve
from retrieval.evidence import Evidence as Passage
from retrieval.evidence import evidence_of as passage_of
from retrieval.query import LIMIT, MAX_LIMIT, Scope
from retrieval.tools.registry import ToolSource
from retrieval.tools.tool import Note, Tool, distinct
from text.search.search_terms import terms

MOST_NAMED = 60  # requirements of an assessment that are told of
MOST_WORDINGS = 8  # requirements whose words are told where there is no text to quote
LONGEST_WORDING = 300  # characters


class SearchArguments(BaseModel):
    """Find what a framework (a regulation, a standard) that is used here requires. It searches the text of
    the framework, not what vendors wrote."""

    query: str = Field(min_length=1, max_length=1000, description="What is required, in a full sentence.")
    domain: str = Field(default="", max_length=120, description="One domain of the framework, or nothing.")
    limit: int = Field(default=LIMIT, ge=1, le=MAX_LIMIT, description="How many passages.")


class LookupArguments(BaseModel):
    """Look up how a vendor was assessed against a framework that is used here: the verdict on each
    requirement, and the vendor's words that were found for it."""

    vendor: str = Field(default="", max_length=120, description="The vendor's name; nothing for all vendors.")
    requirement: str = Field(default="", max_length=120, description="A reference such as 30.2, or nothing.")


def search(scope: Scope, embedder: Embedder, arguments: SearchArguments) -> tuple[list[Passage], Note]:
    datasource = Datasource.objects.get(pk=scope.datasource_id)
    used = list(Framework.objects.filter(attachments__datasource=datasource))
    domain = _domain_named(used, arguments.domain)
    documents = {
        pk for each in used for pk in documents_of(each, datasource, domain).values_list("pk", flat=True)
    }
    note = (
        ""
        if domain or not arguments.domain
        else f"There is no domain “{arguments.domain}”: all were searched."
    )
    if not documents:
        return [], Note(text=f"{note} {_wordings(used, domain, arguments.query)}".strip())
    inside = Scope(
        user_id=scope.user_id,
        datasource_id=scope.datasource_id,
        document_ids=frozenset(documents),
        embedded_by=scope.embedded_by,
    )
    found = retrieve(Query(text=arguments.query, k=arguments.limit), inside, embedder)
    return list(found.evidence), Note(text=note)


def _domain_named(used: Sequence[Framework], named: str) -> str:
    """As the framework writes it; empty where there is no such domain."""
    rows = (
        Requirement.objects.filter(framework__in=used, domain__iexact=named.strip())
        if named.strip()
        else None
    )
    return (rows.values_list("domain", flat=True).first() or "") if rows is not None else ""


def _wordings(used: Sequence[Framework], domain: str, query: str) -> str:
    """What may be said but not quoted if the framework's text is not among the documents."""
    sought = set(terms(query))
    rows = Requirement.objects.filter(framework__in=used).select_related("framework")
    rows = rows.filter(domain=domain) if domain else rows
    ranked = sorted(rows, key=lambda row: -len(sought & set(terms(f"{row.title} {row.text}"))))
    told = [
        f"{row.framework.short_name} {row.ref}: {row.wording[:LONGEST_WORDING]}"
        for row in ranked[:MOST_WORDINGS]
    ]
    return (
        "The framework's text is not among the documents, so it cannot be quoted. Nearest requirements:\n"
        + "\n".join(told)
    )


def look_up(scope: Scope, embedder: Embedder, arguments: LookupArguments) -> tuple[list[Passage], Note]:
    rows = Assessment.objects.filter(datasource=scope.datasource_id).select_related("framework", "subject")
    if arguments.vendor.strip():
        rows = rows.filter(subject__name__icontains=arguments.vendor.strip())
    lines: list[str] = []
    passages: list[Passage] = []
    for assessment in rows[:20]:
        wanted = assessment.framework.requirements.assessable()
        if ref := arguments.requirement.strip():
            wanted = wanted.filter(
                Q(ref__iexact=ref) | Q(ref__istartswith=f"{ref}.") | Q(title__icontains=ref)
            )
        stood = [each for each in standings(assessment, list(wanted), whole=True) if each.is_checked]
        lines.append(f"{assessment}:")
        shown = evidence_of(each.finding for each in stood[:MOST_NAMED])
        for each in stood[:MOST_NAMED]:
            by = f", said by {each.review.person}" if each.review else ", found by a check, not reviewed"
            lines.append(f"- {each.requirement.name[:120]}: {each.verdict.label if each.verdict else ''}{by}")
            quotes = shown[each.finding.pk].rows if each.finding else ()
            passages += [chunk for quote in quotes[:2] if (chunk := _chunk_of(quote, scope))]
    if not lines:
        return [], Note(text="No such assessment was made here.")
    return distinct(passages)[:MAX_LIMIT], Note(text="\n".join(lines))


def _chunk_of(row: Evidence, scope: Scope) -> Passage | None:
    """The chunk that has the quote, where the turn may search it."""
    held: Chunk | None = (
        scope.chunks()
        .filter(document=row.document_id, start__lte=row.start, end__gt=row.start)
        .select_related("document")
        .order_by("-start")
        .first()
    )
    return passage_of(held, score=1.0) if held else None


SEARCH_FRAMEWORK = Tool(
    name="search_framework",
    label="Search the framework",
    icon="list-checks",
    arguments=SearchArguments,
    run=lambda *asked: search(*asked)[0],
    with_note=search,
)
LOOKUP_ASSESSMENT = Tool(
    name="lookup_assessment",
    label="Look up the assessment",
    icon="list-checks",
    arguments=LookupArguments,
    run=lambda *asked: look_up(*asked)[0],
    with_note=look_up,
)


class ComplianceTools(ToolSource):
    def tools(self, datasource_id: int, person_id: int | None) -> Sequence[Tool]:
        datasource = Datasource.objects.filter(pk=datasource_id, framework_attachments__isnull=False)
        if not datasource.exists():
            return ()
        assessed = Assessment.objects.filter(datasource=datasource_id).exists()
        return (SEARCH_FRAMEWORK, LOOKUP_ASSESSMENT) if assessed else (SEARCH_FRAMEWORK,)
