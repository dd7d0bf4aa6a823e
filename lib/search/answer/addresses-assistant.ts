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
