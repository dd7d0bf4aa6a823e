import type { Language } from '../../../core/text/languages.js';

/** The kind of thing that a question asks for; `topic` is a query without a question word. */
export type QuestionKind =
  | 'count'
  | 'amount'
  | 'duration'
  | 'time'
  | 'version'
  | 'person'
  | 'definition'
  | 'comparison'
  | 'which'
  | 'yesno'
  | 'topic';

/** Tried in order on the question in lower case without diacritics. Comparisons and versions go first, then the match that stands first. */
export const KINDS: Readonly<Record<Language, Partial<Record<QuestionKind, RegExp>>>> = {
  en: {
    comparison: /\b(?:difference|differ|compared?|versus|vs)\b|^which .*\bor\b/,
    version: /\b(?:what|which) version\b/,
    time: /\b(?:when|since when|until when|(?:what|which) (?:exact )?(?:years?|dates?|days?|months?|times?|century|decade|season))\b/,
    duration: /\bhow (?:long|often|frequently|soon)\b/,
    count: /\b(?:how many|what number of|number of)\b/,
    amount:
      /\bhow (?:much|tall|high|deep|wide|far|thick|heavy|fast|big|large|small|old|hot|cold|warm|strong|loud|dense|expensive)\b|\bwhat (?:is|was|are|were|does|do|did) .*\b(?:price|cost|costs|fee|salary|height|length|depth|width|distance|weight|mass|temperature|speed|size|area|population|percentage)\b/,
    person: /\b(?:who|whom|whose)\b/,
    definition:
      /\b(?:define|definition of|meaning of)\b|\bdefinition$|\bwhat (?:does|do|did) .* (?:mean|stand for)\b|^(?:so |and )?what(?:'s| is| are| was| were) (?:a |an |the |this )?["“]?[^ ]+(?: [^ ]+){0,2}\??$/,
    which: /\b(?:what|which|how|why|where)\b/,
    yesno:
      /^(?:is|are|was|were|am|do|does|did|can|could|has|have|had|will|would|should|may|must|shall)\b|[,.] ?(?:is|are|do|does|can|could|may|should|will) (?:it|i|that|this|they|you|we|there)\b/,
  },
  de: {
    comparison: /\bunterschied\w*\b|\bverglichen\b|^(?:was|welche[rsmn]?|wer) .*\boder\b/,
    version: /\bwelche[rsmn]? version\b/,
    time: /\b(?:seit wann|bis wann|wann|(?:in |an |um )?welche[rsmn]? (?:jahr|tag|tagen|datum|monat|uhrzeit)|um wie ?viel uhr)\b/,
    duration: /\bwie (?:lange|oft|haufig)\b/,
    count: /\bwie ?viele\b/,
    amount:
      /\bwie (?:hoch|tief|lang|breit|weit|gro(?:ss|ß)|schwer|schnell|hei(?:ss|ß)|kalt|warm|alt|teuer|viel)\b|\bwieviel\b|\bwas kostet\b|\bwas kosten\b/,
    person: /\bwe(?:r|n|m|ssen)\b/,
    definition: /^was (?:ist|sind|war|waren|bedeutet|bedeuten|hei(?:ss|ß)t)\b|\bdefinition\b/,
    which: /\b(?:was|welche[rsmn]?|wie|wo|woher|wohin|warum|wieso|weshalb|weswegen)\b/,
    yesno:
      /^(?:ist|sind|war|waren|kann|konnen|darf|durfen|muss|mussen|soll|gibt|hat|haben|wird|werden|geht|brauche|gilt|bin|habe|macht|lasst)\b/,
  },
  fr: {
    comparison: /\bdifferences?\b|\bcompare\b|^(?:quel(?:le)?s?|lequel|laquelle|qui) .*\bou\b/,
    version: /\bquelle version\b/,
    time: /\b(?:depuis quand|jusqu'a quand|quand|de quand|(?:en |a )?quel(?:le)?s? (?:annees?|dates?|jours?|mois|heures?|siecle))\b/,
    duration:
      /\bcombien de temps\b|\bcombien (?:de |d')(?:minutes|heures|jours|semaines|mois|annees|ans)\b|\bquelle (?:est la )?duree\b/,
    count: /\bcombien (?:de |d'|y a)/,
    amount:
      /\bcombien\b|\bquel(?:le)? (?:est |etait )?(?:le |la |l')?(?:prix|cout|hauteur|longueur|profondeur|distance|largeur|altitude|poids|taille|temperature|vitesse|age)\b/,
    person: /\bqui\b/,
    definition: /\bqu'est[ -]ce que?\b|\bc'est quoi\b|\bque (?:signifie|veut dire)\b|\bdefinition\b/,
    yesno:
      /^(?:est-ce|peut-on|puis-je|faut-il|doit-on|dois-je|y a-t-il|a-t-on|existe-t-il|\w+-(?:t-)?(?:il|elle|on|ils|elles|vous|je))\b/,
    which: /\b(?:que|quoi|quel(?:le)?s?|laquelle|lequel|comment|pourquoi)\b|^(?:qu'|(?:d')?ou\b)/,
  },
  es: {
    comparison: /\bdiferencias?\b|\bcomparad[oa]\b|^¿?(?:que|cual(?:es)?) .*\b[ou]\b/,
    version: /\bque version\b/,
    time: /\bcuando\b|\b(?:en |a |que )?(?:que|cual) (?:ano|fecha|dia|dias|mes|hora|siglo)\b|\b(?:a|en) que (?:hora|ano|dia|fecha|mes)\b/,
    duration: /\bcuanto (?:tiempo|dura|duran|tarda|se tarda)\b|\bcada cuanto\b/,
    count: /\bcuant[oa]s\b/,
    amount:
      /\bcuant[oa]\b|\b(?:que|cual es (?:el|la)) (?:precio|coste|altura|longitud|profundidad|distancia|peso|temperatura|velocidad|edad|tamano)\b/,
    person: /\bquien(?:es)?\b/,
    definition: /^¿?que (?:es|son|era|significa)\b|\bdefinicion\b/,
    which: /^¿?(?:que|cual)\b|¿(?:que|cual)\b|\b(?:que|cual)\b.*\?|\b(?:cuales|como|a?donde)\b/,
    yesno:
      /^¿?(?:es|son|esta|estan|hay|puedo|se puede|pueden|puede|tengo|debo|tiene|tienen|existe|admiten|acepta\w*|funciona|hace|hacen)\b/,
  },
  it: {
    comparison: /\bdifferenz[ae]\b|^(?:che|quale|cosa) .*\bo\b/,
    version: /\bquale versione\b/,
    time: /\bquando\b|\b(?:in |a |che |quale )(?:anno|data|giorno|giorni|mese|ora|secolo)\b|\ba che ora\b/,
    duration: /\bquanto (?:tempo|dura|ci vuole)\b|\bogni quanto\b/,
    count: /\bquant[ie]\b/,
    amount:
      /\bquant[oa]\b|\bqual e (?:il|la|l') ?(?:prezzo|costo|altezza|lunghezza|profondita|distanza|peso|temperatura|velocita|eta)\b/,
    person: /\bchi\b/,
    definition: /^(?:che )?cos(?:a|')? ?(?:e|sono|significa|vuol dire)\b|\bdefinizione\b/,
    which: /\b(?:qual[ei]?|cosa|come|perche|dove)\b|\bdov'|^che\b/,
    yesno: /^(?:e|sono|c'e|ci sono|posso|si puo|puo|possono|devo|ha|hanno|esiste|funziona)\b/,
  },
  pt: {
    comparison: /\bdiferencas?\b|^(?:que|qual(?:is)?|o que) .*\bou\b/,
    version: /\b(?:que|qual) versao\b/,
    time: /\bquando\b|\b(?:em |a )?(?:que|qual) (?:ano|data|dia|dias|mes|hora|horas|seculo)\b/,
    duration: /\bquanto (?:tempo|dura|demora)\b|\bde quanto em quanto\b/,
    count: /\bquant[oa]s\b/,
    amount:
      /\bquant[oa]\b|\bqual (?:e|era|foi) (?:o|a) (?:preco|custo|altura|comprimento|profundidade|distancia|peso|temperatura|velocidade|idade|tamanho)\b/,
    person: /\bquem\b/,
    definition: /^o que (?:e|sao|era|significa|quer dizer)\b|\bdefinicao\b/,
    which: /\b(?:que|qual)\b.*\?|^(?:que|qual)\b|\b(?:quais|como|a?onde)\b/,
    yesno: /^(?:e|sao|esta|ha|posso|pode|podem|pode-se|tenho|devo|tem|existe|funciona|aceita\w*)\b/,
  },
};

/** Dimensions of `core/text/units.ts` that go with the words of a question (lower case, no diacritics). */
export const DIMENSIONS: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /\b(?:costs?|price[ds]?|fees?|pay|paid|salary|charged?|expensive|kostet|kosten|preis|gebuhr|teuer|zahlen|coute|couter|cout|prix|tarif|frais|paye[rz]?|cuesta|cuestan|costo|coste|precio|pagar|paga|prezzo|pagare|custa|custam|custo|preco)\b/,
    ['euros', 'dollars', 'pounds', 'francs', 'yen'],
  ],
  [
    /\b(?:how (?:often|frequently|soon|old)|wie (?:lange|oft|alt)|combien de temps|duree|quel age|cuanto (?:tiempo|dura|tarda)|edad|quanto (?:tempo|dura|demora)|eta|idade)\b/,
    ['time'],
  ],
  // A journey or a tunnel.
  [/\bhow long\b/, ['time', 'length']],
  [
    /\b(?:temperatur[ae]?|temperature|temperatura|degrees?|grad|grados|degres|hot|cold|heiss|heiß)\b/,
    ['temperature', 'degrees'],
  ],
  [
    /\b(?:percentage|per ?cent|share|prozent|anteil|pourcentage|porcentaje|percentuale|percentagem)\b/,
    ['share'],
  ],
  [/\b(?:weight|heavy|weighs?|schwer|wiegt|gewicht|poids|pese|peso|pesa)\b/, ['mass']],
  [/\b(?:speed|fast|schnell|geschwindigkeit|vitesse|velocidad|velocita|velocidade)\b/, ['length']],
  [
    /\b(?:tall|height|depth|deep|wide|width|far|distance|length|tief|breit|weit|lang|hauteur|longueur|profondeur|largeur|altura|longitud|profundidad|anchura|altezza|lunghezza|profondita|comprimento|profundidade)\b/,
    ['length'],
  ],
];
