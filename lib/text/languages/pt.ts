import type { LanguageWords } from './language-words.js';

/** Word lists of Portuguese. */
export const pt: LanguageWords = {
  functionWords:
    'o a os as um uma uns umas de do da dos das em no na nos nas por pelo pela pelos pelas para com sem ' +
    'sob sobre entre até desde contra e ou mas nem que se como quando onde porque porquê quem qual ' +
    'quais quanto quanta quantos quantas cujo cuja eu tu ele ela nós vós eles elas me te lhe lhes nos ' +
    'seu sua seus suas meu minha este esta estes estas isto esse essa esses essas isso aquele aquela ' +
    'aqueles aquelas aquilo é são foi foram era eram ser sendo sido está estão estava estavam tem têm ' +
    'tinha tinham há havia ter haver não sim já também só muito mais menos ao à aos às num numa dum ' +
    'duma lá aqui ali pois então ainda após ante durante através foi fica ficam pode podem',
  leadingAbbreviations:
    'sr sra srs sras srta dr dra drs prof profa profs eng exmo exma ilmo gov gen cel sto sta av cf ' +
    'aprox ex p.ex',
  numberAbbreviations: 'núm no art arts fig pág págs pp vol cap jan fev abr jun jul ago nov dez',
  closingAbbreviations: 'etc cia ltda',
  collectedAbbreviations:
    'abrev adj adm adv aer agric alm anat ap apart apt arit arqueol arquit astron autom aux biogr ' +
    'bras ca caps capt cat cit cmdr col comdr comp compl con cont contab corp cpl créd cx círc cód ' +
    'des desc dipl dir div doc dras déb ed educ elem eletr eletrôn enga engas engos esp est exo fac ' +
    'fasc fem ff fil filos fisiol fl fot fr fís geom gram gên hist hosp ilma ind ingl insp jr jur lat ' +
    'lda lin lit liter long ltd mai maj mat matem mm mov mr mrs msgr máq méd mús neol náut obs odont ' +
    'odontol op ord org organiz out pal pe pfc ph pol port pq prod pron próx psicol pvt quím ref rel ' +
    'relat rementente rep reps res rev rod rt sen sens set sfc sgt sociol sup supt surg séc símb tec ' +
    'tecnol tel trad transp univ vs álg índ',
  backReferences: 'ele ela eles elas isto isso este esta estes estas esse essa seu sua ambos',
  askingWords: 'nome chama tipo tempo significa diferença custa',
  numbersToTwenty:
    'zero um dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis ' +
    'dezessete dezoito dezenove vinte',
  tensFromThirty: 'trinta quarenta cinquenta sessenta setenta oitenta noventa',
  otherNumbers:
    'uma=1 duas=2 catorze=14 dezasseis=16 dezassete=17 dezanove=19 cem/cento=100 duzentos/duzentas=200 ' +
    'trezentos/trezentas=300 quatrocentos/quatrocentas=400 quinhentos/quinhentas=500 ' +
    'seiscentos/seiscentas=600 setecentos/setecentas=700 oitocentos/oitocentas=800 ' +
    'novecentos/novecentas=900 mil=1000 milhão/milhões=1e6 bilhão/bilhões=1e9 bilião/biliões/trilhão/trilhões=1e12',
  ambiguousNumbers: 'mil',
  amounts:
    'meio/meia/metade=0.5 terço/terços=1/3 quarto/quartos=0.25 par/dobro=2 triplo=3 ' +
    'dezena/dezenas/década=10 dúzia=12 quinzena=15 vintena=20 centena/centenas/século=100 ' +
    'milhar/milhares=1000',
  ordinals:
    'primeiro/primeira segundo/segunda terceiro/terceira quarto/quarta quinto/quinta sexto/sexta ' +
    'sétimo/sétima oitavo/oitava nono/nona décimo/décima',
  decimalSigns: 'vírgula ponto',
};
