import { type Pause } from '../../core/async.js';
import { type Language } from '../../text/languages.js';
import { type Sentence } from './sentences.js';
import { wordListsOf } from './vocabulary.js';

/**
 * Log-odds that a sentence is about the video itself and not about its subject: greetings, thanks, calls to subscribe, sponsors, links.
 * Rounded and simplified from a logistic regression on sentences in six languages.
 */
const WEIGHTS = {
  bias: -2.7,
  /** Each phrase of greeting, two at most, and one in a sentence of at most seven words. */
  greeting: 2.7,
  shortGreeting: 1.8,
  /** Each word of video platforms and of advertising, two of each kind at most. */
  media: 2,
  promotion: 1.8,
  /** It has such a word and addresses the audience. */
  addressed: 2,
  /** Each other word with content, ten at most. */
  content: -0.3,
  /** It has any such word, and is one of the first or last four sentences. */
  edge: 1.2,
};
const EDGE = 4; // sentences, as the weight `edge` was fitted

/** Words from the beginning of one part of an advertisement to the beginning of the next, at most; set by hand. */
const ADVERTISEMENT = 60;

/**
 * Finds the sentences that are about the video itself. An advertisement goes on from a sentence that promotes to the next one, and to a call to
 * the audience where it goes on with what it promotes. Of captions without punctuation, an offer may begin in one cue and end in the next.
 *
 * @param topic stems of the title: they are no evidence, since a talk on video channels is about channels
 * @returns for each sentence, whether it is one
 */
export async function findHousekeeping(
  sentences: readonly Sentence[],
  language: Language | undefined,
  topic: ReadonlySet<string>,
  unpunctuated: boolean,
  pause: Pause,
): Promise<boolean[]> {
  const found = sentences.map(() => false);
  if (!language) return found;
  let [last, words, offered] = [-1, 0, false];
  for (const [s, sentence] of sentences.entries()) {
    await pause();
    const isEdge = s < EDGE || s >= sentences.length - EDGE;
    const cues = unpunctuated ? sentences.slice(s, s + 2) : [sentence];
    const isOffer = hasOffer(cues, language);
    const { odds, promotes } = oddsOf(sentence, language, topic, isEdge);
    found[s] = isOffer || offered || odds > 0;
    const isPromotion = isOffer || promotes;
    if (last >= 0 && words <= ADVERTISEMENT) {
      const isSameAdvert = isPromotion ? found[s] || found[last] : found[s] && goesOn(sentences, last, topic);
      if (isSameAdvert) found.fill(true, last, s + 1);
    }
    if (isPromotion) [last, words] = [s, 0];
    else if (found[s]) last = -1;
    words += sentence.words;
    offered = unpunctuated && isOffer;
  }
  return found;
}

const hasOffer = (sentences: readonly Sentence[], language: Language): boolean => {
  const text = ` ${sentences.flatMap(({ forms }) => forms).join(' ')} `;
  return wordListsOf(language).offers.some((phrase) => text.includes(phrase));
};

/** Whether the sentence behind one that promotes has a word of it. */
function goesOn(sentences: readonly Sentence[], s: number, topic: ReadonlySet<string>): boolean {
  const next = new Set(sentences[s + 1]?.stems);
  return sentences[s]!.stems.some((word) => !topic.has(word) && next.has(word));
}

/** The log-odds by the words of a sentence, and whether it promotes something. */
function oddsOf(
  { forms, stems }: Sentence,
  language: Language,
  topic: ReadonlySet<string>,
  isEdge: boolean,
): { odds: number; promotes: boolean } {
  const lists = wordListsOf(language);
  const text = ` ${forms.join(' ')} `;
  const greetings = lists.greetings.filter((phrase) => text.includes(phrase)).length;
  const known = stems.filter((word) => !topic.has(word));
  const media = known.filter((word) => lists.media.has(word)).length;
  const promotion = known.filter((word) => lists.promotion.has(word)).length;
  const content = stems.length - media - promotion;
  const w = WEIGHTS;
  const hasAny = greetings + media + promotion > 0;
  const odds =
    w.bias +
    w.greeting * Math.min(2, greetings) +
    (greetings > 0 && forms.length <= 7 ? w.shortGreeting : 0) +
    w.media * Math.min(2, media) +
    w.promotion * Math.min(2, promotion) +
    (media + promotion > 0 && forms.some((form) => lists.addressees.has(form)) ? w.addressed : 0) +
    (hasAny && isEdge ? w.edge : 0) +
    w.content * Math.min(10, content);
  return { odds, promotes: promotion > 0 };
}
