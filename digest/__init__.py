"""A document at a glance: its parties, dates, time limits, sums, duties and defined terms."""
