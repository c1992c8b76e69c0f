"""Word lists of the rule-based extractor: what is no name, and what gives a name's type away."""

from english.dates import MONTH
from text.word_lists import FUNCTION_WORDS, words

# What alone is no name, however it is capitalised.
STOP = FUNCTION_WORDS | words(
    """yet else here hers theirs ours yours mine without within onto since among through across against
above below near like via yes every less few several either neither another only even just still
however therefore thus hence although though because despite unless again ever never always often
sometimes usually generally currently recently previously originally initially finally eventually
later earlier early late now today first second third next new old two three four five six seven
eight nine ten due prior following including according based together moreover furthermore
meanwhile instead besides additionally similarly likewise otherwise nevertheless nonetheless
indeed perhaps whereas along amid around throughout towards toward down off born known see note
let dear total net fiscal year years month months quarter day days date page table figure section
item part chapter appendix exhibit schedule annex clause article nos ok none various inspired
written directed produced released founded established located used using set made named called
der die das und oder aber ein eine ist im le la les et est un une dans el los las y en una es il
lo gli"""
)
# Dropped from the front of a longer name: “In Paris”, but not “New York” or “First National Bank”.
OPENING = STOP - words(
    """new old one two three four five six seven eight nine ten first second third last next section part
article page table figure exhibit schedule dear total net fiscal known see none il la le les las
los el un una lo very give get say tell please"""
)
KEPT_WITHIN = words(
    "early late previous total net only"
)  # in capitals within a sentence they are of the name
PRONOUNS = words("he she it they his her its their this these such")
NOUNS_FOR_THE_TOPIC = words(
    """company film movie book novel album song band group series show game team club school university
college city town village county district river lake island region country state party
organization organisation agency firm corporation agreement policy system model method algorithm
dataset paper study journal magazine newspaper station network airline airport museum church ship
aircraft species family genus battle war event festival tournament season episode character"""
)
MONTHS = rf"(?:{MONTH}|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember)"  # also the German ones
UNITS = (  # a number before one of these is none of the name before it
    "days?|weeks?|months?|years?|hours?|minutes?|per|percent|million|billion|people|employees|working|business|calendar"
)
# The last word of a defined term that is no party, whatever company stands before it.
NO_PARTIES = words(
    """agreement contract deed lease amendment addendum schedule plan date period term notes note bonds
services products product act policy transaction merger offering fund facility loan shares stock
project system software platform site sites premises property data order charges fees"""
)
