import type { LanguageWords } from './language-words.js';

/** Word lists of French. */
export const fr: LanguageWords = {
  functionWords:
    'le la les un une des du de d l en dans sur sous par pour avec sans entre chez vers contre depuis ' +
    'jusque jusqu et ou mais ni car que qu qui quoi dont où quand comment pourquoi combien quel quelle ' +
    'quels quelles lequel laquelle si comme je j tu il elle on nous vous ils elles me m te t se s lui ' +
    'leur y mon ma mes ton ta tes son sa ses notre nos votre vos leurs ce c cet cette ces cela ça est ' +
    'sont était étaient fut furent être été a ont avait avaient avoir ne n pas plus moins très aussi au ' +
    'aux à est-ce après avant pendant donc alors peut peuvent fait font',
  leadingAbbreviations: 'm mm mme mmes mlle mlles dr pr mgr st ste cf env av apr ex p.ex c.-à-d',
  numberAbbreviations: 'no art fig pp chap vol janv févr avr juil sept oct nov déc',
  closingAbbreviations: 'etc cie bd',
  collectedAbbreviations:
    'acoust adr all anc ann anon append auj boul broch bull ca cam categ co coll collab comm config ' +
    'contr desc dest dict dim dir doc encycl exempl fasc fr fém gouv graph hab hôp ibid id ill ' +
    'illustr imm imprim inc indus inf jr lib ltd lun mar mart masc ms niv op pl prof publ quart réf ' +
    'sam sec sect sing sq sqq ss suiv sup suppl symb synth syst tél var vb ven vs éd édit équiv éval',
  backReferences:
    'il elle ils elles ce c ceci cela ça celui celle ceux celles cette ces leur leurs y en son sa ses',
  askingWords: 'nom appelle type sorte combien temps signifie différence coûte',
  numbersToTwenty:
    'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize ' +
    'dix-sept dix-huit dix-neuf vingt',
  tensFromThirty: 'trente quarante cinquante soixante soixante-dix quatre-vingts quatre-vingt-dix',
  otherNumbers:
    'une=1 septante=70 quatre-vingt/huitante/octante=80 nonante=90 cent/cents=100 mille=1000 ' +
    'million/millions=1e6 milliard/milliards=1e9 billion/billions=1e12',
  ambiguousNumbers: 'neuf cent',
  amounts:
    'demi/demie/moitié=0.5 tiers=1/3 quart/quarts=0.25 double=2 triple=3 dizaine/dizaines/décennie=10 ' +
    'douzaine=12 quinzaine=15 vingtaine=20 trentaine=30 quarantaine=40 cinquantaine=50 ' +
    'centaine/centaines/siècle=100 millier/milliers=1000',
  ordinals:
    'premier/première/premiers/premières deuxième/second/seconde troisième quatrième cinquième sixième ' +
    'septième huitième neuvième dixième onzième douzième',
  decimalSigns: 'virgule point',
};
