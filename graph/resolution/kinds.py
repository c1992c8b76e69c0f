"""Nouns that say what a thing is, by kinds that exclude each other. Words of several kinds are left out."""

from text.word_lists import words

_KINDS = {
    "sportsperson": """player footballer cricketer swimmer boxer wrestler athlete golfer cyclist sprinter
goalkeeper goaltender quarterback pitcher jumper skier skater gymnast rower bodybuilder midfielder defender
striker linebacker outfielder infielder jockey canoeist fencer judoka biathlete""",
    "scholar": """professor scientist physicist mathematician chemist biologist economist philosopher
historian linguist researcher psychologist astronomer sociologist anthropologist academic scholar
archaeologist botanist zoologist geologist statistician physician""",
    "artist": """actor actress singer musician painter writer novelist poet composer guitarist drummer rapper
comedian filmmaker sculptor songwriter dancer photographer pianist playwright author illustrator
bassist vocalist percussionist screenwriter violinist""",
    "politician": """politician senator congressman congresswoman diplomat ambassador mayor legislator
representative statesman lawyer judge governor""",
    "cleric": "priest bishop archbishop cardinal pastor missionary monk nun rabbi imam pope",
    "soldier": "soldier admiral colonel officer commander warrior",
    "heavenly body": "planet star moon asteroid comet galaxy constellation crater",
    "substance": "element metal mineral compound gas chemical alloy",
    "deity": "god goddess deity demigod titan",
    "place": """city town village municipality community hamlet suburb borough settlement township
neighborhood neighbourhood country nation county province region district island peninsula continent territory
archipelago capital republic kingdom""",
    "landform": "river lake mountain volcano glacier creek stream valley waterfall reservoir",
    "station": "station airport",
    "company": """company corporation firm bank manufacturer retailer airline brewery conglomerate startup
publisher supplier""",
    "band": "band orchestra choir duo quartet trio",
    "school": "university college school academy",
    "film": "film movie documentary",
    "series": "miniseries sitcom telenovela",
    "book": "novel book memoir novella poem biography autobiography",
    "music": "song single album soundtrack ep opera symphony sonata",
    "periodical": "magazine newspaper journal",
    "game": "videogame",
    "living thing": "snake bird fish plant tree genus species insect mammal spider beetle moth fern shrub",
    "software": "software library framework compiler",
    "vessel": "ship yacht submarine frigate destroyer cruiser steamship",
    "war": "war battle siege",
    "treaty": "treaty statute",
    "disease": "disease disorder syndrome infection",
}
KIND_OF = {noun: kind for kind, nouns in _KINDS.items() for noun in words(nouns)}

# Kinds of persons; one person is seldom of both, where many are actor and politician.
SELDOM_ONE_PERSON = {
    "is sportsperson": frozenset({"is scholar", "is cleric"}),
    "is scholar": frozenset({"is sportsperson"}),
    "is cleric": frozenset({"is sportsperson"}),
    "is artist": frozenset[str](),
    "is politician": frozenset[str](),
    "is soldier": frozenset[str](),
}
