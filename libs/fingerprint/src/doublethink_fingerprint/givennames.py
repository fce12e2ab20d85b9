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
"""
_ALL = frozenset(_NAMES.split())


def is_given_name(word: str) -> bool:
    """Whether a folded word is one of the usual given names."""
    return word in _ALL
