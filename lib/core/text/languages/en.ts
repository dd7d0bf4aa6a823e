import type { LanguageWords } from './language-words.js';

/** Closed word lists of English. */
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
    'no nos fig figs eq vol ch art p pp ed jan feb mar apr jun jul aug sep sept oct nov dec',
  closingAbbreviations: 'etc inc ltd co corp jr sr bros est ave blvd rd sq ft',
  backReferences: 'it its he his she her they their this these that those such both there then here',
  copulas: 'is are was were means stands called refers describes',
  placePrepositions: 'in at near on under behind beside between inside outside from above below within to',
  causeWords:
    'because since due owing as so therefore thus hence otherwise thanks cause causes caused reason why prevent prevents avoid',
  askingWords:
    'name named called kind sort happen happened take place exactly approximately many much long often mean means difference list need want know get',
};
