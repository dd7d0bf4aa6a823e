import type { Language } from './languages.js';

/** Months in order; forms and abbreviations of one month are joined by `/`. */
const MONTHS: Record<Language, string> = {
  en: 'january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sep/sept october/oct november/nov december/dec',
  de: 'januar/jänner/jan februar/feb märz/mär april/apr mai juni/jun juli/jul august/aug september/sep/sept oktober/okt november/nov dezember/dez',
  fr: 'janvier/janv février/févr/fév mars avril/avr mai juin juillet/juil août/aout septembre/sept octobre/oct novembre/nov décembre/déc',
  es: 'enero/ene febrero/feb marzo/mar abril/abr mayo junio/jun julio/jul agosto/ago septiembre/setiembre/sept octubre/oct noviembre/nov diciembre/dic',
  it: 'gennaio/gen febbraio/feb marzo/mar aprile/apr maggio/mag giugno/giu luglio/lug agosto/ago settembre/sett/set ottobre/ott novembre/nov dicembre/dic',
  pt: 'janeiro/jan fevereiro/fev março/mar abril/abr maio/mai junho/jun julho/jul agosto/ago setembro/set outubro/out novembro/nov dezembro/dez',
};
/** Days of the week from Monday; forms of one day are joined by `/`. Without abbreviations, which are other words as often. */
const WEEKDAYS: Record<Language, string> = {
  en: 'monday/mondays tuesday/tuesdays wednesday/wednesdays thursday/thursdays friday/fridays saturday/saturdays sunday/sundays',
  de: 'montag/montags dienstag/dienstags mittwoch/mittwochs donnerstag/donnerstags freitag/freitags samstag/samstags/sonnabend sonntag/sonntags',
  fr: 'lundi/lundis mardi/mardis mercredi/mercredis jeudi/jeudis vendredi/vendredis samedi/samedis dimanche/dimanches',
  es: 'lunes martes miércoles jueves viernes sábado/sábados domingo/domingos',
  it: 'lunedì martedì mercoledì giovedì venerdì sabato domenica',
  pt: 'segunda-feira/segundas-feiras terça-feira quarta-feira quinta-feira sexta-feira sábado/sábados domingo/domingos',
};
/** Shorter words are abbreviations, which are other words as often: "mar", "set", "out", "may". */
const SURE_LETTERS = 4;

/** A month or a day of the week, as a word names it. */
export interface CalendarWord {
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
    const add = (kind: CalendarWord['kind'], list: string): void =>
      list.split(' ').forEach((forms, i) => {
        for (const form of forms.split('/')) {
          const sure = form.length >= SURE_LETTERS && !UNSURE.has(form);
          words.set(form, { kind, value: i + 1, sure });
        }
      });
    add('month', MONTHS[language]);
    add('weekday', WEEKDAYS[language]);
    table = words;
    tables.set(language, table);
  }
  return table;
}
