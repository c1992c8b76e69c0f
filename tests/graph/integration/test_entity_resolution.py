"""One thing, one entity: what is said of a name decides where the name can't."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from datasources.models import Datasource
from datasources.services import create_datasource
from graph.curation import services
from graph.models import Entity, EntityMention, MergeCandidate
from tests.graph.corpus import COMMON, delete, fresh, picture, upload

PLAYER = "Michael Jordan\nMichael Jordan is a basketball player. He won six titles with the Chicago Bulls."
PROFESSOR = "Michael Jordan\nMichael Jordan is a professor at Berkeley. He teaches machine learning."
SCORED = "The Chicago Bulls won again: Michael Jordan scored forty points, and the basketball fans cheered."
PLANET = "Mercury\nMercury is the smallest planet of the Solar System. NASA sent a probe there."
ELEMENT = "Mercury\nMercury is a chemical element. Thermometers were filled with it."
SPELT_OUT = "The European Court of Auditors (ECA) reports each year. The ECA sits in Luxembourg."
INITIALS = "In Luxembourg the ECA found fault with farm subsidies, and the ECA said so."
OTHER_ECA = "The Electronic Communications Act (ECA) passed in Dublin. The ECA binds Vodafone."
JOURNAL = (
    "Secure Buffering In Firm Real-Time Database Systems\n"
    "By Binto George and Jayant Haritsa. VLDB Journal, 2000."
)
CONFERENCE = (
    "Secure Buffering In Firm Real-Time Database Systems\n"
    "By Binto George and Jayant Haritsa. Very Large Data Bases, 1998."
)
MISSPELT = (
    "Secure Bufferings In Firm Real-Time Database System\n"
    "By Jayant Haritsa and Binto George. The VLDB Journal, 2000."
)
TEXTS = (
    PLAYER,
    PROFESSOR,
    SCORED,
    PLANET,
    ELEMENT,
    SPELT_OUT,
    INITIALS,
    OTHER_ECA,
    JOURNAL,
    CONFERENCE,
    MISSPELT,
)


def entity_of(datasource: Datasource, text: str, name: str) -> Entity:
    """What this document calls so."""
    mentions = EntityMention.objects.filter(datasource=datasource, chunk__text=text, name=name)
    (entity,) = Entity.objects.filter(names__mentions__in=mentions).distinct()
    return entity


def queued(datasource: Datasource) -> set[frozenset[str]]:
    found = MergeCandidate.objects.filter(datasource=datasource).select_related("a", "b")
    return {frozenset((f"{c.a}|{c.a.sense}", f"{c.b}|{c.b.sense}")) for c in found}


def test_two_persons_of_one_name_stay_two_and_a_person_is_asked(home):
    upload(home, PLAYER, PROFESSOR, SCORED)
    player, professor = (entity_of(home, text, "Michael Jordan") for text in (PLAYER, PROFESSOR))
    assert player != professor
    assert entity_of(home, SCORED, "Michael Jordan") == player
    assert (player.document_count, professor.document_count) == (2, 1)
    assert queued(home) == {frozenset(("Michael Jordan|", f"Michael Jordan|{professor.sense}"))}


def test_a_planet_and_an_element_of_one_name_stay_two(home):
    upload(home, PLANET)
    upload(home, ELEMENT)
    assert entity_of(home, PLANET, "Mercury") != entity_of(home, ELEMENT, "Mercury")


def test_homonyms_that_a_person_merges_are_one(home):
    upload(home, PLANET, ELEMENT)
    services.merge(entity_of(home, PLANET, "Mercury"), entity_of(home, ELEMENT, "Mercury"))
    upload(home, PROFESSOR)
    assert entity_of(home, PLANET, "Mercury") == entity_of(home, ELEMENT, "Mercury")


def test_the_same_title_in_another_year_is_another_work(home):
    upload(home, JOURNAL, CONFERENCE)
    title = "Secure Buffering In Firm Real-Time Database Systems"
    assert entity_of(home, JOURNAL, title) != entity_of(home, CONFERENCE, title)


def test_a_title_spelt_a_little_otherwise_is_the_same_work_where_year_and_authors_agree(home):
    upload(home, JOURNAL)
    upload(home, MISSPELT)
    one = entity_of(home, JOURNAL, "Secure Buffering In Firm Real-Time Database Systems")
    assert entity_of(home, MISSPELT, "Secure Bufferings In Firm Real-Time Database System") == one


def test_initials_are_the_name_that_a_passage_gives_with_them(home):
    upload(home, INITIALS)
    upload(home, SPELT_OUT)
    court = entity_of(home, SPELT_OUT, "European Court of Auditors")
    assert entity_of(home, INITIALS, "ECA") == court


def test_initials_of_two_things_are_left_to_a_person(home):
    upload(home, INITIALS, SPELT_OUT, OTHER_ECA)
    alone = entity_of(home, INITIALS, "ECA")
    assert alone.name == "ECA"
    assert {"European Court of Auditors|", "Electronic Communications Act|"} <= set().union(*queued(home))


@COMMON
@given(
    texts=st.lists(st.sampled_from(TEXTS), min_size=3, max_size=6, unique=True),
    cuts=st.sets(st.integers(1, 5)),
    kept=st.integers(1, 5),
)
def test_contexts_count_the_same_in_any_order_and_leave_with_their_documents(home, texts, cuts, kept):
    datasource = create_datasource(home.owner, f"contexts {Datasource.objects.count()}")
    documents = []
    for start, end in pairwise([0, *sorted(cut for cut in cuts if cut < len(texts)), len(texts)]):
        documents += upload(datasource, *texts[start:end])
    assert picture(datasource) == fresh(sorted(texts))
    for document in documents[kept:]:
        delete(datasource, document)
    assert picture(datasource) == fresh(sorted(texts[:kept]))
