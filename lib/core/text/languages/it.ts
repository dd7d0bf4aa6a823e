import type { LanguageWords } from './language-words.js';

/** Closed word lists of Italian. */
export const it: LanguageWords = {
  functionWords:
    'il lo la i gli le un uno una di del dello della dei degli delle a al allo alla ai agli alle da dal ' +
    'dallo dalla dai dagli dalle in nel nello nella nei negli nelle su sul sullo sulla sui sugli sulle ' +
    'con senza per tra fra e ed o ma né che se come quando dove perché chi quale quali quanto quanta ' +
    'quanti quante cui io tu lui lei noi voi loro mi ti ci vi si suo sua suoi sue mio mia questo questa ' +
    'questi queste quello quella quelli quelle è sono era erano fu furono essere stato stata stati ' +
    'state ha hanno aveva avevano avere non sì già anche solo molto più meno ne cosa durante contro ' +
    'dopo prima verso l d dell all dall nell sull c un può possono viene vengono',
  leadingAbbreviations: 'sig sigg dott prof ing avv arch geom gen mons es cfr ca ss p.es',
  numberAbbreviations:
    'num art artt fig pag pagg pp vol cap tab gen feb mar apr giu lug ago sett ott nov dic',
  closingAbbreviations: 'ecc etc',
  backReferences: 'si lui lei essi esse esso essa questo questa questi queste ciò suo sua entrambi',
  copulas: 'è sono era erano significa chiama',
  placePrepositions: 'nel nella nello nei in al alla allo a presso su sotto tra fra dietro dentro da',
  causeWords: 'perché poiché siccome causa affinché dato grazie quindi altrimenti per',
  askingWords: 'nome chiama tipo tempo significa differenza costa',
};
