import { LANGUAGES, type Language } from './languages.js';
import { WORD } from './tokens.js';

/** Frequent function words that few of the other five languages share. */
const VOTERS: Record<Language, string> = {
  en: "the and of to is that it you for was with are this have not but they we what your can which would there it's",
  pt: 'não que uma para com os mais você foi ao são em também muito ele isso está às pelo seu sua mas eu nós à então',
  es: 'que el los las una para con por más está pero como su y muy lo también del es al hay cuando esto este son nos',
  it: 'che di il non per è sono con della una si più anche questo come gli alla nel dei ma ha cosa delle perché quindi',
  de: 'der die und das ist nicht ein zu den mit von es auf sich eine dem auch für wir ich sie werden aber oder wenn',
  fr: "les des est et une dans pour qui vous pas nous sur au plus ce avec c'est il je mais ne que sont cette aux",
};

const votes = new Map<string, Language[]>();
for (const language of LANGUAGES)
  for (const word of VOTERS[language].split(' ')) votes.set(word, [...(votes.get(word) ?? []), language]);

/**
 * Guesses which of the six languages a text is in, by a vote of function words over its first 20,000 characters.
 *
 * @returns undefined when too few of the words are known: another language, or no text
 */
export function detectLanguage(text: string): Language | undefined {
  const tally: Record<Language, number> = { en: 0, pt: 0, es: 0, it: 0, de: 0, fr: 0 };
  let words = 0;
  for (const match of text.slice(0, 20_000).toLowerCase().matchAll(WORD)) {
    words++;
    for (const language of votes.get(match[0].replace('’', "'")) ?? []) tally[language]++;
  }
  const best = LANGUAGES.reduce((a, b) => (tally[b] > tally[a] ? b : a));
  return tally[best] > 0 && tally[best] >= words * 0.06 ? best : undefined;
}
