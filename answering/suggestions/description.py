"""Two sentences about a datasource, from counts in its documents: its topics and the names in it."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from django.db.models import Count, Min

from answering.suggestions.subject_of_document import short_name
from datasources.models import Document
from graph.models import EntityMention
from text.stems import stem
from text.word_lists import FUNCTION_WORDS, words

TERMS = 4
NAMES = 3
ALONE = 0.8  # of the documents name it, where it is the only name
LEAST = 3  # times that a term or a name is there
LONGEST = 280  # characters

_RUN = re.compile(r"(?<![\w-])[a-z]{3,}(?:[ \n][a-z]{3,})+(?![\w-])")
# Words of time, measure and reference: every report says "months ended", and none is about that.
_SAYS_LITTLE = words(
    """months month year years quarter quarters weeks week days day period periods ended ending million
    billion thousand compared including included includes include based following page pages section
    table figure figures set result results due related certain using used use well number amount
    amounts total shown see note part parts new within without upon such would first second third
    per cent set out given make made take taken need needed right different able way ways case cases
    example time times effect expect expected date dates clause respect
    pursuant applicable relative subject prior according"""
)
_CHOICE = re.compile(r"\b(?:[Oo]ne|[Tt]wo|[Bb]ox)\b")
_ABBREVIATION = re.compile(r"[A-Z\d&.-]{1,5}")


def describe(documents: Sequence[Document], texts: Sequence[Sequence[str]]) -> str:
    """One sentence on terms and one on names; empty if none stand out. texts: some for each document."""
    terms, names = frequent_terms(texts), _names(documents)
    sentences = [f"About {_listed(terms)}."] if len(terms) > 1 else []
    sentences += [f"Names {_listed(names)} most often."] if names else []
    return " ".join(sentences)[:LONGEST]


def frequent_terms(texts: Sequence[Sequence[str]]) -> list[str]:
    """Terms of two or three words, those that stand in most texts first; no two share a word, and each is in
    a third of the documents, as one long report says nothing of the others.
    """
    counts: Counter[str] = Counter()
    spread: Counter[str] = Counter()
    for some in texts:
        own = Counter(term for text in some for term in set(_terms(text)))
        counts += own
        spread.update(own.keys())
    least = max(LEAST, sum(map(len, texts)) // 40)
    documents = max(min(len(texts), 2), -(-len(texts) // 3))
    often = [
        (count * (1.2 if term.count(" ") > 1 else 1), term)
        for term, count in counts.items()
        if spread[term] >= documents
    ]
    kept: list[str] = []
    known: set[str] = set()
    for score, term in sorted(often, key=lambda one: (-one[0], one[1])):
        stems = {stem(word) for word in term.split()}
        if len(kept) == TERMS or score < least:
            break
        if not stems & known:
            kept.append(term)
            known |= stems
    return kept


def _terms(text: str) -> Iterator[str]:
    """Two or three neighbouring words in small letters, none of which says little."""
    for run in _RUN.findall(text):
        own = run.split()
        for length in (2, 3):
            for start in range(len(own) - length + 1):
                part = own[start : start + length]
                if _is_term(part):
                    yield " ".join(part)


def _is_term(part: Sequence[str]) -> bool:
    says = FUNCTION_WORDS.isdisjoint(part) and _SAYS_LITTLE.isdisjoint(part)
    return says and not part[0].endswith(("ly", "ing")) and not part[-1].endswith(("ly", "ed", "ing"))


def _names(documents: Sequence[Document]) -> list[str]:
    """Companies and people that a first page names, those of most documents first; none that fewer than half
    of the documents name, as the description is of all, and one alone only if nearly all of them do.

    An abbreviation may be anything, so none is among them, and no choice on a form: “Mark One”.
    """
    mentions = EntityMention.objects.filter(
        document__in=documents, types__overlap=["ORGANIZATION", "PERSON"], named__entity__hidden=False
    )
    rows = (
        mentions.values_list("named__entity__name")
        .annotate(
            mentions=Count("pk"), documents=Count("document", distinct=True), page=Min("chunk__first_page")
        )
        .filter(mentions__gte=LEAST, page=1, documents__gte=(len(documents) + 1) // 2)
        .order_by("-documents", "-mentions", "named__entity__name")[: 5 * NAMES]
    )
    told: dict[str, int] = {}  # how many documents name it
    for name, _, naming, _ in rows:
        if not _ABBREVIATION.fullmatch(name) and len(name) < 60 and not _CHOICE.search(name):
            told.setdefault(short_name(name), naming)
    names = list(told)[:NAMES]
    return [] if len(names) == 1 and told[names[0]] < ALONE * len(documents) else names


def _listed(items: Sequence[str]) -> str:
    """ "a, b and c"."""
    *most, last = items
    return f"{', '.join(most)} and {last}" if most else last
