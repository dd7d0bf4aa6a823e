import type { LanguageWords } from './language-words.js';

/** Word lists of Italian. */
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
  collectedAbbreviations:
    'abbrev abr abs acc adj adm adr adv aer ag agric alt anat ant app apt arc arci asst astron autom ' +
    'banc bart bibl bld bldg brig bros cal cam capt cat cie cmdr cnel com comdr comm comp compl ' +
    'contab contr corp corr cpl cpt dat dc div doc dom dr dra drs egr ens esp fac fam fatt figs filos ' +
    'fisiol gov gram hon hosp ibid id imp ind inf ingl insp int inter iso lat led lett lib lic lit ' +
    'liv loc long lt ltd lun maj mat max med messrs min mitt mlle mme mod mr mrs ms msgr mss nat neol ' +
    'nos ogg on op ord pal pen pfc pin pol port pos post pps pres pron prov psicol pvt racc rag ram ' +
    'reg rel rep reps res rev ric rif sam sec seg sen sens set sez sfc sgt sing soc sociol sol spett ' +
    'spp st sup supt surg tav tecnol tel temp trad uni vda ven ver',
  backReferences: 'si lui lei essi esse esso essa questo questa questi queste ciò suo sua entrambi',
  askingWords: 'cos nome chiama tipo tempo significa differenza costa',
  numbersToTwenty:
    'zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici ' +
    'quindici sedici diciassette diciotto diciannove venti',
  tensFromThirty: 'trenta quaranta cinquanta sessanta settanta ottanta novanta',
  otherNumbers:
    'un/una=1 tré=3 vent=20 trent=30 quarant=40 cinquant=50 sessant=60 settant=70 ottant=80 novant=90 ' +
    'cent/cento=100 mille/mila=1000 milione/milioni=1e6 miliardo/miliardi=1e9 bilione/bilioni=1e12',
  ambiguousNumbers: 'sei',
  amounts:
    'mezzo/mezza/metà=0.5 terzo/terzi=1/3 quarto/quarti=0.25 paio/doppio=2 triplo=3 ' +
    'decina/decine/decennio=10 dozzina=12 quindicina=15 ventina=20 centinaio/centinaia/secolo=100 ' +
    'migliaio/migliaia=1000',
  ordinals:
    'primo/prima secondo/seconda terzo/terza quarto/quarta quinto/quinta sesto/sesta settimo/settima ' +
    'ottavo/ottava nono/nona decimo/decima',
  decimalSigns: 'virgola punto',
};
