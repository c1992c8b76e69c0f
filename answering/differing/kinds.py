"""What sort of answer differs between two documents, as turns, REST and exports name it: one of the kinds of
values (english.values), or one of these.
"""

from english.values import COUNT, DURATION, MEASURE, MONEY, PERCENT

PLACE, NAME = "place", "name"
POLARITY = "polarity"  # one says yes, one says no: the whole quotes are the values
FIGURES = frozenset({DURATION, MONEY, PERCENT, COUNT, MEASURE})
