import type { Language } from './languages.js';

/**
 * Articles, pronouns, prepositions, conjunctions, auxiliaries and question words. Deliberately much shorter than
 * `stopwords()`: that list also drops `first`, `second`, `system`, `number` or `invention`, on which answers turn.
 */
const LISTS: Record<Language, string> = {
  en:
    'a an the this that these those i you he she it we they me him her us them my your his its our their mine yours hers ours theirs ' +
    'myself yourself himself herself itself ourselves themselves who whom whose which what when where why how and or but nor so yet if ' +
    'then than as because while although though unless until since of in on at by to from with without within into onto upon over under ' +
    'about above below between among through during before after against across along around behind beside besides beyond near off out up ' +
    'down for is are was were be been being am do does did doing done have has had having will would shall should can could may might must ' +
    'not no also only just very too there here such same both each every either neither any some all more most much many few other another ' +
    'own s t d ll re ve don doesn didn isn aren wasn weren hasn haven hadn won wouldn shouldn couldn cannot please tell me ever even still ' +
    'however thus hence therefore per via',
  pt:
    'o a os as um uma uns umas de do da dos das em no na nos nas por pelo pela pelos pelas para com sem sob sobre entre até desde contra ' +
    'e ou mas nem que se como quando onde porque porquê quem qual quais quanto quanta quantos quantas cujo cuja eu tu ele ela nós vós eles elas ' +
    'me te lhe lhes nos seu sua seus suas meu minha este esta estes estas isto esse essa esses essas isso aquele aquela aqueles aquelas aquilo ' +
    'é são foi foram era eram ser sendo sido está estão estava estavam tem têm tinha tinham há havia ter haver não sim já também só muito mais ' +
    'menos ao à aos às num numa dum duma lá aqui ali pois então ainda após ante durante através foi fica ficam pode podem',
  es:
    'el la los las un una unos unas de del en por para con sin sobre entre hasta desde contra según y e o u pero ni que se como cómo cuando cuándo ' +
    'donde dónde porque porqué quien quién quienes quiénes cual cuál cuales cuáles cuanto cuánto cuánta cuántos cuántas qué cuyo cuya yo tú él ella ' +
    'nosotros vosotros ellos ellas me te le les nos su sus mi mis este esta estos estas esto ese esa esos esas eso aquel aquella es son fue fueron ' +
    'era eran ser siendo sido está están estaba estaban ha han había habían hay haber no sí ya también sólo solo muy más menos al lo a ante durante ' +
    'tras mediante si tiene tienen tenía puede pueden',
  it:
    'il lo la i gli le un uno una di del dello della dei degli delle a al allo alla ai agli alle da dal dallo dalla dai dagli dalle in nel nello nella ' +
    'nei negli nelle su sul sullo sulla sui sugli sulle con senza per tra fra e ed o ma né che se come quando dove perché chi quale quali quanto quanta ' +
    'quanti quante cui io tu lui lei noi voi loro mi ti ci vi si suo sua suoi sue mio mia questo questa questi queste quello quella quelli quelle è sono ' +
    'era erano fu furono essere stato stata stati state ha hanno aveva avevano avere non sì già anche solo molto più meno ne cosa durante contro dopo ' +
    'prima verso l d dell all dall nell sull c un può possono viene vengono',
  de:
    'der die das den dem des ein eine einen einem einer eines und oder aber denn sondern doch weil dass daß ob wenn als wie wo wann warum wieso weshalb ' +
    'wer wen wem wessen was welche welcher welches welchen welchem wieviel ich du er sie es wir ihr mich dich ihn uns euch mir dir ihm ihnen sein seine ' +
    'seinen seinem seiner ihre ihren ihrem ihrer mein dein unser dieser diese dieses diesen diesem jener jene jenes in im ins an am ans auf aus bei beim ' +
    'mit nach von vom vor zu zum zur über unter zwischen durch für gegen ohne um bis seit während wegen ist sind war waren sein gewesen wird werden wurde ' +
    'wurden worden hat haben hatte hatten kann können konnte muss müssen soll nicht kein keine keinen nur auch noch schon sehr mehr so da dort hier man sich ' +
    'ab je etwa',
  fr:
    'le la les un une des du de d l en dans sur sous par pour avec sans entre chez vers contre depuis jusque jusqu et ou mais ni car que qu qui quoi dont où ' +
    'quand comment pourquoi combien quel quelle quels quelles lequel laquelle si comme je j tu il elle on nous vous ils elles me m te t se s lui leur y mon ' +
    'ma mes ton ta tes son sa ses notre nos votre vos leurs ce c cet cette ces cela ça est sont était étaient fut furent être été a ont avait avaient avoir ' +
    'ne n pas plus moins très aussi au aux à est-ce après avant pendant donc alors peut peuvent fait font',
};

const sets = new Map<Language, ReadonlySet<string>>();

/** Function words of a language, lower case. */
export function functionWords(language: Language): ReadonlySet<string> {
  let set = sets.get(language);
  if (!set) {
    set = new Set(LISTS[language].split(' '));
    sets.set(language, set);
  }
  return set;
}
