"""The stages of an answer; if several are due, the first runs. A new one is a file and a line here."""

from chat.answering.stages.answering import Answering
from chat.answering.stages.checking import Checking
from chat.answering.stages.classifying import Classifying
from chat.answering.stages.cleaning import Cleaning
from chat.answering.stages.compressing import Compressing
from chat.answering.stages.correcting import Correcting
from chat.answering.stages.counting import Counting, Sampling
from chat.answering.stages.differing import Differing
from chat.answering.stages.greeting import Greeting
from chat.answering.stages.instructing import Instructing
from chat.answering.stages.judging import Judging
from chat.answering.stages.listing import Listing
from chat.answering.stages.planning import Planning
from chat.answering.stages.pointing import Pointing
from chat.answering.stages.proving import Proving
from chat.answering.stages.ranking import Ranking
from chat.answering.stages.reading import Reading
from chat.answering.stages.remembering import Remembering
from chat.answering.stages.rephrasing import Rephrasing
from chat.answering.stages.searching import Searching
from chat.answering.stages.withholding import Withholding

CHECKING = Checking()
STAGES = (
    Rephrasing(),
    Remembering(),
    Listing(),
    Classifying(),
    Greeting(),
    Counting(),
    Instructing(),
    Reading(),
    Pointing(),
    Ranking(),
    Compressing(),
    Planning(),
    Searching(),
    Correcting(),
    Answering(),
    Proving(),
    Differing(),
    Sampling(),
    Cleaning(),
    Judging(),
    CHECKING,
    Withholding(),
)
