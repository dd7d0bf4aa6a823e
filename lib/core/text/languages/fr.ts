import type { LanguageWords } from './language-words.js';

/** Closed word lists of French. */
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
  backReferences:
    'il elle ils elles ce c ceci cela ça celui celle ceux celles cette ces leur leurs y en son sa ses',
  copulas: 'est sont était étaient désigne signifie appelle nomme',
  placePrepositions: 'dans à au aux en sur sous chez près derrière devant entre depuis',
  causeWords: 'parce car puisque puisqu cause afin raison grâce sinon donc pourquoi éviter pour',
  askingWords: 'nom appelle type sorte combien temps signifie différence coûte',
};
