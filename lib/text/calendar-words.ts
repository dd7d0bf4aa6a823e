import type { Language } from './languages.js';
import { LANGUAGE_WORDS, wordPlaces } from './word-lists.js';

/** Shorter words are abbreviations, which are other words as often: "mar", "set", "out", "may". */
const SURE_LETTERS = 4;

/** A month or a day of the week, as a word names it. */
interface CalendarWord {
  kind: 'month' | 'weekday';
  /** From 1; Monday is 1. */
  value: number;
  /** False for a word that is as often something else (`may`, `mar`, `out`): a date only next to a day or a year. */
  sure: boolean;
}

const UNSURE = new Set(['may', 'march', 'mars', 'sábado', 'domingo', 'sept', 'sett', 'juil', 'févr', 'janv']);
const tables = new Map<Language, ReadonlyMap<string, CalendarWord>>();

/**
 * The month or day of the week that a word names.
 *
 * @param word in lower case, without a full stop
 * @returns undefined for other words
 */
export function calendarWord(word: string, language: Language): CalendarWord | undefined {
  return tableOf(language).get(word);
}

function tableOf(language: Language): ReadonlyMap<string, CalendarWord> {
  let table = tables.get(language);
  if (!table) {
    const words = new Map<string, CalendarWord>();
    const { months, weekdays } = LANGUAGE_WORDS[language];
    for (const [kind, list] of [['month', months] as const, ['weekday', weekdays] as const])
      for (const [form, value] of wordPlaces(list, 1))
        words.set(form, { kind, value, sure: form.length >= SURE_LETTERS && !UNSURE.has(form) });
    table = words;
    tables.set(language, table);
  }
  return table;
}
