import type { LanguageWords } from './language-words.js';

/** Closed word lists of Spanish. */
export const es: LanguageWords = {
  functionWords:
    'el la los las un una unos unas de del en por para con sin sobre entre hasta desde contra según y e ' +
    'o u pero ni que se como cómo cuando cuándo donde dónde porque porqué quien quién quienes quiénes ' +
    'cual cuál cuales cuáles cuanto cuánto cuánta cuántos cuántas qué cuyo cuya yo tú él ella nosotros ' +
    'vosotros ellos ellas me te le les nos su sus mi mis este esta estos estas esto ese esa esos esas ' +
    'eso aquel aquella es son fue fueron era eran ser siendo sido está están estaba estaban ha han ' +
    'había habían hay haber no sí ya también sólo solo muy más menos al lo a ante durante tras mediante ' +
    'si tiene tienen tenía puede pueden',
  leadingAbbreviations:
    'sr sra sres srta dr dra dña prof profa ing lic arq gral cnel sto sta avda cf ej aprox p.ej',
  numberAbbreviations: 'núm no art arts fig pág págs pp vol cap ene feb abr jun jul ago sept oct nov dic',
  closingAbbreviations: 'etc ud uds vd vds cía ltda',
  backReferences: 'se él ella ellos ellas esto este esta estos estas eso ese esa su sus lo ambos allí',
  copulas: 'es son era eran significa llama llaman',
  placePrepositions: 'en a junto sobre bajo cerca desde entre detrás dentro',
  causeWords: 'porque pues debido causa ya puesto eso gracias para',
  askingWords: 'nombre llama tipo cuánto cuánta cuántos cuántas cuanto tiempo significa diferencia cuesta',
};
