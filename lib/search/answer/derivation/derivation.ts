import type { Language } from '../../../core/text/index.js';
import { CLAIM_WORDS } from '../claim-words.js';
import { activeOrder, claimOf, type ClaimWord } from '../claim.js';
import { aligned } from './alignment.js';
import { moves } from './moved-adjuncts.js';
import { keepsReservations } from './reservations.js';
import { isKnown } from './same-word.js';
import type { SaidWord, Source, SourceSentence } from './source.js';

/** Work on one sentence: beyond it the answer is no. */
const MOST_STEPS = 3000;

/**
 * Whether a sentence says nothing but what a source sentence says. It must be what is left of the source sentence when whole phrases
 * are dropped, one adjunct is moved to the other end, the voice is turned, a pronoun is replaced by what it stands for, or a word by a
 * synonym. Nothing may be added, no party, number or unit be joined with a word that it does not stand with, no denial or reservation
 * be lost. Deliberately strict: what cannot be shown in code is not shown to the caller.
 */
export function isDerived(sentence: string, source: SourceSentence, language: Language): boolean {
  if (source.text.trimEnd().endsWith('?')) return false;
  const bare = (text: string): string => text.trim().replace(/[.!…]+$/, '');
  if (bare(sentence) === bare(source.text)) return true;
  const said = claimOf(sentence, language);
  const claim = claimOf(source.text, language);
  if (said.words.length === 0 || claim.words.length === 0) return false;
  const read: Source = {
    ...source,
    claim,
    words: claim.words,
    places: new Map(),
    language,
    agentless: false,
  };
  // Whatever the order: a word that the source has nowhere is one too many.
  const elsewhere = [...source.subject, ...source.title];
  const { framing } = CLAIM_WORDS[language];
  const isThere = (word: ClaimWord): boolean =>
    framing.has(word.lower) || isKnown(word, claim.words, language) || isKnown(word, elsewhere, language);
  if (!said.words.every(isThere)) return false;
  const effort = { left: MOST_STEPS };
  const asSaid = moves(said.words, language);
  const active = activeOrder(said.words, language);
  const asActive = active ? moves(active.words, language) : [];
  const turned = activeOrder(claim.words, language);
  const holds = (order: SaidWord[], of: Source, all = false): boolean => {
    const path = aligned(order, of, effort);
    return !!path && keepsReservations(said, of, all ? [] : path);
  };
  return (
    asSaid.some((order) => holds(order, read)) ||
    asActive.some((order) => holds(order, { ...read, agentless: !active!.agent })) ||
    // Where the source is turned, places say nothing: each of its reservations counts.
    (!!turned?.agent &&
      asSaid.some((order) => holds(order, { ...read, words: turned.words, places: new Map() }, true)))
  );
}
