"""Titles on the map of documents do not lie on each other."""

from datasources.models import Document
from graph.document_map.drawing import ABOVE, BELOW, LETTER, NARROW, draw
from graph.models import DocumentNode


def labels_of(*places: tuple[float, float]) -> list[int]:
    nodes = [
        DocumentNode(document=Document(pk=n, title="Quarterly report of a company"), x=x, y=y)
        for n, (x, y) in enumerate(places, 1)
    ]
    return [mark.label for mark in draw(nodes, [], []).marks]


def test_titles_far_apart_stand_below_their_squares() -> None:
    assert labels_of((0, 0), (5, 0)) == [BELOW, BELOW]


def test_the_second_of_two_near_squares_has_its_title_above() -> None:
    assert labels_of((0, 0), (0.5, 0), (20, 0)) == [BELOW, ABOVE, BELOW]


def test_where_there_is_no_room_none_stands() -> None:
    assert labels_of((0, 0), (0.1, 0), (0.2, 0), (20, 0)) == [BELOW, ABOVE, 0, BELOW]


def test_on_a_phone_every_title_is_within_the_drawing() -> None:
    nodes = [
        DocumentNode(document=Document(pk=n, title="Quarterly report of a company"), x=x, y=0.0)
        for n, x in enumerate((0, 9), 1)
    ]
    for mark in draw(nodes, [], [], frame=NARROW).marks:
        half = len(mark.short) * LETTER / 2
        assert mark.label
        assert half <= mark.label_x + 1
        assert mark.label_x + half <= NARROW.width + 1


def test_a_title_leaves_its_place_to_the_name_of_a_group() -> None:
    places = ((0, 0), (0.3, 3), (9, 3))
    nodes = [
        DocumentNode(document=Document(pk=n, title="A lease"), x=x, y=y, group="Leeds" if n > 1 else "")
        for n, (x, y) in enumerate(places, 1)
    ]
    drawing = draw(nodes, [], [("Leeds", 2)])
    (group,) = drawing.groups
    for mark in drawing.marks:
        assert abs(mark.label_x - group.x) > 40 or abs(mark.y + mark.label - group.y) >= 15
