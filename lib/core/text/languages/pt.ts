import type { LanguageWords } from './language-words.js';

/** Closed word lists of Portuguese. */
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
  backReferences: 'ele ela eles elas isto isso este esta estes estas esse essa seu sua ambos',
  copulas: 'é são era eram significa chama',
  placePrepositions: 'no na nos nas em ao à perto sob sobre entre atrás dentro desde',
  causeWords: 'porque pois devido causa para já isso graças senão portanto',
  askingWords: 'nome chama tipo tempo significa diferença custa',
};
