import type { Language } from '../../core/text/index.js';
import { areParaphrases } from './paraphrases.js';
import type { Token } from './tokens.js';

/** Who does what to whom in an English question, as far as word order tells: the verb and the parties that are named. */
export interface Roles {
  verb: Token;
  subject?: Token;
  object?: Token;
}

const BE = new Set('is are was were be been being am gets got'.split(' '));
const DO = new Set('did does do'.split(' '));
const MODAL = new Set('can could will would may might must should has have had'.split(' '));
const ASKS = new Set('who whom what which'.split(' '));
const PREPOSITIONS = new Set(
  'in on at for from to with by of during after before between against as into over under about through since near out up off until'.split(
    ' ',
  ),
);
const SUBJECT_PRONOUNS = new Set('he she it they who which'.split(' '));
const OBJECT_PRONOUNS = new Set('him her it them'.split(' '));
/** Past forms of irregular verbs, for telling a verb where nothing else does. */
const IRREGULAR = new Set(
  (
    'wrote built found beat won lost led gave sent sank shot caught taught bought sold brought fought taken took made ate drew drove held kept left met ' +
    'overthrew ran sang struck swam threw wore broke chose froze grew hid knew laid paid read rode said saw set spoke stole swept told understood written ' +
    'known seen beaten given chosen broken stolen driven drawn fed bred spread forbade fell rose drank dug wove spun put cut hit came went became began born ' +
    'sunk sung worn torn frozen grown hidden thrown eaten flown forgotten slain overthrown burnt drunk'
  ).split(' '),
);
/** How far from its verb a party is looked for, in tokens. */
const REACH = 12;
/** Other nouns that may stand between: beyond them, the party belongs to another clause. */
const NOUNS_BETWEEN = 2;
/** What opens a clause of its own in a question. */
const SUBORDINATORS = new Set('when that who which while if as because where'.split(' '));

/** Roles in the tokens of an English question; undefined where the order does not tell. */
export function rolesOf(tokens: readonly Token[]): Roles | undefined {
  const does = tokens.findIndex((t) => DO.has(t.lower));
  const asks = tokens.findIndex((t) => ASKS.has(t.lower));
  if (does >= 0 && does <= Math.max(asks, 0) + 5) return rolesAfterDo(tokens.slice(does + 1));
  const be = tokens.findIndex((t) => BE.has(t.lower));
  if (be >= 0 && be <= Math.max(asks, 0) + 4) return rolesAfterBe(tokens.slice(be + 1));
  if (asks < 0) return undefined;
  const after = tokens.slice(asks + 1);
  const verbAt = after.findIndex((t) => isVerbForm(t));
  if (verbAt < 0 || verbAt > 3) return undefined;
  const object = partyOf(untilPreposition(after.slice(verbAt + 1)));
  return object ? { verb: after[verbAt]!, object } : { verb: after[verbAt]! };
}

/** "… did X defeat Y": what follows the auxiliary acts. */
function rolesAfterDo(rest: readonly Token[]): Roles | undefined {
  const content = rest.filter((t) => !t.functional || PREPOSITIONS.has(t.lower));
  const subject = partyOf(content);
  if (!subject || content[0]!.functional) return undefined;
  let at = 1;
  // "did the king of Spain send", "does an emperor penguin lay": the verb is the last word before a preposition or a name.
  while (content[at] && (content[at]!.name || content[at]!.lower === 'of' || content[at - 1]!.lower === 'of'))
    at++;
  const second = content[at + 1];
  // "did the council reject the plan": an article behind it shows that the first was the verb.
  const isCompound = !subject.name && !!second && rest.indexOf(second) === rest.indexOf(content[at]!) + 1;
  if (isCompound && !second.functional && !second.name && !second.number) at++;
  const verb = content[at];
  if (!verb || verb.functional || verb.number) return undefined;
  const next = content[at + 1];
  const object = next && !next.functional ? partyOf(content.slice(at + 1)) : undefined;
  return { verb, subject, ...(object ? { object } : {}) };
}

/** "… was X built by Y", "… was built by Y". */
function rolesAfterBe(tokens: readonly Token[]): Roles | undefined {
  const clause = tokens.findIndex((t) => SUBORDINATORS.has(t.lower));
  const rest = clause < 0 ? tokens : tokens.slice(0, clause);
  const at = rest.findIndex((t) => isVerbForm(t) && !t.lower.endsWith('s'));
  if (at < 0) return undefined;
  const verb = rest[at]!;
  const by = rest.findIndex((t, i) => i > at && t.lower === 'by');
  const object = partyOf(rest.slice(0, at));
  const agent = by > at ? partyOf(rest.slice(by + 1)) : undefined;
  const subject = agent?.number ? undefined : agent;
  return { verb, ...(object ? { object } : {}), ...(subject ? { subject } : {}) };
}

/**
 * 1 the sentence has the roles as the question has them, -1 the other way round, 0 it cannot be told.
 *
 * @param antecedents stems of what a pronoun in the sentence may stand for
 */
export function agreementOf(
  roles: Roles,
  tokens: readonly Token[],
  antecedents: ReadonlySet<string>,
  language: Language,
): number {
  let best = 0;
  tokens.forEach((token, at) => {
    const same = token.term === roles.verb.term || areParaphrases(token.term, roles.verb.term, language);
    if (!same || token.name || token.functional) return;
    const passive = isVerbForm(token) && tokens.slice(Math.max(0, at - 3), at).some((t) => BE.has(t.lower));
    const by = tokens.findIndex((t, i) => i > at && i < at + 10 && t.lower === 'by');
    let found = 0;
    for (const [party, role] of [
      [roles.subject, 'subject'],
      [roles.object, 'object'],
    ] as const) {
      if (!party) continue;
      const before = nearBefore(tokens, at, party, antecedents);
      const after = nearAfter(tokens, at, party, antecedents);
      if (before === after) continue;
      const acts = passive ? after && by > at : before;
      const suffers = passive ? before : after;
      if (!acts && !suffers) continue;
      found += acts === (role === 'subject') ? 1 : -1;
    }
    if (found > 0) best = 1;
    else if (found < 0 && best === 0) best = -1;
  });
  return best;
}

/** Whether the party that a question says it was done to is named as the one who did it: "sunk by HMS Rodney" for "who sank HMS Rodney?". */
export function isTurnedAbout(
  { verb, subject, object }: Roles,
  tokens: readonly Token[],
  language: Language,
): boolean {
  if (!object || subject) return false;
  return tokens.some((token, at) => {
    if (token.name || token.functional) return false;
    if (token.term !== verb.term && !areParaphrases(token.term, verb.term, language)) return false;
    if (!tokens.slice(Math.max(0, at - 3), at).some((t) => BE.has(t.lower))) return false;
    const by = tokens.findIndex((t, i) => i > at && i <= at + 3 && t.lower === 'by');
    const party = tokens.findIndex((t, i) => i > by && t.term === object.term);
    return (
      by > at && party > by && party <= by + REACH && !tokens.slice(0, at).some((t) => t.term === object.term)
    );
  });
}

function nearBefore(
  tokens: readonly Token[],
  at: number,
  party: Token,
  antecedents: ReadonlySet<string>,
): boolean {
  let nouns = 0;
  for (let i = at - 1; i >= Math.max(0, at - REACH); i--) {
    const token = tokens[i]!;
    if (token.term === party.term) return true;
    if (SUBJECT_PRONOUNS.has(token.lower) && at - i <= 3) return antecedents.has(party.term);
    if (!token.functional && !(token.name && tokens[i + 1]!.name) && ++nouns > NOUNS_BETWEEN) return false;
  }
  return false;
}

function nearAfter(
  tokens: readonly Token[],
  at: number,
  party: Token,
  antecedents: ReadonlySet<string>,
): boolean {
  let nouns = 0;
  for (let i = at + 1; i < Math.min(tokens.length, at + REACH); i++) {
    const token = tokens[i]!;
    if (token.term === party.term) return true;
    if (i === at + 1 && OBJECT_PRONOUNS.has(token.lower)) return antecedents.has(party.term);
    if (!token.functional && !(token.name && tokens[i - 1]!.name) && ++nouns > NOUNS_BETWEEN) return false;
  }
  return false;
}

/** What stands for a party: its first word, of a name the last one, since "HMS Hood" and "HMS Rodney" are not the same. */
function partyOf(tokens: readonly Token[]): Token | undefined {
  let at = tokens.findIndex((t) => !t.functional);
  while (at >= 0 && tokens[at]!.name && tokens[at + 1]?.name) at++;
  return tokens[at];
}

function untilPreposition(tokens: readonly Token[]): readonly Token[] {
  const at = tokens.findIndex((t) => PREPOSITIONS.has(t.lower) || MODAL.has(t.lower));
  return at < 0 ? tokens : tokens.slice(0, at);
}

function isVerbForm(token: Token): boolean {
  if (token.functional || token.name || token.number) return false;
  return /(?:[^e]ed|[^s]s)$/.test(token.lower) || IRREGULAR.has(token.lower);
}
