"""What sort of answer differs between two documents, as turns, REST and exports name it."""

DURATION, MONEY, PERCENT, DATE, TIME = "duration", "amount", "percent", "date", "time"
COUNT, MEASURE, OFTEN = "count", "measure", "frequency"
PLACE, NAME = "place", "name"
POLARITY = "polarity"  # one says yes, one says no: the whole quotes are the values
FIGURES = frozenset({DURATION, MONEY, PERCENT, COUNT, MEASURE})
