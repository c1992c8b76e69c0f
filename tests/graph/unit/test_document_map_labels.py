"""Titles on the map of documents do not lie on each other."""

from datasources.models import Document
from graph.document_map.drawing import ABOVE, BELOW, draw
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
