"""Word lists of the rule-based extractor: what is no name, and what gives a name's type away."""


def words(text: str) -> frozenset[str]:
    """The words of a list that is easier to read as a text."""
    return frozenset(text.split())


STOP = words(
    """the a an and or but nor so yet if then else when while where who whom whose which what why how
that this these those there here he she it they we you i his her hers its their theirs our ours
your yours my mine me him them us in on at by to from of for with without within into onto upon
over under after before since until during between among through across against about above below
near as than like per via is are was were be been being am do does did has have had can could will
would shall should may might must not no yes all any each every some most many much more less few
several both either neither other another such same own only also even just still however
therefore thus hence although though because despite unless whether once again ever never always
often sometimes usually generally currently recently previously originally initially finally
eventually later earlier early late now today first second third last next new old one two three
four five six seven eight nine ten due prior following including according based together moreover
furthermore meanwhile instead besides additionally similarly likewise otherwise nevertheless
nonetheless indeed perhaps whereas along amid around throughout towards toward up down out off
born known see note please let dear total net fiscal year years month months quarter day days date
page table figure section item part chapter appendix exhibit schedule annex clause article no nos
yes ok none various upon inspired written directed produced released founded established located
used using given set made named called der die das und oder aber ein eine ist im le la les et est
un une dans el los las y en un una es il lo gli"""
)
# Dropped from the front of a longer name: “In Paris”, but not “New York” or “First National Bank”.
OPENING = STOP - words(
    """new old one two three four five six seven eight nine ten first second third last next section part
article page table figure exhibit schedule dear total net fiscal known see none il la le les las
los el un una lo"""
)
PRONOUNS = words("he she it they his her its their this these such")
NOUNS_FOR_THE_TOPIC = words(
    """company film movie book novel album song band group series show game team club school university
college city town village county district river lake island region country state party
organization organisation agency firm corporation agreement policy system model method algorithm
dataset paper study journal magazine newspaper station network airline airport museum church ship
aircraft species family genus battle war event festival tournament season episode character"""
)
MONTHS = (
    "January|February|March|April|May|June|July|August|September|October|November|December|"
    "Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember"
)
WEEKDAYS = words("monday tuesday wednesday thursday friday saturday sunday")
PERSON_TITLES = words("mr mrs ms miss dr prof professor sir lady lord dame judge justice rev hon herr frau")
ORGANIZATION = words(
    """inc incorporated corp corporation co company companies ltd limited llc llp plc gmbh ag sa nv group
holdings bank university college school institute institution association society foundation
committee commission council department ministry agency authority bureau office court parliament
congress senate party union league club team band orchestra records pictures studios press
publishing publishers media network times journal church museum hospital airlines airways railway
railroad army navy force police corps bureau laboratory laboratories board trust fund partners
partnership systems technologies software services industries motors federation organization
organisation academy center centre company's nasdaq"""
)
PLACE = words(
    """city town village county state province district region republic kingdom island islands river lake
sea ocean bay mountain mountains mount valley hill hills street avenue road square park bridge
airport station beach desert coast peninsula canyon forest borough parish municipality territory
castle palace north south east west northern southern eastern western falls creek"""
)
EVENT = words(
    """war battle olympics cup championship championships tournament festival election elections
revolution crisis conference treaty act awards award games season tour massacre siege expedition"""
)
GIVEN_NAMES = words(
    """james john robert michael william david richard joseph thomas charles christopher daniel matthew
anthony mark donald steven paul andrew joshua kenneth kevin brian george edward ronald timothy
jason jeffrey ryan jacob gary nicholas eric jonathan stephen larry justin scott brandon benjamin
samuel gregory frank alexander raymond patrick jack dennis jerry tyler aaron jose adam nathan
henry douglas peter kyle walter ethan jeremy harold keith christian roger noah gerald carl terry
sean austin arthur lawrence jesse dylan bryan joe jordan billy bruce albert willie gabriel logan
alan juan wayne roy ralph randy eugene vincent russell louis philip bobby johnny bradley mary
patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty margaret
sandra ashley kimberly emily donna michelle carol amanda dorothy melissa deborah stephanie rebecca
sharon laura cynthia kathleen amy angela shirley anna brenda pamela emma nicole helen samantha
katherine christine debra rachel carolyn janet catherine maria heather diane ruth julie olivia
joyce virginia victoria kelly lauren christina joan evelyn judith megan andrea cheryl hannah
jacqueline martha gloria teresa ann sara madison frances kathryn janice jean abigail alice julia
judy sophia grace denise amber doris marilyn danielle beverly isabella theresa diana natalie
brittany charlotte marie kayla alexis lori jan hans karl otto franz pierre jacques luigi giovanni
carlos pedro ivan vladimir sergei ali ahmed mohammed muhammad omar fatima wei ming hiroshi kenji
raj priya tim satya sundar jensen luca ed bill bob tom jim mike steve dave dan ben sam alex chris
tony fred ted harry charlie oscar leo max hugo felix oliver martin simon stuart graham neil ian
colin derek trevor hugh kate jane lucy rose elena olga irina ana carla"""
)
