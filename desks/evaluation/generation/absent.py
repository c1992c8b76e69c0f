"""No-source questions by rule: about what the documents are about, asking what no passage says.

Every question is checked by a complete look at the words of all chunks; what that proves is its reference.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from datasources.models import Datasource
from desks.evaluation.generation.corpus import Corpus
from desks.evaluation.models import Kind
from desks.evaluation.questions.draft import Draft
from english.companies import FORM
from english.dates import RECENT_YEAR
from graph.models import Entity
from text.counted import counted
from text.search.search_terms import terms

ATTRIBUTES = Path(__file__).parent / "attributes.txt"
OF_PEOPLE = Path(__file__).parent / "attributes_of_people.txt"
DUTIES = Path(__file__).parent / "duties.txt"
THINGS = 40  # most named ones
PEOPLE, TOLD_OF = 6, 5  # people, and the times that each is named at the least
NAMES_AT_MOST = 4  # of which one attribute is asked
_TYPES = ("ORGANIZATION", "PRODUCT", "AGREEMENT")
_ABOUT_PARTIES = ("deadline", "condition", "payment")  # rules whose subject has a duty: "the Supplier"
_COMPANY = re.compile(rf"\w{{2}} {FORM}\.?$")
_PERSON = re.compile(r"[A-Z][a-z]+(?: [A-Z][a-z’'-]+){0,2}")
_ROLE = re.compile(
    r".*(?:Officer|President|Director|Manager|Secretary|Chair\w*|Counsel|Treasurer|Controller|Chief|Head)\b.*"
)
_SHOUTED = re.compile(r"[A-Z]{6,}|.* [A-Z]{5,}\b.*")  # a heading, or words of law, and no name
_YEAR = re.compile(rf"\b{RECENT_YEAR}\b")
_YEARS = ("1987", "1994", "2003", "2011", "2031", "2038")


def no_source(datasource: Datasource, corpus: Corpus, singles: Sequence[Draft]) -> Iterator[Draft]:
    """In turn: a duty or a matter of which nobody speaks, also of a person, another year, another company."""
    ways = [
        _of_duties(corpus, singles),
        _of_named(_companies(datasource, corpus), ATTRIBUTES, corpus),
        _of_named(_people(datasource), OF_PEOPLE, corpus),
        _of_other_years(corpus, singles),
        _of_other_owners(corpus, singles),
    ]
    while ways:
        for way in list(ways):
            draft = next(way, None)
            if draft is None:
                ways.remove(way)
            else:
                yield draft


def _lines(file: Path) -> list[str]:
    return [line for line in file.read_text().splitlines() if line and not line.startswith("#")]


def _of_named(names: Sequence[str], attributes: Path, corpus: Corpus) -> Iterator[Draft]:
    """ "What is Acme's credit rating?", where no chunk speaks of credit ratings."""
    unsaid = [attribute for attribute in _lines(attributes) if not _is_said(attribute, corpus)]
    for place in range(len(unsaid) * min(len(names), NAMES_AT_MOST)):
        attribute = unsaid[place % len(unsaid)]
        name = names[(place + place // len(unsaid)) % len(names)]
        about = tuple(sorted({chunk.document_id for chunk in corpus.holding(terms(name))}))
        yield _draft(f"What is {name}’s {attribute}?", attribute, corpus, "unsaid", about)


def _companies(datasource: Datasource, corpus: Corpus) -> list[str]:
    """Whose the documents are, and those that they name most; without any, whatever has a name."""
    things = Entity.objects.filter(datasource=datasource, hidden=False, types__overlap=list(_TYPES))
    rows = things.order_by("-mention_count", "key").values_list("name", flat=True)[:THINGS]
    named = [name for name in rows if 2 < len(name) < 50 and terms(name) and not _SHOUTED.fullmatch(name)]
    named = [name for name in named if not any(name.endswith(f" {other}") for other in named)]
    others = (name for name in named if _COMPANY.search(name) and not name.startswith(tuple(corpus.owners)))
    companies = dict.fromkeys([*corpus.owners, *others])
    return list(companies) or named


def _people(datasource: Datasource) -> list[str]:
    """Those that the documents tell most of."""
    people = Entity.objects.filter(
        datasource=datasource, hidden=False, types__contains=["PERSON"], mention_count__gte=TOLD_OF
    )
    rows = people.order_by("-mention_count", "key").values_list("name", flat=True)[:THINGS]
    return [name for name in rows if _PERSON.fullmatch(name) and not _ROLE.fullmatch(name)][:PEOPLE]


def _of_duties(corpus: Corpus, singles: Sequence[Draft]) -> Iterator[Draft]:
    """ "How soon must the Supplier repaint the premises?", where no chunk has such a duty."""
    about: dict[str, set[int]] = defaultdict(set)
    for draft in singles:
        if draft.template in _ABOUT_PARTIES:
            about[draft.subject].update(draft.documents)
    whom = [subject for subject in about if subject[:4].lower() == "the " and " " not in subject[4:]]
    for place, duty in enumerate(duty for duty in _lines(DUTIES) if not _is_said(duty, corpus)):
        if whom:
            subject = whom[place % len(whom)]
            text = f"How soon must {subject} {duty}?"
            yield _draft(text, duty, corpus, "unsaid duty", tuple(about[subject]), subject=duty)


def _is_said(attribute: str, corpus: Corpus) -> bool:
    """Whether a chunk has all its words, or every word of it stands somewhere in some form or synonym."""
    content = [word for word in attribute.split() if terms(word)]
    return all(corpus.has(word) for word in content) and bool(corpus.holding(terms(attribute)))


def _of_other_years(corpus: Corpus, singles: Sequence[Draft]) -> Iterator[Draft]:
    """A question of the documents, about a year of which no chunk with its other words speaks."""
    for place, draft in enumerate(singles):
        if draft.template == "definition" or len(set(_YEAR.findall(draft.text))) != 1:
            continue
        year = _YEARS[place % len(_YEARS)]
        text = _YEAR.sub(year, draft.text)
        if not corpus.holding([year]):
            yield _draft(text, year, corpus, "other year", draft.documents, subject=draft.subject)


def _of_other_owners(corpus: Corpus, singles: Sequence[Draft]) -> Iterator[Draft]:
    """What one company says of its own, asked of another whose documents have no such words."""
    owners = corpus.owners
    mine = {source.document.pk: source.owner for source in corpus.sources}
    for place, draft in enumerate(singles):
        own = mine.get(draft.documents[0], "") if draft.documents else ""
        others = [owner for owner in owners if owner != own]
        if not own or own not in draft.text or not others:
            continue
        other = others[place % len(others)]
        text = draft.text.replace(own, other)
        asked = set(terms(draft.subject)) - set(terms(own))
        rare = [term for term in asked if not corpus.holding([term, *terms(other)])]
        if rare:
            yield _draft(text, draft.subject, corpus, "other company", draft.documents, subject=draft.subject)


def _draft(
    text: str, what: str, corpus: Corpus, template: str, about: tuple[int, ...], subject: str = ""
) -> Draft:
    return Draft(
        kind=Kind.NONE,
        text=text,
        reference=(
            f"Not in these documents: none of {len(corpus.chunks):,} passages of "
            f"{counted(len(corpus.sources), 'document')} speaks of “{what}” here."
        ),
        template=template,
        subject=subject or what,
        about=about,
    )
