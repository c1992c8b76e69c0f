"""Words that tell names: of people, and what they are called before and behind; of places and bodies."""

from english.companies import USUAL_FORMS
from text.word_lists import phrases, words

PERSON_TITLES = words("mr mrs ms miss dr prof professor sir lady lord dame judge justice rev hon herr frau")
ORGANIZATION = USUAL_FORMS | words(
    """companies group holdings bank university college school institute institution
association society foundation
committee commission council department ministry agency authority bureau office court parliament
congress senate party union league club team band orchestra records pictures studios press
publishing publishers media network times journal church museum hospital airlines airways railway
railroad army navy force police corps bureau laboratory laboratories board trust fund partners
partnership systems technologies software services industries motors federation organization
organisation academy center centre company's nasdaq"""
)
DEEDS = words("agreement agreements contract contracts report act policy plan notice index form code")
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
# Also of many countries: the first names of people in offices, papers and contracts.
GIVEN_NAMES |= words(
    """aaliyah aidan aisha alan alberto alejandro alessandro alfred alistair amina amit anders andreas andres
anil anita anja anneke annika anton antonio arjun arne astrid aurora axel bart beatrice bengt bernard
birgit bjorn boris brigitte caitlin callum camille carmen caroline cecilia cedric chiara chloe claire
clara claude claudia clive conor craig damien dario dmitri dominic dylan edith eduardo edwin eileen
elaine eleanor eleni eliza ella ellen elsa emil emilia emilio emmanuel enrique erik erika ernest esther
eva evan fabian farah farida felicity fernando fiona florence francesca francesco francois frederick
frederik friedrich gareth geoffrey gerard gethin gianni gilbert giulia gordon greta guido gustav guy
hamid harriet hassan heinrich helena helga henri henrik herbert hideo howard ian ibrahim ida igor imogen
ines ingrid isaac isabel ivo jakob jamal jan javier jean jens joanna joao joaquin johan johann johannes
jonas jorge josef josephine joshua juergen julian julien jurgen kamal karim karin kathrin katrin kenneth
khalid kim klaus konrad krishna kristin kurt lars laurent leila lena lennart leon leonard lewis lieve
lin linus lorenzo louise ludwig luis lukas luke lydia magnus maja malcolm manuel marc marcel marco
marcus margaret margarita marguerite marina mario marius marta martina mathias matteo matthias maurice
mauricio maxim mehmet mei miguel mikael mikhail miriam mohamed monica monika mustafa nadia natalia
natasha nathalie neha nia nigel nikolai nils nina noel nora norman olaf oleg olivier oluwaseun oskar
pablo paolo pascal patrice paula pauline paulo per petra philippe phoebe pia pieter rafael rahul rajesh
ralf ramon ravi rebekah rene ricardo richard rita robin rolf romain rosa rosalind rosemary rowan ruben
rudolf rupert sabine sadia salma salvador samir sanjay santiago sebastian selma sergio sian sigrid
silvia simone sinead siobhan sofia solveig sonia soren stefan stella sunil sunita sunniva susanne sven
sylvia tamara tanja tatiana terence theo theodore thierry thomas thorsten tobias tomas torsten ulrich
ursula valentina valerie vera veronica veronika vijay viktor vivian walid wendy werner wilhelm winston
wolfgang xavier yasmin yuki yusuf yvonne zahra zoe"""
)
OFFICES = (
    "chair|chairman|chairwoman|chairperson|chief|director|officer|president|secretary|treasurer|manager|head"
    "|partner|auditor|counsel|solicitor|lecturer|professor|researcher|engineer|author|founder|ceo|cfo|cto|trustee|minister"
    "|attorney|controller|notary|witness"
)
# Countries, their larger parts and well-known cities, in small letters.
PLACES = phrases(
    """aarhus, aberdeen, abu dhabi, accra, afghanistan, africa, alabama, alaska, albania, alberta, algeria,
amsterdam, andorra, angola, ankara, antwerp, argentina, arizona, arkansas, armenia, asia, athens, atlanta,
auckland, austin, australia, austria, azerbaijan, baghdad, bahamas, bahrain, baltimore, bangalore,
bangkok, bangladesh, barbados, barcelona, basel, bavaria, beijing, belarus, belfast, belgium, belgrade,
belize, benin, bergen, berlin, bern, bhutan, bilbao, birmingham, bogota, bolivia, bologna, bordeaux,
bosnia, boston, botswana, bradford, brasilia, brazil, brest, brisbane, bristol, british columbia, brunei,
brussels, bucharest, budapest, buenos aires, bulgaria, burundi, busan, cairo, calgary, california,
cambodia, cambridge, cameroon, canada, cape town, caracas, cardiff, casablanca, catalonia, chad,
charlotte, chennai, chicago, chile, china, cincinnati, cleveland, cologne, colombia, colombo, colorado,
columbus, congo, connecticut, copenhagen, cork, costa rica, coventry, croatia, cuba, cupertino, cyprus,
czech republic, czechia, dallas, delaware, delhi, denmark, denver, detroit, dhaka, djibouti, doha,
dominica, dresden, dubai, dublin, dundee, ecuador, edinburgh, egypt, eindhoven, el salvador, england,
eritrea, estonia, eswatini, ethiopia, europe, european union, fiji, finland, flanders, florence, florida,
france, frankfurt, gabon, galway, gambia, gateshead, geneva, germany, ghana, ghent, glasgow, gothenburg,
great britain, greece, grenada, guangzhou, guatemala, guinea, guyana, haiti, hamburg, hanoi, havana,
hawaii, helsinki, honduras, hong kong, houston, hungary, hyderabad, iceland, idaho, illinois, india,
indiana, indonesia, iowa, iran, iraq, ireland, israel, istanbul, italy, jakarta, jamaica, japan,
jerusalem, johannesburg, kansas, karachi, kazakhstan, kentucky, kenya, kiev, kolkata, kosovo, krakow,
kuala lumpur, kuwait, kyiv, kyoto, kyrgyzstan, lagos, lahore, laos, las vegas, latin america, latvia,
lebanon, leeds, leicester, leiden, leipzig, lesotho, liberia, libya, liechtenstein, lille, lima, lisbon,
lithuania, liverpool, london, los angeles, louisiana, luxembourg, lyon, macau, madagascar, madrid, maine,
malawi, malaysia, maldives, mali, malta, manchester, manila, marseille, maryland, massachusetts,
mauritania, mauritius, melbourne, mexico, mexico city, miami, michigan, middle east, milan, milwaukee,
minneapolis, minnesota, mississippi, missouri, moldova, monaco, mongolia, montana, montenegro, montreal,
morocco, moscow, mountain view, mozambique, mumbai, munich, myanmar, nairobi, namibia, naples, nashville,
nebraska, nepal, netherlands, nevada, new delhi, new hampshire, new jersey, new mexico, new orleans, new
south wales, new york, new zealand, newcastle, newport, nicaragua, niger, nigeria, north america, north
carolina, north dakota, north korea, north macedonia, northern ireland, norway, nottingham, ohio,
oklahoma, oman, ontario, oregon, orlando, osaka, oslo, ottawa, oxford, pakistan, palestine, palo alto,
panama, paraguay, paris, pennsylvania, perth, peru, philadelphia, philippines, phoenix, pittsburgh,
plymouth, poland, portland, porto, portsmouth, portugal, prague, puerto rico, qatar, quebec, queensland,
redmond, rhode island, riga, rio de janeiro, riyadh, romania, rome, rotterdam, russia, rwanda, salt lake
city, salzburg, samoa, san diego, san francisco, san jose, santa clara, santiago, sao paulo, saudi arabia,
scandinavia, scotland, seattle, senegal, seoul, serbia, seville, seychelles, shanghai, sheffield,
shenzhen, sierra leone, singapore, slovakia, slovenia, sofia, somalia, south africa, south america, south
carolina, south dakota, south korea, south sudan, southampton, spain, sri lanka, st. louis, stockholm,
strasbourg, stuttgart, sudan, suriname, sweden, switzerland, sydney, syria, taipei, taiwan, tajikistan,
tallinn, tanzania, tasmania, tehran, tel aviv, tennessee, texas, thailand, the hague, togo, tokyo, tonga,
toronto, toulouse, trinidad, tunisia, turin, turkey, turkmenistan, u.k, u.s, uganda, uk, ukraine, united
arab emirates, united kingdom, united states, uruguay, usa, utah, utrecht, uzbekistan, valencia,
vancouver, vanuatu, venezuela, venice, vermont, vienna, vietnam, vilnius, wakefield, wales, wallonia,
warsaw, wellington, west virginia, wisconsin, wyoming, yemen, york, zagreb, zambia, zimbabwe, zurich"""
)
