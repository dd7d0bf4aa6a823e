import { detectLanguage } from '../../core/text/detect-language.js';
import { functionWords } from '../../core/text/word-lists.js';
import { sentencesOf } from '../../core/text/sentences.js';
import type { Language } from '../../core/text/languages.js';

/** A query of more words is written to a person, not to a search engine. */
const LONG = 12;
/** With several sentences, or a phrase that only leads to the question, fewer words are long already. */
const LONG_WITH_FILLER = 8;
/** Words of a rewritten query; what a page about the matter may well hold together. */
const MOST_WORDS = 12;
const LEAST_WORDS = 2;
/** Stands where a filler was left out. */
const GAP = ' ; ';
/** A filler that a sentence began with. */
const OPENING_GAP = /(?<=[.!?…]\s+); /;
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[.,'’-][\p{L}\p{M}\p{N}]+)*/gu;

/**
 * The words that a search engine needs of a query that was written to a person: without greetings, politeness, the asker's situation
 * and function words; names, numbers and what is asked stay in their order. Undefined for a query that is short, or that says no less
 * when it is rewritten.
 *
 * @param text one query, 1..400 characters
 */
export function keywordQuery(text: string): string | undefined {
  const language = detectLanguage(text) ?? 'en';
  const count = wordsOf(text).length;
  if (count <= LONG_WITH_FILLER) return undefined;
  const plain = text.replace(/[‘’]/g, "'");
  const stripped = plain.replace(fillersOf(language), GAP);
  const sentences = sentencesOf(plain).filter((s) => wordsOf(s).length > 0);
  if (count <= LONG && sentences.length < 2 && stripped === plain) return undefined;
  const functional = functionWords(language);
  const kept = new Map<string, string>();
  for (const sentence of weightiest(stripped)) {
    for (const word of wordsOf(sentence)) {
      const lower = word.toLowerCase();
      const bare = lower.replace(/^(?:l|d|dell|nell|all|dall|sull|un|qu|j|s|n|c)['’]|['’]s$/u, '');
      if (functional.has(lower) || functional.has(bare) || (bare.length < 2 && !/\p{N}/u.test(bare)))
        continue;
      if (kept.size < MOST_WORDS && !kept.has(bare)) kept.set(bare, word.replace(/['’]s$/u, ''));
    }
  }
  if (kept.size < LEAST_WORDS || kept.size >= count) return undefined;
  return [...kept.values()].join(' ');
}

function wordsOf(text: string): string[] {
  return text.match(WORD) ?? [];
}

/** The questions first, then the other sentences: what stands around a question is its context. */
function weightiest(text: string): string[] {
  const sentences = text.split(OPENING_GAP).flatMap((part) => sentencesOf(part));
  const asks = sentences.filter((s) => s.trimEnd().endsWith('?'));
  const others = sentences.filter((s) => !asks.includes(s));
  // A question that only points back ("Who made it?") needs what it points to.
  const content = asks.reduce((sum, s) => sum + wordsOf(s).filter((w) => w.length > 3).length, 0);
  return asks.length > 0 && content >= 5 ? asks : [...others, ...asks];
}

/** Greetings, politeness, the asker's own situation and what only leads to the question. Whole phrases of a lower-case text. */
const FILLERS: Record<Language, string> = {
  en:
    "hi there|hello|hey|dear|thanks in advance|thank you(?: so much| very much)?|thanks|please|i was wondering(?: if| whether)?|i am wondering|i'm wondering|" +
    "i(?:'d| would) (?:really )?(?:like|love) to know|i want(?:ed)? to (?:know|find out|ask|understand)|i need to (?:know|find out|understand)|i am looking for|i'm looking for|i am trying to (?:find out|understand|remember)|i'm trying to (?:find out|understand|remember)|" +
    '(?:can|could|would|will) (?:you|anyone|someone|somebody) (?:please |kindly |maybe |perhaps )?(?:tell|help|explain|show|let|find|give)(?: to)?(?: me| us)?(?: out)?(?: know)?|do you (?:happen to )?know|does any(?:one|body) know|tell me|let me know|' +
    "i have (?:a|one) question|my question is|the question is|just curious|i(?:'m| am) curious|i think|i guess|i believe|i suppose|i remember(?: that)?|if (?:i remember|i recall) correctly|if possible|if it(?:'s| is) not too much (?:trouble|to ask)|sorry to (?:bother|trouble) you|(?:i )?hope you are (?:well|fine)|if you (?:can|could|don't mind)|by the way|as far as i know|" +
    'for my (?:homework|school project|essay|presentation|class|thesis|kids?|son|daughter|work|exam)|for (?:homework|school)|my (?:teacher|friend|boss|son|daughter|kids?|wife|husband|colleague|professor) (?:asked|told|says|said|wants|claims)(?: me| us)?(?: that| about| to know)?|in (?:simple|plain|your own) (?:words|terms)|actually|basically|really|maybe|kind of|sort of|some information (?:about|on)|information (?:about|on)|anything about|more about|exactly|again|anyway|well|so|okay|ok',
  pt:
    'olá|oi|bom dia|boa tarde|boa noite|por favor|obrigad[oa]|desde já|gostaria de saber|gostava de saber|queria saber|quero saber|preciso (?:de )?saber|estou a tentar (?:perceber|saber)|estou tentando (?:entender|saber)|' +
    '(?:você )?(?:pode|poderia|podes|podias)(?: por favor)? (?:me )?(?:dizer|dizer-me|explicar|explicar-me|ajudar)|(?:alguém|você) sabe|diga-me|me diga|tenho uma (?:dúvida|pergunta)|a minha pergunta é|minha pergunta é|acho que|eu acho|por acaso|se possível|para (?:a escola|um trabalho|o meu trabalho)|informações sobre|alguma coisa sobre|então|bem',
  es:
    'hola|buenos días|buenas tardes|buenas|por favor|muchas gracias|gracias(?: de antemano)?|me gustaría saber|quisiera saber|quería saber|quiero saber|necesito saber|estoy intentando (?:entender|saber)|estoy buscando|me preguntaba(?: si)?|' +
    '(?:me )?(?:puedes|podrías|puede|podría|pueden)(?: por favor)? (?:decirme|decir|explicarme|explicar|ayudarme(?: a saber)?)|(?:alguien|usted) sabe|¿?sabes|dime|dígame|tengo una (?:duda|pregunta)|mi pregunta es|creo que|por casualidad|si es posible|para (?:la escuela|el colegio|un trabajo|mi trabajo)|información sobre|algo sobre|pues|bueno|entonces',
  it:
    'ciao|salve|buongiorno|buonasera|per favore|per cortesia|grazie(?: mille| in anticipo)?|vorrei sapere|mi piacerebbe sapere|volevo sapere|voglio sapere|ho bisogno di sapere|sto cercando(?: di (?:capire|sapere))?|mi chiedevo(?: se)?|' +
    '(?:mi )?(?:puoi|potresti|può|potrebbe|potete)(?: per favore)? (?:dirmi|dire|spiegarmi|spiegare|aiutarmi(?: a (?:capire|sapere))?)|qualcuno sa|sai(?: dirmi)?|dimmi|ho una domanda|la mia domanda è|credo che|penso che|per caso|se possibile|per (?:la scuola|un compito|una ricerca)|informazioni su|qualcosa su|allora|dunque|bene',
  de:
    'hallo|guten tag|guten morgen|liebe leute|bitte|vielen dank|danke(?: schön| im voraus)?|ich (?:würde|möchte) gerne? (?:wissen|erfahren)|ich möchte wissen|ich wollte (?:wissen|fragen)|ich will wissen|ich muss wissen|ich frage mich|ich suche|ich versuche (?:zu verstehen|herauszufinden)|' +
    '(?:kannst du|könntest du|können sie|könnten sie|kann)(?: mir| uns)?(?: bitte)?(?: jemand)?(?: mir| uns)?(?: bitte)?(?: sagen| erklären| helfen)?|weißt du|wissen sie|weiß jemand|sag mir|ich habe eine frage|meine frage ist|meine frage lautet|ich glaube|ich denke|zufällig|wenn möglich|für (?:die schule|ein referat|meine arbeit|die uni)|informationen (?:über|zu)|etwas über|eigentlich|also|mal|nun|sagen|erklären',
  fr:
    "bonjour|bonsoir|salut|s'il (?:vous|te) plaît|merci(?: beaucoup| d'avance)?|je voudrais savoir|j'aimerais (?:bien )?savoir|je veux savoir|je voulais savoir|j'ai besoin de savoir|je cherche(?: à (?:savoir|comprendre))?|je me demande(?: si)?|je me demandais(?: si)?|" +
    "(?:peux-tu|pourrais-tu|pouvez-vous|pourriez-vous|est-ce que (?:tu peux|vous pouvez|quelqu'un peut))(?: s'il (?:vous|te) plaît)?(?: me| nous| m')?(?: ?(?:dire|expliquer|aider))?|(?:sais-tu|savez-vous)|quelqu'un sait(?:-il)?|dis-moi|dites-moi|j'ai une question|ma question est(?: la suivante)?|je crois que|je pense que|par hasard|si possible|pour (?:l'école|un exposé|mon travail)|des informations sur|quelque chose sur|alors|donc|bon",
};

const patterns = new Map<Language, RegExp>();

/** Matches, in a text with straight apostrophes, what people write around a question and what a search does not need. */
function fillersOf(language: Language): RegExp {
  let pattern = patterns.get(language);
  if (!pattern) {
    pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${FILLERS[language]})(?![\\p{L}\\p{N}])[,!.:]?`, 'giu');
    patterns.set(language, pattern);
  }
  return pattern;
}
