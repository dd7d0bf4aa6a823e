/** The parts of a written answer. */
export type Part = 'text' | ListPart;
/** The parts that are lists. */
export type ListPart = 'points' | 'sections' | 'picture';

/**
 * Names of the parts as models write them, in the six languages, without marks and in lower case. The prompt asks for English ones;
 * models translate them. A heading with another name is told by what stands below it.
 */
const NAMES: readonly [part: Part, name: RegExp][] = [
  [
    'points',
    /^(?:(?:the )?(?:key|main|most important|core|notable) ?(?:points?|take ?aways?|ideas?|insights?|moments?|facts?|messages?|statements?|quotes)|take ?aways?|highlights|(?:die )?(?:wichtig(?:e|ste|sten)|zentrale[n]?) (?:punkte|aussagen|erkenntnisse|momente)|(?:kern|haupt|schlüssel)(?:punkte|aussagen|momente)|das wichtigste|(?:les )?(?:points?|idées|moments?) (?:clés?|essentiels?|principa(?:ux|les)|importants?|forts?)|(?:los |las )?(?:puntos?|ideas|momentos) (?:claves?|principales|importantes)|(?:i )?(?:punti|concetti|momenti) (?:chiave|principali|salienti|importanti)|(?:os )?(?:pontos?|ideias|momentos) (?:chave|principais|importantes))$/,
  ],
  [
    'sections',
    /^(?:sections?|chapters?|outline|time ?line|time ?stamps?|structure|table of contents|contents|breakdown|abschnitte?|kapitel|gliederung|zeitleiste|zeitmarken|inhaltsverzeichnis|chapitres?|chronologie|plan|secciones|sección|apartados|capítulos?|cronología|sezioni|sezione|capitoli|cronologia|seções|secções|seção|secção)$/,
  ],
  [
    'picture',
    /^(?:pictures?|images?|visuals?|frames|what is (?:seen|shown)|bild(?:er)?|visuelles|imágenes|imagen|immagini|immagine|imagens?)$/,
  ],
  [
    'text',
    /^(?:(?:(?:video|final|short|brief|overall|executive|general|detailed|concise|quick|plain) )?summary(?: of the video)?|overview|abstract|tl;?dr|recap|synopsis|(?:final )?(?:answer|output|response)|assistant|zusammenfassung(?: des videos)?|überblick|kurzfassung|résumé(?: de la vidéo)?|synthèse|aperçu|resumen(?: del vídeo| del video)?|síntesis|riassunto(?: del video)?|sintesi|sommario|resumo(?: do vídeo)?|síntese|sumário)$/,
  ],
];

const LONGEST_HEADING = 70;
const MOST_WORDS = 8;

/** The part that a heading or the name of a JSON field begins; undefined for other words. */
export function partNamed(name: string): Part | undefined {
  if (name.length > LONGEST_HEADING) return undefined;
  const plain = name
    .replace(/([\p{Ll}])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N};]+/gu, ' ')
    .replace(/^ ?(?:(?:step|part|schritt|teil) )?\d{1,2} | \d{1,2} ?$/g, '')
    .trim();
  return NAMES.find(([, pattern]) => pattern.test(plain))?.[0];
}

/** True for a short line without the end of a sentence, such as a title or a heading has. */
export function isTitleLike(line: string): boolean {
  const text = line.trim().replace(/^\d{1,2}[.)]\s+/, '');
  return (
    text.length <= LONGEST_HEADING &&
    text.split(/\s+/).length <= MOST_WORDS &&
    !/[.!?…]["'»”)*_]*(?:$|\s)/.test(text)
  );
}

/** True for a line that the marks of Markdown or XML make a heading: `## …`, `**…**`, `<summary>`, `=== … ===`, or a colon at its end. */
export function isMarkedHeading(line: string): boolean {
  const text = line.trim();
  if (text.length > LONGEST_HEADING) return false;
  if (/^#{1,6}\s*\S|^<\/?[a-z_ -]{2,30}>$|^={2,}.*={2,}$/i.test(text)) return true;
  if (!isTitleLike(text)) return /^(?:\*\*|__)[^*_]*:?(?:\*\*|__):?$/.test(text);
  return /^(?:\*{1,3}|__)[^*_].*(?:\*{1,3}|__):?$|:\**$/.test(text);
}

/** Lines that hold nothing but the marks of Markdown: rules, fences, the dashes of a table. */
export function isOrnament(line: string): boolean {
  const text = line.trim();
  return (
    text.length > 0 &&
    text.length < 300 &&
    (/^(?:`{3,}|~{3,})[\w-]*$/.test(text) || /^[-*_=|:\s]{3,}$/.test(text))
  );
}
