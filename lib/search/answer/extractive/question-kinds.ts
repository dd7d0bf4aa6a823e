import type { Language } from '../../../core/text/languages.js';

/** The kind of thing that a question asks for; `topic` is a query without a question word. */
export type QuestionKind =
  | 'count'
  | 'amount'
  | 'duration'
  | 'time'
  | 'version'
  | 'person'
  | 'place'
  | 'reason'
  | 'manner'
  | 'definition'
  | 'comparison'
  | 'list'
  | 'which'
  | 'yesno'
  | 'topic';

type Pattern = readonly [RegExp, QuestionKind];

/** Tried in order on the question in lower case without diacritics (French `où` keeps its own); the first match decides. */
export const KINDS: Readonly<Record<Language, readonly Pattern[]>> = {
  en: [
    [/\b(?:difference|differ|compared?|versus|vs)\b|^which .*\bor\b/, 'comparison'],
    [/\b(?:what|which) version\b/, 'version'],
    [
      /\b(?:when|since when|until when|(?:what|which) (?:exact )?(?:years?|dates?|days?|months?|times?|century|decade|season))\b/,
      'time',
    ],
    [/\bhow (?:long|often|frequently|soon)\b/, 'duration'],
    [/\b(?:how many|what number of|number of)\b/, 'count'],
    [
      /\bhow (?:much|tall|high|deep|wide|far|thick|heavy|fast|big|large|small|old|hot|cold|warm|strong|loud|dense|expensive)\b/,
      'amount',
    ],
    [
      /\bwhat (?:is|was|are|were|does|do|did) .*\b(?:price|cost|costs|fee|salary|height|length|depth|width|distance|weight|mass|temperature|speed|size|area|population|percentage)\b/,
      'amount',
    ],
    [/\b(?:who|whom|whose)\b/, 'person'],
    [
      /\b(?:where|(?:what|which) (?:country|city|place|continent|town|state|region|village|island|room|floor))\b/,
      'place',
    ],
    [
      /\b(?:why|how come|what (?:causes|caused)|(?:what|which) (?:is|was|are|were) the (?:reason|cause)s?)\b/,
      'reason',
    ],
    [
      /\b(?:define|definition of|meaning of)\b|\bdefinition$|\bwhat (?:does|do|did) .* (?:mean|stand for)\b|^(?:so |and )?what(?:'s| is| are| was| were) (?:a |an |the |this )?["“]?[^ ]+(?: [^ ]+){0,2}\??$/,
      'definition',
    ],
    [/\b(?:what|which) (?:are|were)\b|\blist\b/, 'list'],
    [/\bhow\b/, 'manner'],
    [/\bwhat (?:must|should|can|do|to) (?:i|we|you|one|do)\b/, 'manner'],
    [/\b(?:what|which)\b/, 'which'],
    [
      /^(?:is|are|was|were|am|do|does|did|can|could|has|have|had|will|would|should|may|must|shall)\b|[,.] ?(?:is|are|do|does|can|could|may|should|will) (?:it|i|that|this|they|you|we|there)\b/,
      'yesno',
    ],
  ],
  de: [
    [/\bunterschied\w*\b|\bverglichen\b|^(?:was|welche[rsmn]?|wer) .*\boder\b/, 'comparison'],
    [/\bwelche[rsmn]? version\b/, 'version'],
    [
      /\b(?:seit wann|bis wann|wann|(?:in |an |um )?welche[rsmn]? (?:jahr|tag|tagen|datum|monat|uhrzeit)|um wie ?viel uhr)\b/,
      'time',
    ],
    [/\bwie (?:lange|oft|haufig)\b/, 'duration'],
    [/\bwie ?viele\b/, 'count'],
    [
      /\bwie (?:hoch|tief|lang|breit|weit|gro(?:ss|ß)|schwer|schnell|hei(?:ss|ß)|kalt|warm|alt|teuer|viel)\b|\bwieviel\b|\bwas kostet\b|\bwas kosten\b/,
      'amount',
    ],
    [/\bwe(?:r|n|m|ssen)\b/, 'person'],
    [/\b(?:wo|woher|wohin|wohinein)\b|\bin welche[mr] (?:land|stadt|ort|raum|zimmer)\b/, 'place'],
    [/\b(?:warum|wieso|weshalb|weswegen)\b/, 'reason'],
    [/^was (?:ist|sind|war|waren|bedeutet|bedeuten|hei(?:ss|ß)t)\b|\bdefinition\b/, 'definition'],
    [/\bwelche\b/, 'list'],
    [/\bwie\b|^was (?:muss|soll|kann|darf|tun|brauche)\b/, 'manner'],
    [/\b(?:was|welche[rsmn])\b/, 'which'],
    [
      /^(?:ist|sind|war|waren|kann|konnen|darf|durfen|muss|mussen|soll|gibt|hat|haben|wird|werden|geht|brauche|gilt|bin|habe|macht|lasst)\b/,
      'yesno',
    ],
  ],
  fr: [
    [/\bdifferences?\b|\bcompare\b|^(?:quel(?:le)?s?|lequel|laquelle|qui) .*\bou\b/, 'comparison'],
    [/\bquelle version\b/, 'version'],
    [
      /\b(?:depuis quand|jusqu'a quand|quand|de quand|(?:en |a )?quel(?:le)?s? (?:annees?|dates?|jours?|mois|heures?|siecle))\b/,
      'time',
    ],
    [
      /\bcombien de temps\b|\bcombien (?:de |d')(?:minutes|heures|jours|semaines|mois|annees|ans)\b|\bquelle (?:est la )?duree\b/,
      'duration',
    ],
    [/\bcombien (?:de |d'|y a)/, 'count'],
    [
      /\bcombien\b|\bquel(?:le)? (?:est |etait )?(?:le |la |l')?(?:prix|cout|hauteur|longueur|profondeur|distance|largeur|altitude|poids|taille|temperature|vitesse|age)\b/,
      'amount',
    ],
    [/\bqui\b/, 'person'],
    [/(?:^|[\s'])où(?!\p{L})|\bdans quel(?:le)? (?:pays|ville|lieu|salle)\b/u, 'place'],
    [/\bpourquoi\b/, 'reason'],
    [/\bqu'est[ -]ce que?\b|\bc'est quoi\b|\bque (?:signifie|veut dire)\b|\bdefinition\b/, 'definition'],
    [/\bquel(?:le)?s\b/, 'list'],
    [/\bcomment\b|\bque faire\b/, 'manner'],
    [
      /^(?:est-ce|peut-on|puis-je|faut-il|doit-on|dois-je|y a-t-il|a-t-on|existe-t-il|\w+-(?:t-)?(?:il|elle|on|ils|elles|vous|je))\b/,
      'yesno',
    ],
    [/\b(?:que|quoi|quel(?:le)?s?|laquelle|lequel)\b|^qu'/, 'which'],
  ],
  es: [
    [/\bdiferencias?\b|\bcomparad[oa]\b|^¿?(?:que|cual(?:es)?) .*\b[ou]\b/, 'comparison'],
    [/\bque version\b/, 'version'],
    [
      /\bcuando\b|\b(?:en |a |que )?(?:que|cual) (?:ano|fecha|dia|dias|mes|hora|siglo)\b|\b(?:a|en) que (?:hora|ano|dia|fecha|mes)\b/,
      'time',
    ],
    [/\bcuanto (?:tiempo|dura|duran|tarda|se tarda)\b|\bcada cuanto\b/, 'duration'],
    [/\bcuant[oa]s\b/, 'count'],
    [
      /\bcuant[oa]\b|\b(?:que|cual es (?:el|la)) (?:precio|coste|altura|longitud|profundidad|distancia|peso|temperatura|velocidad|edad|tamano)\b/,
      'amount',
    ],
    [/\bquien(?:es)?\b/, 'person'],
    [/\b(?:donde|adonde)\b|\ben que (?:pais|ciudad|lugar|sala)\b/, 'place'],
    [/\bpor que\b/, 'reason'],
    [/^¿?que (?:es|son|era|significa)\b|\bdefinicion\b/, 'definition'],
    [/\bcuales\b|\bque (?:\w+s)\b/, 'list'],
    [/\bcomo\b|\bque (?:hago|hacer|debo)\b/, 'manner'],
    [/^¿?(?:que|cual)\b|¿(?:que|cual)\b|\b(?:que|cual)\b.*\?/, 'which'],
    [
      /^¿?(?:es|son|esta|estan|hay|puedo|se puede|pueden|puede|tengo|debo|tiene|tienen|existe|admiten|acepta\w*|funciona|hace|hacen)\b/,
      'yesno',
    ],
  ],
  it: [
    [/\bdifferenz[ae]\b|^(?:che|quale|cosa) .*\bo\b/, 'comparison'],
    [/\bquale versione\b/, 'version'],
    [
      /\bquando\b|\b(?:in |a |che |quale )(?:anno|data|giorno|giorni|mese|ora|secolo)\b|\ba che ora\b/,
      'time',
    ],
    [/\bquanto (?:tempo|dura|ci vuole)\b|\bogni quanto\b/, 'duration'],
    [/\bquant[ie]\b/, 'count'],
    [
      /\bquant[oa]\b|\bqual e (?:il|la|l') ?(?:prezzo|costo|altezza|lunghezza|profondita|distanza|peso|temperatura|velocita|eta)\b/,
      'amount',
    ],
    [/\bchi\b/, 'person'],
    [/\bdov(?:e|')|\bin (?:che|quale) (?:paese|citta|luogo|sala)\b/, 'place'],
    [/\bperche\b|\bcome mai\b/, 'reason'],
    [/^(?:che )?cos(?:a|')? ?(?:e|sono|significa|vuol dire)\b|\bdefinizione\b/, 'definition'],
    [/\bquali\b/, 'list'],
    [/\bcome\b|\bcosa (?:devo|fare)\b/, 'manner'],
    [/\b(?:quale?|cosa)\b|^che\b/, 'which'],
    [/^(?:e|sono|c'e|ci sono|posso|si puo|puo|possono|devo|ha|hanno|esiste|funziona)\b/, 'yesno'],
  ],
  pt: [
    [/\bdiferencas?\b|^(?:que|qual(?:is)?|o que) .*\bou\b/, 'comparison'],
    [/\b(?:que|qual) versao\b/, 'version'],
    [/\bquando\b|\b(?:em |a )?(?:que|qual) (?:ano|data|dia|dias|mes|hora|horas|seculo)\b/, 'time'],
    [/\bquanto (?:tempo|dura|demora)\b|\bde quanto em quanto\b/, 'duration'],
    [/\bquant[oa]s\b/, 'count'],
    [
      /\bquant[oa]\b|\bqual (?:e|era|foi) (?:o|a) (?:preco|custo|altura|comprimento|profundidade|distancia|peso|temperatura|velocidade|idade|tamanho)\b/,
      'amount',
    ],
    [/\bquem\b/, 'person'],
    [/\b(?:onde|aonde)\b|\bem que (?:pais|cidade|lugar|sala)\b/, 'place'],
    [/\bpor ?que\b/, 'reason'],
    [/^o que (?:e|sao|era|significa|quer dizer)\b|\bdefinicao\b/, 'definition'],
    [/\bquais\b/, 'list'],
    [/\bcomo\b|\bo que (?:devo|fazer)\b/, 'manner'],
    [/\b(?:que|qual)\b.*\?|^(?:que|qual)\b/, 'which'],
    [/^(?:e|sao|esta|ha|posso|pode|podem|pode-se|tenho|devo|tem|existe|funciona|aceita\w*)\b/, 'yesno'],
  ],
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
