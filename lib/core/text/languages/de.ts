import type { LanguageWords } from './language-words.js';

/** Closed word lists of German. */
export const de: LanguageWords = {
  functionWords:
    'der die das den dem des ein eine einen einem einer eines und oder aber denn sondern doch weil dass ' +
    'daß ob wenn als wie wo wann warum wieso weshalb wer wen wem wessen was welche welcher welches ' +
    'welchen welchem wieviel ich du er sie es wir ihr mich dich ihn uns euch mir dir ihm ihnen sein ' +
    'seine seinen seinem seiner ihre ihren ihrem ihrer mein dein unser dieser diese dieses diesen ' +
    'diesem jener jene jenes in im ins an am ans auf aus bei beim mit nach von vom vor zu zum zur über ' +
    'unter zwischen durch für gegen ohne um bis seit während wegen ist sind war waren sein gewesen wird ' +
    'werden wurde wurden worden hat haben hatte hatten kann können konnte muss müssen soll nicht kein ' +
    'keine keinen nur auch noch schon sehr mehr so da dort hier man sich ab je etwa',
  leadingAbbreviations:
    'dr prof hr fr frl st hl ing bzw ca vgl sog ggf evtl inkl exkl zzgl bspw insb ehem eigtl urspr geb ' +
    'gest gegr lat griech engl franz ital österr amtl dipl phil rer nat z.b d.h u.a',
  numberAbbreviations:
    'nr nrn abs art abb bd bde kap tab az jan feb mär apr jun jul aug sep sept okt nov dez',
  closingAbbreviations: 'etc usw usf chr jh jhd jhs jhdt mio mrd tsd std str',
  backReferences:
    'er sie es ihn ihm sein seine dies diese dieser dieses das dann dafür damit davon dazu darin dort beide',
  copulas: 'ist sind war waren bedeutet heißt bezeichnet nennt steht',
  placePrepositions: 'im in am an auf bei neben unter hinter vor aus nach zwischen innerhalb zimmer',
  causeWords: 'weil da denn wegen damit aufgrund dadurch deshalb daher darum sonst durch um',
  askingWords:
    'name heißt heissen heißen genannt art gibt viele viel lange bedeutet unterschied kostet kosten möchte brauche',
};
