import type { Language } from '../../text/languages.js';
import { NOTE_MARK } from '../../text/sentences.js';

interface Wording {
  notFound: string;
  unclear: string;
  related: string;
  otherwise: string;
}

const WORDING: Record<Language, Wording> = {
  en: {
    notFound: 'I found nothing about this in the sources.',
    unclear: 'I found no clear answer.',
    related: 'Possibly:',
    otherwise: 'The sources say otherwise:',
  },
  pt: {
    notFound: 'Não encontrei nada sobre isto nas fontes.',
    unclear: 'Não encontrei uma resposta clara.',
    related: 'Possivelmente:',
    otherwise: 'As fontes dizem outra coisa:',
  },
  es: {
    notFound: 'No he encontrado nada sobre esto en las fuentes.',
    unclear: 'No he encontrado una respuesta clara.',
    related: 'Posiblemente:',
    otherwise: 'Las fuentes dicen otra cosa:',
  },
  it: {
    notFound: 'Non ho trovato nulla su questo nelle fonti.',
    unclear: 'Non ho trovato una risposta chiara.',
    related: 'Forse:',
    otherwise: 'Le fonti dicono altro:',
  },
  de: {
    notFound: 'Dazu habe ich in den Quellen nichts gefunden.',
    unclear: 'Ich habe keine eindeutige Antwort gefunden.',
    related: 'Möglicherweise:',
    otherwise: 'Die Quellen sagen etwas anderes:',
  },
  fr: {
    notFound: 'Je n’ai rien trouvé à ce sujet dans les sources.',
    unclear: 'Je n’ai pas trouvé de réponse claire.',
    related: 'Peut-être :',
    otherwise: 'Les sources disent autre chose :',
  },
};

export function notFound(language: Language): string {
  return WORDING[language].notFound;
}

/**
 * The text of an answer whose outcome is `related`. It denies nothing: the passages may well be the answer.
 * @param passages quoted sentences with their `[n]`
 */
export function related(language: Language, passages: string): string {
  return `${WORDING[language].related} ${passages}`;
}

/** The text of an answer in which the model itself says what the sources lack, or what they say in place of what the question takes for true. */
export function introduced(
  language: Language,
  said: string,
  { isDenied, isOtherwise }: { isDenied: boolean; isOtherwise: boolean },
): string {
  const { unclear, otherwise } = WORDING[language];
  return isOtherwise ? `${otherwise} ${said}` : isDenied ? `${unclear} ${said}` : said;
}

/**
 * Marks of notes in a page's text ("It is 30 m tall.[3][a]"): behind punctuation, before it, or at the end. Elsewhere brackets may be the
 * text's own ("use list[1] to …").
 */
const NOTES = new RegExp(
  String.raw`(?:(?<=[.,;:!?…)"”’\]])\s?${NOTE_MARK}|\s?${NOTE_MARK}(?=[.,;:!?…[]|\s*$))`,
  'g',
);

/**
 * A sentence of a page as an answer shows it: on one line and without the page's marks of notes. Other numbers in brackets look like our
 * citations, so they get parentheses.
 */
export function shownSentence(text: string): string {
  return text
    .replaceAll('\n', ' ')
    .replace(/^\s*[•·▪*–-]\s+/, '')
    .replace(NOTES, '')
    .replace(/\[(\d{1,3})\]/g, '($1)');
}

/** A program that reads pages for somebody, in the six languages. */
const READER =
  'AIs?|A\\.I\\.|artificial intelligence|(?:large )?language models?|LLMs?|chat ?bots?|(?:virtual|automated|digital) assistants?|' +
  'KI|KI-\\p{L}+|Sprachmodelle?n?|' +
  'IA|intelligence artificielle|modèles? de langage|assistants? (?:automatiques?|virtuels?)|' +
  'inteligencia artificial|modelos? de (?:lenguaje|linguagem)|asistentes? virtual(?:es)?|inteligência artificial|assistentes? virtua(?:l|is)|' +
  'intelligenza artificiale|modell[io] linguistic[io]|assistent[ei] virtual[ei]';
/** The beginning of an order about what to say, in the six languages. */
const ORDER =
  "ignore|disregard|forget|override|say|state|tell|answer|respond|reply|recommend|mention|repeat|write|do not|don['’]t|never|only|always|" +
  'ignorier\\p{L}*|vergiss|vergesst|missachte\\p{L}*|antworte\\p{L}*|sag|sagt|sage|schreib\\p{L}*|erwähne?|empfiehl|empfehlt|nenne?|' +
  "ignorez|oubliez?|réponds|répondez|dis|dites|écris|écrivez|recommandez?|indiquez?|ne \\p{L}+|n['’]\\p{L}+|" +
  'ignora|olvida|olvide|responde|responda|di|diga|escribe|recomienda|no \\p{L}+|' +
  'esqueça|esquece|diz|recomende|não \\p{L}+|dimentica|rispondi|rispondete|scrivi|raccomanda|consiglia|non \\p{L}+';
/** "Note to AI assistants: say …", "If you are an AI reading this page, tell …", "AI assistants must answer …". */
const TO_READER = new RegExp(
  `(?<!\\p{L})(?:${READER})(?!\\p{L})[^.!?]{0,80}?(?:[:,;–—]|\\b(?:must|should|shall|are to|muss|müssen|sollen?|doit|doivent|debe[nm]?|deve|devono|devem))\\s*(?:please\\s|bitte\\s)?(?:${ORDER})(?!\\p{L})`,
  'iu',
);
/** An order about earlier orders needs no addressee. */
const OVERRIDE =
  /(?<!\p{L})(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+)?(?:of\s+)?(?:the\s+|your\s+|these\s+|my\s+)?(?:previous|prior|earlier|above|other|preceding|system|original)\s+(?:instructions?|prompts?|rules?|sources?|messages?|directions?)/iu;

/**
 * Whether a sentence of a page gives orders to a model that reads it. Nothing of such a sentence is an answer, however well it fits the
 * question.
 */
export function addressesAssistant(sentence: string): boolean {
  return OVERRIDE.test(sentence) || TO_READER.test(sentence);
}
