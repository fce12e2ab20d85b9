"""Given names that millions have, of six letters or more: alone they identify nobody, so only the rest of a name does.

Written for this project; a name absent from it is looked for by itself, like a surname.
"""

from __future__ import annotations

_NAMES = """
abigail adrian adriana agatha agnieszka albert alberto alejandra alejandro aleksander aleksandra alessandra
alessandro alexander alexandra alexandre alfred alfredo alicia alison alistair amanda amelia anastasia anders andrea
andreas andrei andrew andrzej angela angelica angelina angelo annabel annette anthony antoine anton antonia antonio
arnold arthur arturo ashley astrid audrey aurelie barbara beatrice beatriz benedict benedikt benjamin bernard
bernhard bertrand bettina beverly bianca bogdan bradley brandon brenda brendan brigitte britta bronwyn camilla
camille carina carlos carmen carolina caroline carolyn catherine cecilia cecilie chantal charles charlie charlotte
cheryl christa christel christian christiane christina christine christoph christophe christopher clarissa claude
claudia claudio clemens clement colleen connor constance cordula cornelia craig cristina cynthia damian daniel
daniela daniele danielle darren deborah denise dennis diana dietmar dimitri dolores dominic dominik dominique donald
dorothea dorothy douglas edmund eduard eduardo edward eileen elaine eleanor elena elisabeth elizabeth ellen emanuel
emilia emmanuel emmanuelle enrico enrique ernest esther etienne eugene evelyn fabian fabien fabrice federico felicia
felicity ferdinand fernando filippo florence florian frances francesca francesco francine francis francisco franck
francois francoise franklin franziska frederic frederick frederik friedrich gabriel gabriela gabriele gabriella
geoffrey george georgia georgina gerald gerard gerhard gianluca gillian giorgio giovanni giulia giuseppe gloria
gordon graham gregory guillaume gunther gustav hannah harald harold harriet hartmut harvey heather heidi heinrich
helena helene helmut henning henrik herbert hermann hilary holger howard hubert ignacio ingeborg ingrid isabel isabella
isabelle jacqueline jacques jasmin javier jeffrey jennifer jeremy jerome jessica joachim joanna jochen johanna
johannes jonathan joseph josephine joshua juliana julian juliane julien juliette justin karina karolina katarina
katarzyna katharina katherine kathleen kathrin katrin kenneth kerstin kimberly klaus konrad konstantin kristian
kristina kristine krzysztof lambert laurence laurent lawrence leonard leonardo leonie leopold leslie lillian linda
lorenzo louise lucian luciana ludovic ludwig lukasz magdalena malcolm malgorzata manfred manuel manuela marcel
marcello marcin marcus margaret margarita margot marguerite mariana marianne marina marion marjorie markus marlene
martha martin martina martine mathias mathieu mathilde matteo matthew matthias matthieu maureen maurice mauricio
maximilian melanie melissa michael michaela michal michel michele michelle miguel mikael miriam mohamed mohammad
mohammed monica monika monique morgan muhammad murray mustafa myriam nadine natalia natalie nathalie nathan nathaniel
nicholas nicola nicolas nicole nikolai nikolaus norbert norman oliver olivia olivier oswald patrice patricia patrick
patrik pauline percival philip philipp philippa philippe phillip pierre priscilla rachel rafael rainer ramona
randall raphael raymond rebecca regina reginald reinhard renata renate ricardo riccardo richard robert roberta
roberto roderick rodrigo roland rolando ronald rosalind rosemary rudolf rupert russell sabine sabrina samantha samuel
sandra sebastian sebastien serena sergio sharon shirley siegfried sigrid silvia simone solange sophia sophie stanley
stefan stefania stefano stefanie stephan stephane stephanie stephen steven stuart susanna susanne suzanne svetlana
sylvia sylvie tamara tatiana teresa terence theodor theodore theresa therese thierry thomas tiffany timothy tobias
torsten ursula valentin valentina valerie vanessa veronica veronika victor victoria viktor vincent vincenzo virginia
vivian vladimir volker walter wendy werner wilhelm william winston wojciech wolfgang xavier yvette yvonne zachary
aditya agnes aidan aileen alasdair aleksandr alessio alexis alfonso alfredo aliaksandr alistair allison alvaro amalia
ambrose anabel anatoly angelika angelos anjali annalisa annelise annemarie annika anselm antonella antonis apolline
archibald ariane arianna ariadne arjun armand armando armelle arnaud arvind asbjorn ashwin athena augustin aurelia
aurelien axelle barnaby baptiste bartosz bartholomew bastien beatrix benedetta benoit berenice bertil birgit birgitta
bjorn blanca boguslaw borislav brigid bridget bronislaw callum camilo carlotta carsten casper cassandra catalina
catarina caterina catriona cedric celeste celestine celine charlene chiara clarice claudine clementine clotilde
conrad constantin constantine cordelia corentin corinna corinne cornelius cosima damien danilo darius davide
deepak deirdre delphine dennis desmond detlef diarmuid dieter dimitrios dimitris dominika dorian dorota dorothee
edgar edmond edouard edwina eduardo ekaterina eleanora eleonora eliane elinor eliseo eloise elspeth emanuele emeline
emilie emilio emmanuela enrica erasmus ernesto ernst esperanza estelle eugenia eugenio eusebio evangelos
evelina fabienne fabiola fabrizio faisal farida fatima felipe felix fergus fernanda fiona flavia flavio
florentina flfrantisek frederica fredrik frieda frida gareth gaspard gaston genevieve geraldine gerhardt
germaine gertrude gianni gilbert gilberto gillian giorgia giovanna gisela giuliana giuliano gonzalo gottfried
grazia gregor gretchen grzegorz guadalupe gudrun guglielmo guillermo gunnar gunilla gustavo gwendolyn gyorgy hamish
hannelore haruka haruki hector hedwig heloise hendrik henriette henrietta herman hermine hiroshi hortense
horst humphrey ignatius ilaria imogen indira ingmar ingrid irene irina isadora isidora isolde istvan ivonne izabela
jacinta jadwiga jaroslav jaroslaw jessamine joaquin jocelyn johann joachim jolanta jorgen josefina josephina josette
juanita judith julius justine justyna karolin katalin katerina kathryn kazimierz kelvin kieran kimiko kirsten kristen
kristin kristof kristoffer lachlan ladislav laetitia lavinia leander leandro leonie leonora leonor leontine lieselotte
lillian lionel lisbeth lorena lorraine lothar louisa lucienne lucinda lucrezia ludmila ludovica ludwika luigi lutz
lysander maddalena madeleine magnus manuele marcela marcelo marcia margareta margarethe margaux margherita mariano
maribel marieke mariella marijke mariusz marlena marisol massimo matilda matilde matthijs mauricette maxime maximilien
maximo melinda mercedes meredith mieczyslaw mikhail mildred milena millicent minerva miroslav mirjam mohamad monique
montserrat muriel nadezhda natasha nicoletta nicolette nikita nikhil nikola nikolas nikolaos noelle noriko octavia
octavio odette ophelia orlando orsolya oriana oriane ottilie otto ottavia paloma pamela paolo pascal pascale patrizia
pavel penelope perpetua petronella philippine phoebe phyllis pieter portia prakash primrose quentin quincy radoslav
raffaele raffaella raimund rajesh ramesh rashid rasmus raphaelle reinhold remigius reynaldo rhiannon roderich rodolfo
rogelio romain romano rosalie rosalinda rosamund rosanna roswitha roxana roxanne rupprecht sakura salvador salvatore
sandeep sanjay saskia satoshi sebastiano selina seraphina severin shannon sheila sidney sigmund sigurd silvana silvio
sinead siobhan slawomir snezana solveig somchai soledad sophia soren stanislav stanislaw stefanos stella stephania
sunita suresh sybille sylvain sylvester sylwia szymon takashi takumi tatjana teodor teodora teresita thaddeus
thandiwe theodora theophile thibault thorsten tiberius tomasz tommaso torbjorn tristan ulrich ulrike umberto urszula
valeria valerio vasilis vasily verena vicente vikram vincenza violetta viviana viviane vittoria vittorio vladislav
waldemar wenceslas wendell wilfred wilfried wilhelmina wieslaw winifred xiomara yannick yasmin yolanda yoshiko yuliya
yusuf zdenek zbigniew zoltan zuzana
"""
_ALL = frozenset(_NAMES.split())


def is_given_name(word: str) -> bool:
    """Whether a folded word is one of the usual given names."""
    return word in _ALL
