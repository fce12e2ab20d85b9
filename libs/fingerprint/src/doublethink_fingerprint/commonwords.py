"""Words that are too ordinary to identify a deal. Written for this project; not taken from any word list.

Used for three decisions only: a memo word in this set is never "rare"; a secret made of such words alone
needs a second clue; two halves that are both such words do not give a split secret away. Being absent from
this set does not make a word rare by itself: see `rarity`. The set is small and English, but for the generic words of
company names and prices (`companywords`); that is its limit.
"""

from __future__ import annotations

from functools import lru_cache

from doublethink_fingerprint.companywords import COMPANY_WORDS

_FUNCTION = """
a about above across after afterwards again against ago all almost alone along already also although always am
among an and another any anybody anyone anything anyway are around as aside at away back be became because
become been before behind being below beneath beside besides best better between beyond both but by came can
cannot come could did do does doing done down during each either else elsewhere enough even ever every
everybody everyone everything except far few first for former from further gave get give given go goes gone
got had has have having he hence her here hers herself him himself his how however i if in indeed inside
instead into is it its itself just keep kept last later latter least less let like likely little long made
make many may maybe me mean might mine more moreover most mostly much must my myself near nearly neither never
nevertheless new next no nobody none nor not nothing now nowhere of off often old on once one only onto or
other others otherwise our ours ourselves out outside over own per perhaps please put quite rather really
right said same say says see seem seems several shall she should show since so some somebody someone something
sometimes somewhere soon still such take taken than that the their theirs them themselves then there therefore
these they thing things this those though through throughout thus to together too took toward towards under
unless until up upon us use used uses using usually very via was way we well went were what whatever when
whenever where whereas wherever whether which while who whoever whole whom whose why will with within without
would yes yet you your yours yourself
"""
_NUMBERS_AND_TIME = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million
billion trillion half quarter third fourth fifth sixth seventh eighth ninth tenth dozen double triple single
second minute hour day week month year decade century today tomorrow yesterday tonight morning afternoon
evening night noon midnight monday tuesday wednesday thursday friday saturday sunday january february march
april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov
dec spring summer autumn fall winter season annual annually monthly weekly daily quarterly early late recent
recently current currently previous previously date dates period periods time times age ages calendar fiscal
"""
_BUSINESS = """
account accounting accounts accrual accrued acquire acquired acquirer acquisition acquisitions activity
adjusted administration adviser advisers advisor advisory affiliate agency agenda agent agreed agreement
allocation amortization amount amounts analysis analyst analysts annual application approach approval approve
approved asset assets assumption assumptions auction audit auditor average balance bank banker bankers banking
bankruptcy base basic basis bid bidder bidders bids board bond bonds bonus book borrower borrowing brand
brands broker budget business businesses buy buyer buyers buying capital capitalization card case cash
category ceo cfo chair chairman change channel charge charges chief claim class client clients close closed
closing combined commerce commercial commission commitment committee common company companies comparable
comparables compare compared compensation competition competitor competitors completion compliance component
concentration condition conditions conference confidential consent consideration consolidated consolidation
consultant consumer consumers contract contracts contribution control controls convertible copy core corporate
corporation cost costs counsel coupon court covenant coverage credit creditor currency customer customers data
deadline deal deals debt decline decrease decreased default deferred delivery demand department deposit
depreciation derivative development difference digital diligence diluted direct director directors disclosure
discount disposal distribution diversified dividend dividends division document documents draft due earning
earnings ebit ebitda economic economy effect effective efficiency employee employees employment enterprise
entity equipment equity estate estimate estimated estimates event exchange exclusive exclusivity executive
exercise expense expenses export exposure facilities facility factor factory fair family fee fees figure
figures file filing filings final finance financial financing firm fiscal fixed flow flows focus forecast
foreign form founder founders fraction franchise free freight fund funding funds future gain gains general
global goal goods goodwill governance government gross group groups growth guarantee guidance head
headquarters hedge high higher highest holder holders holding holdings identity impact impairment import
income incorporated increase increased index indicative industrial industries industry inflation information
infrastructure initial innovation insurance intangible integration interest interim internal international
inventory invest invested investing investment investments investor investors invoice issue issued issuer item
items joint key labor labour large larger largest launch law lawyer lawyers lead leader leaders leading lease
leases ledger legal lender lenders lending letter level leverage liabilities liability license limit limited
line lines liquidity list listed loan loans local location logistics long loss losses low lower lowest
maintenance majority management manager managers managing mandate manufacturer manufacturers manufacturing
margin margins market marketing markets material materials maturity maximum median meeting member members memo
memorandum merger mergers metric metrics minimum minority model models money monthly mortgage multiple
multiples national negotiation net notes notice number numbers objective obligation obligations offer offered
offering office officer officers official oil online operate operating operation operational operations
opinion option options order orders ordinary organic organization outlook output outstanding overall owner
owners ownership package page pages paid paper parent part parties partner partners partnership party patent
pay payable payment payments payroll peer peers pension people percent percentage performance person personal
personnel phase plan planned plans plant plants platform policy portfolio position post potential power
precedent precedents preferred premium presentation president price priced prices pricing primary principal
prior private privacy procedure proceeds process processing procurement product production products
professional profile profit profits program project projected projects property proposal proposed prospect
provider provision public purchase purchased purchases quality quantity question questions quote range rank
ranking rate rated rates rating ratio ratios raw reach reader realized receivable receivables record records
recovery reduce reduction reference refinancing region regional register registered regular regulation
regulator regulators regulatory relation relations release relevant rent repayment report reported reporting
reports research reserve reserves resource resources response restricted restructuring result results retail
retailer retailers retained return returns revenue revenues review rights risk risks royalty rule safety
salaries salary sale sales sample saving savings scale schedule scheme science scope search secret sector
secured securities security segment segments sell seller sellers selling senior separate series service
services session settlement share shareholder shareholders shares sheet shipment shipments shipping shop short
side sign signed signing site size small software sold solution solutions source sources special specialty
spend spending split sponsor spread staff stage stake stakes standard standards statement statements status
statutory stock stockholders stocks storage store stores strategic strategies strategy structure structured
subject subordinated subscription subsidiaries subsidiary summary supervisory supplier suppliers supply
support surplus survey sustainability swap synergies synergy system systems table takeover target targets tax
taxation taxes team technical technologies technology tender term terms test title total trade trademark
trading traffic transaction transactions transfer transport transportation treasury trend trends trust
turnover type unit units upstream user users utility valuation value valued values variable vendor venture
ventures version volume vote wage wages warehouse warrant website weighted wholesale work worker workers
working workforce world yield mutual easement perpetual
"""
_GENERAL = """
able accept accepted according act action actor actors actual actually add added address affect afraid agree
air airport album allow allowed alpha alternative amazing america american ancient angel animal animals answer
answers apollo apple area areas argue arm army arrive art article artist artists ask asked atlas attack
attempt attention aurora author automatic available award awards baby bad bag ball band bar battle beach bear
beat beautiful bed began begin beginning believe benefit benefits beta big bill bird birth black block blood
blue boat body bold born borrow bottom box boy brain branch break bridge brief bright bring british broken
brother brought brown build building buildings built burn bus busy button cable cake call called camera camp
campaign cancel cancer candidate canyon capacity captain car care career careful carry cars castle cat catch
cause caused cell center central centre certain chain chair champion chance character check chemical chemistry
chicken child children choice choose chosen christmas church circle cities citizen city civil clean clear
clearly climate climb clock close cloth clothes cloud club coach coal coast code coffee cold collect college
color colour column comet comfort command comment communication community compass complete completed complex
computer concept concern concrete confirm connect consider contact contain contains content continue
conversation cook cool copper coral corner correct cost cotton could count countries country county couple
courage course cover cow create created crew crime cross crown crystal culture cup cure cut dance danger dark
daughter dead deal dealer dear death debate decide decided decision deep degree delta deny depend describe
described desert design designed desk detail details determine diamond die died diet different difficult
dinner direction directly dirty disaster discover discovered discuss disease distance doctor dog dollar
dollars door double doubt dragon draw dream dress drink drive driver drop drug drugs dry eagle ear earth ease
east eastern easy eat echo eclipse edge edition education effort egg election electric electricity electronic
element elephant ember emerald emergency emotion empire empty end ended energy engine engineer engineering
english enjoy enter entire entry environment equal error escape especially establish established euro euros
europe european even evening everyday evidence exact exactly exam example examples excellent exist existing
expect expected expensive experience expert explain explained express extra eye eyes face fact facts fail
failed failure faith falcon fall false familiar famous fan farm fast father fear feature features federal feel
feeling feet female festival field fight fill film films finally find fine finger finish finished fire fish
fit flag flight floor flower fly follow followed following food foods foot football force forces forest forget
format forward found foundation fox frame freedom fresh friend friends front frozen fruit fuel full fully
function fun galaxy game games gamma garden gas gather gave genre giant gift girl glass global god gold golden
good grade grand grass gravity great greater green grey ground grow guard guess guest guide guitar gun guy
habit hair hall hand hands happen happened happy harbor harbour hard harvest hat hate have hawk health healthy
hear heard heart heat heavy height held help helped hero hidden hide highway hill history hit hold holiday
home honey hope horizon horse hospital host hot hotel hour house houses household human humans hunt hunter
hurt husband ice iceberg idea ideas image images imagine immediate important impossible improve include
included includes including independent indicate individual influence input insert inspection institute
institution instruction instrument intelligence intend interesting internet interview introduce introduced
invented involve involved iron island islands ivory jacket job jobs join joined journal journey judge jump
jungle jupiter justice kill killed kind king kingdom kitchen knew knight know knowledge known lady lake land
lands language languages laser late laugh lay layer leaf league learn learned leave left leg length lesson
letters library lie life lift light lightning lights line lion liquid listen literature live lived lives
living load lock logic lose lost lot love lovely luck lunar lunch machine machines magazine magic mail main
major male man manage map marble mark marked marriage married mars mass master match matter maximum meal
meaning measure measured meat media medical medicine medium meet meets memory men mention mercury message
metal metals method methods metre middle mile miles military milk mill mind mine minor mirror miss missing
mission mistake mix mixed mobile modern moment moon mother motion motor mount mountain mountains mouth move
moved movement movie movies moving muscle museum music musical mystery name named names narrow nation native
natural nature navy necessary neck need needed needs negative network news newspaper nice nickel noise normal
north northern nose note noticed novel nuclear object observe ocean odd offer officer olympic omega onyx open
opened opening opera opinion opposite orange orchard organ origin original oxygen pacific pack pain paint
painting pair palace panel panther paper parallel park particular particularly partner pass passed passenger
past path patient patients pattern peace peak pearl pen penguin perfect perform period permanent permission
phoenix phone photo phrase physical piano pick picture piece pink pioneer pipe place placed places plain plane
planet plants plastic plate play played player players playing pocket poem poet point points polar pole police
political politics pool poor popular population port positive possible possibly post pound pounds practice
prefer prepare prepared present presented pressure pretty prevent primary prince princess print prison prize
probably problem problems produce produced professor promise proper protect protection protein prove proven
provide provided provides pull pulse pump pumps pure purple purpose push pyramid quantum queen quick quickly
quiet radar radio rail rain rainbow raise raised ran random rapid raven ray read reading ready real reality
reason reasons receive received recipe recognize record recorded red reduce refer reference reflect refuse
regard regime relate related relationship religion religious remain remains remember remote remove removed
repair repeat replace replied republic request require required requires rescue reset rest restaurant rice
rich ride ring rings rise rising river road robot rock rocket role roof room rooms root rose rough round route
row royal ruby run running runs russia safe sail salt sand sapphire saturn saw scene school schools scientific
scientist score screen sea search seat secretary section seed seek select selected self send sense sensitive
sent sentence separate serious serve server set sets setting settle seven severe sex shadow shape sharp shell
shift ship ships shirt shoe shoot shore short shot shoulder shut sick sight signal significant silent silver
similar simple simply sing singer sister sit situation skill skills skin sky sleep slow smart smoke smooth
snow social society soft soil solar soldier solid solve son song songs sort sound sounds south southern space
spark speak speaker species specific speech speed spell spirit sport sports spot square stable stand star
stars start started starting state stated states station stay steam steel step steps stick stone stop storm
story straight strange stream street streets strength stress strike string strong student students studies
studio study stuff style success successful sudden suddenly sugar suggest suitable sun super supply suppose
sure surface surprise sweet swim switch symbol symptoms tail talk tall tank tape task taste taught teach
teacher teachers tear telephone television tell temperature temple tennis tension terrible text theater theory
thick thin think thought thunder ticket tie tiger tight tip titan tire tired tone tool tools tooth top topic
touch tour tower town track tradition traditional train training travel treat treatment tree trees trial
triangle tribe trip trouble truck true truth try trying turn turned twice typical understand union unique
united unity universe university unknown update updated upper urban usual vacation valley valuable variety
various vast vegetable vehicle vehicles venus victory video view village violence virus visible vision visit
visited voice volcano vulcan wait walk wall want wanted wants war warm warning wash waste watch water wave
waves weak wealth weapon wear weather web wedding weight welcome west western wet wheel white wide wife wild
win wind window wine wing winner wins wire wise wish wolf woman women won wonder wood word words wore worked
works worth write writer writing written wrong wrote yard yellow young youth zone zoo zip
"""
_OFTEN_CODE_NAMES = """
acorn agate albatross alder alpine amazon amber amethyst anchor anvil apex aquila arch archer arctic arrow arrowhead
ash aspen aster atlas aurora avalanche badger bamboo barley barnacle basalt beacon bear beaver beech birch bison
blizzard blossom bluebell boulder bramble breeze bronze buffalo buttercup buzzard cactus camel canary canyon
cardinal caravan cascade cedar centaur chestnut cheetah cinnamon citadel cliff clipper clover cobalt cobra comet
compass condor copper coral cormorant corona cosmos cougar coyote crane crater crescent crest crimson crocus crown
crystal cyclone cygnus cypress daffodil dahlia daisy diamond dolphin dove dragon dragonfly dune eagle ebony
eclipse elk ember emerald ermine everest evergreen falcon feather fern finch flint flamingo fossil fox foxglove
galaxy galleon garnet gazelle gemini geyser ginger glacier goldfinch goose gorilla granite griffin grouse gull gypsum
halyard hammer harbour harrier harvest hawk hawthorn hazel heather hemlock heron hickory horizon hornet hyacinth
ibex iceberg indigo iris ivory ivy jackal jade jaguar jasmine jasper juniper kestrel kingfisher kite koala lagoon
lantern lapwing larch lark laurel lavender leopard lichen lighthouse lilac lily limestone linden lion llama lobster
lodestar lotus lynx magma magnet magnolia magpie mahogany mallard mammoth mango maple marble marigold marlin marten
mastiff meadow mercury meridian meteor minnow mistral monsoon moonstone moose mulberry mustang mustard nebula nectar
nettle newt nightingale nimbus nova nutmeg oak oasis obsidian ocelot octopus olive onyx opal orca orchard orchid
oriole orion osprey otter owl oyster panda panther papaya partridge peacock pearl pebble pegasus pelican penguin
peony peregrine pheasant phoenix pine pinnacle pioneer plover polaris poplar poppy porpoise primrose prism puffin
puma pyramid python quail quartz quasar quicksilver raccoon raptor raven redwood reef ridge robin rosemary rowan
ruby saffron sage salamander salmon sandstone sapphire saturn schooner scorpion seahorse seal sequoia shale shark
sierra silver skylark slate snowdrop snowflake solstice sparrow spectrum sphinx spruce squirrel stallion starling
stingray stork sturgeon summit sunflower sunrise sunset swallow swan swift sycamore talon tamarind tempest thistle
thunderbolt thyme tiger topaz tornado tortoise toucan trident trout tulip tundra tungsten turquoise turtle typhoon
unicorn vanguard vega velvet violet viper voyager vulture walnut walrus wayfarer weasel whale whirlwind willow
wolverine woodpecker wren yew zebra zenith zephyr zinc zircon
"""
_PLACES = """
africa african america arab argentina asia asian athens atlantic australia australian austria belgium berlin
boston brazil britain bulgaria california canada canadian chicago chile china chinese colombia copenhagen cuba
cyprus czech danish denmark dublin dutch egypt england english estonia florida france francisco french georgia
german germany greece greek helsinki hungary iceland india indian indonesia iran iraq ireland irish israel
italian italy jamaica japan japanese kenya korea korean kong hong latvia lisbon lithuania london luxembourg
madrid malaysia mexican mexico miami milan moscow munich netherlands nigeria nordic norway norwegian oslo
pakistan paris peru philippines poland polish portugal portuguese romania rome russian scandinavia scotland
seoul serbia shanghai singapore slovakia slovenia spain spanish stockholm sweden swedish swiss switzerland
sydney taiwan texas thailand tokyo toronto turkey turkish ukraine vienna vietnam virginia wales warsaw
washington york zealand zurich
"""
_FIRST_NAMES = """
adam alan albert alex alexander alice amanda amy andrea andrew angela anna anne anthony antonio barbara ben
benjamin bernard brian bruce carl carlos carol caroline catherine charles charlotte chris christian christina
christine christopher claire daniel david deborah dennis diana donald dorothy douglas edward elena elizabeth
ella emily emma eric erik eva frances francis frank fred gary george gordon grace hannah hans harold harry
helen henry howard hugh ian ingrid isabel jack jacob james jan jane janet jason jean jennifer jeremy jessica
jim joan joe johan john johnny jonathan jose joseph joshua juan julia julian julie karen karl kate katherine
keith kelly kenneth kevin klaus larry laura lars lee leo linda lisa louis louise lucas lucy luis maria marie
mark martha martin mary matthew maria max michael michelle miguel monica nancy nathan nicholas nicole nils
noah nora oliver olivia oscar pablo pamela patricia patrick paul pedro peter philip phillip rachel ralph
raymond rebecca richard robert robin roger ronald ruth ryan samantha samuel sandra sara sarah scott sebastian
sergio simon sofia sophia sophie stephanie stephen steve steven stuart susan thomas timothy todd tom tony
victor victoria vincent walter wendy werner william wolfgang
"""

COMMON_WORDS: frozenset[str] = frozenset(
    " ".join(
        (_FUNCTION, _NUMBERS_AND_TIME, _BUSINESS, _GENERAL, _OFTEN_CODE_NAMES, _PLACES, _FIRST_NAMES)
    ).split()
).union(COMPANY_WORDS)
"""Every word above and of `companywords`, in lower case."""

_CACHED_WORDS = 1 << 15
_ENDINGS = ("s", "es", "ed", "d", "ing", "ly", "er", "ers", "al", "ion", "ions", "ment", "ments", "'s", "y")


@lru_cache(maxsize=_CACHED_WORDS)
def is_common(word: str) -> bool:
    """Whether a folded word, or the word without a usual English ending, is in the list above."""
    if word in COMMON_WORDS:
        return True
    for ending in _ENDINGS:
        if word.endswith(ending):
            stem = word[: -len(ending)]
            if len(stem) >= 3 and (stem in COMMON_WORDS or stem + "e" in COMMON_WORDS):
                return True
            if len(stem) >= 4 and stem[-1] == stem[-2] and stem[:-1] in COMMON_WORDS:
                return True
    return word.endswith("ies") and word[:-3] + "y" in COMMON_WORDS
