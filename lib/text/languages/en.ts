import type { LanguageWords } from './language-words.js';

/** Word lists of English. */
export const en: LanguageWords = {
  functionWords:
    'a an the this that these those i you he she it we they me him her us them my your his its our ' +
    'their mine yours hers ours theirs myself yourself himself herself itself ourselves themselves who ' +
    'whom whose which what when where why how and or but nor so yet if then than as because while ' +
    'although though unless until since of in on at by to from with without within into onto upon over ' +
    'under about above below between among through during before after against across along around ' +
    'behind beside besides beyond near off out up down for is are was were be been being am do does did ' +
    'doing done have has had having will would shall should can could may might must not no also only ' +
    'just very too there here such same both each every either neither any some all more most much many ' +
    'few other another own s t d ll re ve don doesn didn isn aren wasn weren hasn haven hadn won wouldn ' +
    'shouldn couldn cannot please tell me ever even still however thus hence therefore per via',
  leadingAbbreviations:
    'mr mrs ms messrs dr prof rev hon rt capt cpt lt sgt col maj gen gov sen rep pres st mt dept approx ' +
    'vs cf al viz ca e.g i.e',
  numberAbbreviations:
    'sec tab no nos fig figs eq vol ch art p pp ed jan feb mar apr jun jul aug sep sept oct nov dec',
  closingAbbreviations: 'etc inc ltd co corp jr sr bros est ave blvd rd sq ft',
  collectedAbbreviations:
    'aa ab abbrev abs adm adv ala alt alta arc ariz ark assn asst attys bld bldg brig btw cal calif ' +
    'cit cmdr colo comdr comm conn cont cpl cres ct dak dc def del det diff dist drs ens esp esq exec ' +
    'exp expy ext fed fla fn fri fwy fy hosp hway hwy hz ia ibid ida ind ing insp jam joe kan kans kb ' +
    'ken lev lib link llb lld llm loc mart mb med mex mfg mgr mich min minn misc mlle mme mont msgr ' +
    'mssrs mtn nb neb nebr nem nev num nº okla ont op ore pc pd pde penna pfc phys plz pps pro ps pvt ' +
    'qq reg reps res rs sask scil sens sfc supt surg tce tenn tex univ usafa ut var ver vt wef wis ' +
    'wisc wrt wy wyo yr yuk',
  backReferences: 'it its he his she her they their this these that those such both then here',
  askingWords:
    'name named called kind sort happen happened take place exactly approximately many much long often mean means difference list need want know get',
  numbersToTwenty:
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen ' +
    'sixteen seventeen eighteen nineteen twenty',
  tensFromThirty: 'thirty forty fifty sixty seventy eighty ninety',
  otherNumbers:
    'hundred/hundreds=100 thousand/thousands=1000 million/millions=1e6 billion/billions=1e9 ' +
    'trillion/trillions=1e12',
  amounts:
    'half/halves=0.5 quarter/quarters=0.25 third/thirds=1/3 fifth/fifths=0.2 tenth/tenths=0.1 ' +
    'couple/pair/twice/double=2 triple=3 dozen/dozens=12 decade=10 century=100',
  ordinals:
    'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth ' +
    'fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth',
  decimalSigns: 'point dot',
  irregularForms:
    'arise/arose/arisen become/became begin/began/begun bend/bent bite/bit/bitten bleed/bled ' +
    'blow/blew/blown break/broke/broken bring/brought build/built buy/bought catch/caught ' +
    'choose/chose/chosen come/came deal/dealt dig/dug draw/drew/drawn drink/drank/drunk ' +
    'drive/drove/driven eat/ate/eaten fall/fell/fallen feed/fed fight/fought fly/flew/flown ' +
    'forbid/forbade/forbidden forget/forgot/forgotten freeze/froze/frozen get/got/gotten give/gave/given ' +
    'go/went/gone grow/grew/grown hang/hung hear/heard hide/hid/hidden hold/held keep/kept ' +
    'know/knew/known lay/laid lend/lent lose/lost make/made mean/meant meet/met pay/paid ' +
    'ride/rode/ridden ring/rang/rung run/ran say/said see/seen seek/sought sell/sold send/sent ' +
    'shake/shook/shaken shoot/shot show/shown shrink/shrank/shrunk sing/sang/sung sink/sank/sunk sit/sat ' +
    'sleep/slept slide/slid speak/spoke/spoken spend/spent stand/stood steal/stole/stolen stick/stuck ' +
    'strike/struck swear/swore/sworn sweep/swept swim/swam/swum take/took/taken teach/taught ' +
    'tear/tore/torn tell/told think/thought throw/threw/thrown understand/understood wake/woke/woken ' +
    'wear/wore/worn win/won withdraw/withdrew/withdrawn write/wrote/written',
};
