"""Limits on concurrent searches, per person and in all: for pages, the palette, REST and MCP alike."""

from jobs.fair_slots import FairSlots

# Whoever sends many searches must not keep others from searching. A server learns too late what a browser has
# cancelled.
SEARCHES = FairSlots(4, waiting_each=4, patience=10.0)
SCANS = FairSlots(2, waiting_each=4, patience=10.0)  # of all texts, for every passage with the very words
MOST_DATASOURCES = 20  # searched for one question; of more, those that changed last
