"""People who wait for a slot take turns, and one who wants many leaves one to the others."""

import threading
from collections.abc import Callable

import pytest

from jobs.fair_slots import Busy, FairSlots
from tests.processes import PATIENCE, wait_until

ANN, BEN = 1, 2


class Drawing:
    """Work that takes its slot until it is told to end, on a thread of its own."""

    def __init__(self, slots: FairSlots, person: int, done: Callable[[int], None] = lambda _: None) -> None:
        self.begun, self.end, self.refused = threading.Event(), threading.Event(), False
        self.thread = threading.Thread(target=self.run, args=(slots, person, done))
        self.thread.start()

    def run(self, slots: FairSlots, person: int, done: Callable[[int], None]) -> None:
        try:
            with slots.taken_by(person):
                self.begun.set()
                self.end.wait(PATIENCE)
                done(person)
        except Busy:
            self.refused = True


def wait_for(slots: FairSlots, waiting: int) -> None:
    """Until so many wait for a slot."""
    wait_until(lambda: sum(map(len, slots._waiting.values())) == waiting, "the queue")


def test_one_person_leaves_a_slot_to_the_others() -> None:
    slots = FairSlots(2)
    flood = [Drawing(slots, ANN) for _ in range(5)]
    assert flood[0].begun.wait(PATIENCE)
    neighbour = Drawing(slots, BEN)
    assert neighbour.begun.wait(PATIENCE)
    assert sum(each.begun.is_set() for each in flood) == 1
    for each in (*flood, neighbour):
        each.end.set()
        each.thread.join(PATIENCE)
    assert all(each.begun.is_set() for each in flood)


def test_who_has_waited_longest_is_next_not_who_wants_most() -> None:
    slots, order = FairSlots(1), list[int]()
    first = Drawing(slots, ANN)
    assert first.begun.wait(PATIENCE)
    waiting = [Drawing(slots, ANN, order.append) for _ in range(4)]
    wait_for(slots, 4)
    waiting.append(Drawing(slots, BEN, order.append))
    wait_for(slots, 5)
    for each in (*waiting, first):
        each.end.set()
    for each in waiting:
        each.thread.join(PATIENCE)
    assert order.index(BEN) == 0


def test_too_many_of_one_person_are_sent_away_and_others_are_not() -> None:
    slots = FairSlots(2, waiting_each=2)
    first = Drawing(slots, ANN)
    assert first.begun.wait(PATIENCE)
    waiting = [Drawing(slots, ANN) for _ in range(2)]
    wait_for(slots, 2)
    with pytest.raises(Busy), slots.taken_by(ANN):
        pass
    with slots.taken_by(BEN):
        pass
    for each in (first, *waiting):
        each.end.set()
        each.thread.join(PATIENCE)


def test_too_many_of_all_together_are_sent_away() -> None:
    slots = FairSlots(1, waiting_in_all=2)
    first = Drawing(slots, 0)
    assert first.begun.wait(PATIENCE)
    waiting = [Drawing(slots, person) for person in (1, 2)]
    wait_for(slots, 2)
    with pytest.raises(Busy), slots.taken_by(3):
        pass
    for each in (first, *waiting):
        each.end.set()
        each.thread.join(PATIENCE)
    with slots.taken_by(3):
        pass


def test_patience_ends_and_the_place_is_given_up() -> None:
    slots = FairSlots(1, patience=0.05)
    first = Drawing(slots, ANN)
    assert first.begun.wait(PATIENCE)
    with pytest.raises(Busy), slots.taken_by(BEN):
        pass
    first.end.set()
    first.thread.join(PATIENCE)
    with slots.taken_by(BEN):
        pass


def test_what_fails_gives_its_slot_back() -> None:
    slots = FairSlots(1)
    with pytest.raises(ValueError, match="no page"), slots.taken_by(ANN):
        raise ValueError("no page")
    with slots.taken_by(ANN):
        pass
