"""The stages of an answer; of several that are due, the first runs. A new one is a file and a line here."""

from chat.answering.stages.answering import Answering
from chat.answering.stages.checking import Checking
from chat.answering.stages.judging import Judging
from chat.answering.stages.planning import Planning
from chat.answering.stages.searching import Searching

CHECKING = Checking()
STAGES = (Planning(), Searching(), Answering(), Judging(), CHECKING)
