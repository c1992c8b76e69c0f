"""The threads on which tools and resources read the database."""

from jobs.threads import Pool

CALLS = Pool("programs", 4)
