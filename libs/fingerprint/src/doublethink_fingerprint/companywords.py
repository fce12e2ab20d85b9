"""Generic words of company names, sums and prices in the languages of Europe and some of Asia and Africa.

Written for this project; not taken from any word list. Each is what thousands of companies, or any price, has in
common, so none of them says which company or sum is meant: not alone, and not misspelled. They are folded as texts are
(`fold`), with one spelling for a language's capital and small letters.
"""

from __future__ import annotations

_LEGAL_FORMS = """
gmbh mbh ohg kgaa aktiengesellschaft gesellschaft genossenschaft verein stiftung sarl sasu eurl societe
anonyme sociedad sociedade societa anonima limitada limitata azioni spolka akcyjna komandytowa spolecnost
akciova rucenim omezenym reszvenytarsasag korlatolt felelossegu tarsasag zartkoruen nyilvanosan anonim sirketi
sirket limited plc llc llp inc corp aktieselskab anpartsselskab aksjeselskap allmennaksjeselskap aktiebolag
handelsbolag osakeyhtio hlutafelag kabushiki kaisha gaisha yugen chusik hoesa jusikhoesa gongsi youxian gufen
cong ty phan naamloze besloten vennootschap maatschappij bedrijf bedrijven onderneming onderneminger foretag
bolag selskab selskap selskapet foretagsgrupp spolki zaklad zaklady przedsiebiorstwo podnik zavod zavody
vallalat intreprindere empresa empresas impresa imprese entreprise entreprises compagnie compagnia companhia
compania companie kompagni kompani kompania kompanie unternehmen
"""
_FINANCE = """
kapital kapitaal capitale capitaux capitales capitais kapitalu paaoma tokealap sermaye jabon von zijin shihon
beteiligung beteiligungen beteiligungsgesellschaft participation participations participaciones participacoes
partecipazioni participatie participaties participacao participacion deelneming deelnemingen ejerandele
udzialy investissement investissements inversion inversiones investimento investimenti investimentos
investering investeringer investeringar investeringen investitionen investition investice investicni
investicna investycje inwestycje inwestycyjny befektetesi befektetes sijoitus sijoitukset sijoitusyhtio
yatirim yatirimlar touzi toushi tuja dautu beleggings belegging beleggingen investiciona investicije invest
investor vermogen vermogensverwaltung verwaltung verwaltungs finanz finanzen finanziaria finanziario
financiere financier financieros financiera finanzas financas finans finansowy finansowa finanse financni
penzugyi rahoitus rahasto rahastot finansal maliye fond fonds fondo fondos fondi fundo fundos fundusz fundusze
fondsen fondet fonden fondul kasse kassa sparkasse banque banca banco bancaria bankarna bankowy bankasi pankki
treuhand treasury nidhi fincorp shoken kyodo holdinggesellschaft holdings holding holdinge beheer
beheermaatschappij portefeuille patrimoine patrimonial patrimonio vagyonkezelo gestion gestao gestione gestora
forvaltning verksamhet omistus omistusyhtio equity equities ventures venture capitals partners partner
partneri partnerzy partnere partnerek associates associes associati asociados associados advisors advisory
beratung beratungs conseil consulting consultores
"""
_GROUPS = """
gruppe gruppen gruppo gruppi groupe groupes groep groepen grupo grupos grupa grupy grup grubu skupina skupiny
csoport ryhma konserni koncern koncernen konzern konsern konsernet konsortium consorcio consorzio consortium
jituan gurupu keiretsu brothers freres fratelli hermanos irmaos gebruder gebroeders broeders brodrene broderna
bracia bratri testverek sohne soehne sohn figli hijos filhos zonen sonner soner synowie synove fiai ogullari
kardesler erben nachfolger succession union unione uniao alliance alianza alleanza allianz verbund verband
federation association asociacion associazione associacao vereniging forening forbund zwiazek svaz szovetseg
liitto birlik birligi
"""
_TRADES = """
industrie industries industrien industrier industria industriale industriales industriel industrielle
industriell industriellen industriais industrias przemysl przemyslowy prumysl prumyslove ipari ipar teollisuus
sanayi sanayii handel handels handelsgesellschaft commerce commercial commerciale comercio comercial handlowy
obchodni kereskedelmi kauppa ticaret technik technologie technologien technologies tecnologia tecnologie
tecnologias teknologi teknologia teknik teknoloji technologia techniek technologisch engineering ingenierie
ingegneria ingenieria ingenieure systeme systemes sistemas sistemi systemy systemer solutions losungen
soluciones soluzioni solucoes services servicios servizi servicos dienste diensten tjanster tjenester palvelut
hizmetleri maschinen maschinenbau maschinenfabrik machines maquinas macchine maskiner maskin koneet makina
werke werken werk fabrik fabriken fabrika fabriek fabrieken fabbrica fabrica usines stahl stahlwerke metall
metalle metalurgia metallurgie metal metalli energie energia energetyka energi energieversorgung strom chemie
chemische chimie chimica quimica kemia kemi kimya pharma pharmaceuticals farma farmaceutica farmaceutyczna
immobilien immobiliere immobilier immobiliare inmobiliaria imobiliaria nieruchomosci nemovitosti ingatlan
kiinteisto fastigheter eiendom ejendomme vastgoed gayrimenkul bau baugesellschaft construction construcciones
costruzioni construcoes budowlana stavebni epito rakennus bouw insaat transporte transports trasporti
transport spedition logistik logistique logistica logistyka logistiek versicherung versicherungen assurance
assurances assicurazioni seguros verzekeringen forsikring forsakring vakuutus sigorta medien medias verlag
editions editorial edizioni forlag wydawnictwo landwirtschaft agricole agricola agricoltura rolnictwo landbouw
landbrug pastoral pastorale lebensmittel alimentaire alimentos alimentari bergbau minas miniere mineraria
kopalnia mining resources ressourcen ressources recursos risorse entwicklung developpement desarrollo sviluppo
desenvolvimento utveckling utvikling kehitys rozwoj forschung recherche ricerca nordisk nordiska nordisch
nordique europeen europeenne europeo europea europaische europeisk international internationale internazionale
internacional internasjonal miedzynarodowy mezinarodni nemzetkozi kansainvalinen uluslararasi nationale
nazionale nacional
"""
_PRICES = """
euro euros dollar dollars pound pounds sterling pence penny cent cents centimes franc francs franken rappen
kroner kronor krone krona kronur koruna koruny korun zloty zlote zlotych grosz groszy forint forintot fillers
lira liras lire kurus rupee rupees paise yen yens yuan renminbi won wons rand rands real reais peso pesos dong
baht ringgit rupiah rupiahs shekel shekels dirham dirhams riyal riyals dinar dinars ruble rubles rouble
roubles hryvnia hryvnias leu lei lev leva naira shilling shillings percent prozent pourcent pourcentage
procent procento procentow prosent prosenttia percento porciento porcento szazalek yuzde aktie aktien action
actions azione accion acciones acao acoes aandeel aandelen aksje aksjer osake osaketta akcja akcji akcie akcii
reszveny hisse premium premie prime premio aufschlag pramie
"""

COMPANY_WORDS: frozenset[str] = frozenset(
    " ".join((_LEGAL_FORMS, _FINANCE, _GROUPS, _TRADES, _PRICES)).split()
)
"""Every word above, folded."""
