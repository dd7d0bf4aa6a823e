import type { Language } from '../../core/text/index.js';
import { areParaphrases } from './paraphrases.js';
import type { Question } from './question.js';
import type { Token } from './tokens.js';

/**
 * Who does what to whom, as far as word order tells. `verb` is what is asked about, `other` the party that the question
 * names, and `otherIs` whether that party acts or is acted upon.
 */
export interface Roles {
  verb: Token;
  other: Token;
  otherIs: 'subject' | 'object';
}

const BE = new Set('is are was were be been being am gets got'.split(' '));
const DO = new Set('did does do'.split(' '));
const ASKS = new Set('who whom what which'.split(' '));
const PREPOSITIONS = new Set(
  'in on at for from to with by of during after before between against as into over under about through since near'.split(
    ' ',
  ),
);
/** Past forms of irregular verbs that take an object, for telling a verb where nothing else does. */
const IRREGULAR = new Set(
  (
    'wrote built found beat won lost led gave sent sank shot caught taught bought sold brought fought taken took made ate drew drove held kept left met ' +
    'overthrew ran sang struck swam threw wore broke chose froze grew hid knew laid paid read rode said saw set spoke stole swept told understood written ' +
    'built known seen beaten given chosen broken stolen driven drawn held kept fed bred spread forbade founded succeed'
  ).split(' '),
);

/** Roles in an English question; undefined in other languages and where the order does not tell. */
export function rolesOf(question: Question): Roles | undefined {
  if (question.language !== 'en') return undefined;
  const { tokens } = question;
  const asks = tokens.findIndex((t) => ASKS.has(t.lower));
  const does = tokens.findIndex((t) => DO.has(t.lower));
  if (does >= 0 && does <= (asks < 0 ? 0 : asks + 5)) {
    // "whom did X defeat", "did X defeat Y": what follows the auxiliary acts.
    const rest = untilPreposition(tokens.slice(does + 1));
    const content = rest.filter((t) => !t.functional);
    const other = content[0];
    const verb = content.find((t, i) => i > 0 && !t.name && !t.number);
    return other && verb ? { verb, other, otherIs: 'subject' } : undefined;
  }
  if (asks < 0) return undefined;
  const after = tokens.slice(asks + 1);
  const be = after.findIndex((t) => BE.has(t.lower));
  const by = after.findIndex((t) => t.lower === 'by');
  if (be >= 0 && be <= 3) {
    const verb = after.slice(be + 1).find((t) => isVerbForm(t));
    if (!verb) return undefined;
    const at = after.indexOf(verb);
    if (by > at) {
      // "what was built by X" against "who was X defeated by".
      const agent = after.slice(by + 1).find((t) => !t.functional);
      if (agent) return { verb, other: agent, otherIs: 'subject' };
    }
    const patient = after.slice(be + 1, at).find((t) => !t.functional);
    return patient ? { verb, other: patient, otherIs: 'object' } : undefined;
  }
  const verbAt = after.findIndex((t) => isVerbForm(t));
  if (verbAt < 0 || verbAt > 3) return undefined;
  const object = untilPreposition(after.slice(verbAt + 1)).find((t) => !t.functional);
  return object ? { verb: after[verbAt]!, other: object, otherIs: 'object' } : undefined;
}

/** 1 the sentence has the roles as the question has them, -1 the other way round, 0 it cannot be told. */
export function agreementOf(roles: Roles, tokens: readonly Token[], language: Language): number {
  let best = 0;
  tokens.forEach((token, at) => {
    const same = token.term === roles.verb.term || areParaphrases(token.term, roles.verb.term, language);
    if (!same || token.name || token.functional) return;
    const passive =
      tokens.slice(Math.max(0, at - 3), at).some((t) => BE.has(t.lower)) &&
      /(?:ed|en|wn|ght|un|ung|uck|ade|eld|id|ost|on|uilt|ot|ank|unk|ound|eft|aught)$/.test(token.lower);
    const by = tokens.findIndex((t, i) => i > at && i < at + 10 && t.lower === 'by');
    const beforeAt = lastIndex(tokens, at, roles.other);
    const afterAt = tokens.findIndex((t, i) => i > at && i < at + 14 && t.term === roles.other.term);
    let found = 0;
    if (passive) {
      if (beforeAt >= 0) found = roles.otherIs === 'object' ? 1 : -1;
      if (afterAt > by && by > 0) found = roles.otherIs === 'subject' ? 1 : -1;
    } else {
      if (beforeAt >= 0 && afterAt < 0) found = roles.otherIs === 'subject' ? 1 : -1;
      if (afterAt >= 0 && beforeAt < 0) found = roles.otherIs === 'object' ? 1 : -1;
    }
    if (found === 1) best = 1;
    else if (found === -1 && best === 0) best = -1;
  });
  return best;
}

function lastIndex(tokens: readonly Token[], before: number, wanted: Token): number {
  for (let i = before - 1; i >= Math.max(0, before - 14); i--) if (tokens[i]!.term === wanted.term) return i;
  return -1;
}

function untilPreposition(tokens: readonly Token[]): readonly Token[] {
  const at = tokens.findIndex((t, i) => i > 0 && PREPOSITIONS.has(t.lower) && t.lower !== 'of');
  return at < 0 ? tokens : tokens.slice(0, at);
}

function isVerbForm(token: Token): boolean {
  if (token.functional || token.name || token.number) return false;
  return /(?:[^e]ed|[^s]s)$/.test(token.lower) || IRREGULAR.has(token.lower);
}
