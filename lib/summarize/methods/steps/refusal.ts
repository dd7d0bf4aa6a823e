import { languageOf } from '../../../text/languages.js';
import type { SummaryRun } from '../summary-run.js';
import { writtenIn } from './check-key-points.js';

/** How refusals begin, in the six languages. */
const REFUSAL =
  /^(?:(?:i[’']?m|i am|we[’']?re) (?:\w+ )?(?:sorry|unable|not able|afraid)|sorry|i apologi[sz]e|(?:unfortunately|regrettably),? (?:i|we)\b|i (?:can(?:no|[’'])t|can not|won[’']t|will not|do(?: not|n[’']t) have|must decline)|as an? (?:ai|language model)|(?:please|could you|kindly) (?:provide|share|paste|send)|(?:es tut mir|tut mir) leid|leider (?:kann|konnte|darf) ich|ich (?:kann|darf) (?:\S+ ){0,6}nicht|als (?:ki|sprachmodell)|bitte (?:geben|stellen|teilen|senden)|(?:je suis |)désolée?|(?:malheureusement|hélas),? je|je ne (?:peux|suis) pas|en tant qu|veuillez (?:fournir|partager)|lo siento|lamentablemente|no puedo|como (?:modelo|ia)\b|por favor,? (?:proporcion|compart|envía|forne)|mi dispiace|purtroppo (?:non|io)|non (?:posso|sono in grado)|come (?:modello|ia)\b|per favore,? (?:forn|condivid)|desculpe|sinto muito|lamento|infelizmente|não (?:posso|consigo))/iu;
/** A text with a smaller share of words that are said is about something else. The lowest share of 64 human summaries of meetings is 0.39. */
const TEXT_SHARE = 0.35;

/** Whether a text refuses, or says nothing about the video. */
export function isRefusal(run: SummaryRun, text: string): boolean {
  if (REFUSAL.test(text)) return true;
  const language = languageOf(writtenIn(text));
  const [overlap] = run.transcript.overlaps(text, language);
  return overlap !== undefined && overlap.anywhere < TEXT_SHARE;
}
