"""Slots for reading documents by rules: it keeps a processor busy for seconds where there are many pages."""

from jobs.fair_slots import FairSlots

READING = FairSlots(
    3, waiting_each=4, patience=10.0
)  # two for one person, so that one is free for who is next
