import type { HtmlOutline } from './html-outline.js';
import type { HtmlText } from './html-text.js';

/** Why a page shows next to nothing: a script would fill it, or it asks for a login or for consent to cookies. */
export type PageObstacle = 'javascript_required' | 'login_required' | 'consent_required';

/** A page with as many words of its own can be read, whatever it asks for; set by hand. */
const READABLE = 100;
/** A page that asks for a password has fewer words of its own if it asks for nothing else; set by hand. */
const LOGIN_PAGE = 40;
/** With fewer characters it shows nothing; set by hand. */
const NO_TEXT = 40;
/** What pages show in place of their text, in the languages that are read. */
const SWITCHED_ON = String.raw`\b(?:enable|disabled|requires?|needs?|activ|aktivier|attiv|abilit|habilit|benötig|nécessit)`;
const ASKS_FOR_SCRIPTS = new RegExp(
  `${SWITCHED_ON}.{0,60}\\bjavascript|\\bjavascript\\b.{0,60}${SWITCHED_ON}`,
  'i',
);
const ASKS_FOR_CONSENT = /\bcookies?\b/i;

/** What a page asks for that shows nothing else. */
export function obstacleOf(
  { scripts, hasPassword, hasButton }: HtmlOutline,
  texts: readonly HtmlText[],
): PageObstacle | undefined {
  let [words, chars, consent, all, hasName, asksForScripts] = [0, 0, 0, 0, false, false];
  for (const text of texts) {
    if (text.container.isInLandmark) continue;
    const isConsent = ASKS_FOR_CONSENT.test(text.text);
    const isForScripts = ASKS_FOR_SCRIPTS.test(text.text);
    all += text.words;
    if (isConsent) consent += text.chars;
    if (isForScripts) asksForScripts = true;
    hasName ||= text.container.place.heading === 1 && !/javascript/i.test(text.text);
    if (isConsent || isForScripts) continue;
    words += text.words;
    chars += text.chars;
    if (words >= READABLE) return undefined;
  }
  if (hasPassword && words < LOGIN_PAGE) return 'login_required';
  // A page about cookies has no button to accept them; the shortest of those that ask have no title.
  const asksForConsent = hasButton || (all < READABLE && !hasName);
  if (chars + (asksForConsent ? 0 : consent) >= NO_TEXT || (asksForScripts && hasName)) return undefined;
  if (scripts > 0) return 'javascript_required';
  return consent > chars ? 'consent_required' : undefined;
}
