import type { LanguageWords } from './language-words.js';

/** Word lists of German. */
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
    'tel nr nrn abs art abb bd bde kap tab az jan feb mär apr jun jul aug sep sept okt nov dez',
  closingAbbreviations: 'etc usw usf chr jh jhd jhs jhdt mio mrd tsd std',
  collectedAbbreviations:
    'abt abw adj adm adr adv akt allg alt app ass asst ausg ausschl bart bed beil ber best bibl bldg ' +
    'brig bros bse buchst bzgl capt chin cmdr co col comdr con corp cpl dat dergl dgl di dim dkr do ' +
    'dtzd einh einschl ens entspr erf erw ev fa fam ff fn folg frz gebr gedr gek gem gen geograph ges ' +
    'gesch ggfs gov hbf hon hosp hpts hptst hrn hrsg ii iii inc inh insp int iv ix jahrh jew jhrl jr ' +
    'kath kfm kgl kl konv kop led lfd lt ltd maj max med messrs mi min mind mlle mm mme mo mod mr mrs ' +
    'ms msgr msp mtl mwst möbl no nos näml obj od op ord pfc pfd ph phys pin port pp projektass prot ' +
    'proz pvt qu rd reg rel rep reps res rev rt röm schles schr schwäb sek sen sens sfc sgt sogen ' +
    'spezif spp sr supt surg südd temp test trans tägl ursprüngl verf verh verw vi vii viii vs wg xi ' +
    'xii xiii xiv xix xv xvi xvii xviii xx zt ztr zzt',
  backReferences:
    'er sie es ihn ihm sein seine dies diese dieser dieses das dann dafür damit davon dazu darin dort beide',
  askingWords:
    'name heißt heissen heißen genannt art gibt viele viel lange bedeutet unterschied kostet kosten möchte brauche',
  numbersToTwenty:
    'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn ' +
    'sechzehn siebzehn achtzehn neunzehn zwanzig',
  tensFromThirty: 'dreißig vierzig fünfzig sechzig siebzig achtzig neunzig',
  otherNumbers:
    'ein/eine=1 zwo=2 dreissig=30 anderthalb=1.5 einhalb=0.5 hundert=100 tausend=1000 ' +
    'million/millionen=1e6 milliarde/milliarden=1e9 billion/billionen=1e12',
  ambiguousNumbers: 'acht null',
  amounts:
    'halb/halbe/halben/halbem/halber/halbes/hälfte=0.5 drittel=1/3 viertel=0.25 fünftel=0.2 zehntel=0.1 ' +
    'paar/zweimal/doppelt/doppelte=2 dreifach=3 dutzend=12 jahrzehnt=10 jahrhundert=100',
  ordinals:
    'erste/ersten/erster/erstes zweite/zweiten/zweiter/zweites dritte/dritten/dritter/drittes ' +
    'vierte/vierten fünfte/fünften sechste/sechsten siebte/siebten achte/achten neunte/neunten ' +
    'zehnte/zehnten elfte/elften zwölfte/zwölften',
  decimalSigns: 'komma punkt',
};
