import { yielder } from '../core/async.js';
import { isRecord } from '../core/schema.js';
import {
  followsFrom,
  placesStating,
  provenResults,
  Standing,
  termsOf,
  type Calculation,
  type Term,
} from '../grounding/calculations.js';
import { describe } from '../grounding/unsupported.js';
import { Evidence, type Place } from '../grounding/evidence.js';
import { namesIn } from '../grounding/names.js';
import {
  findQuotation,
  QUOTED_SPEECH as ALMOST,
  comparedWords,
  type FoundQuotation,
} from '../grounding/quotations.js';
import { plainName } from '../model/mend-json.js';
import { flag, numeric, textField } from '../model/object-reply.js';
import { detectLanguage } from '../text/detect-language.js';
import { comparable, isSameValue } from '../text/compare-values.js';
import { equationsIn, operandsIn, states, type Operand } from '../text/arithmetic.js';
import type { Language } from '../text/languages.js';
import { PERCENT, readValues, valueOf, type Value } from '../text/read-values.js';
import { CURRENCIES, unitAt, type Unit } from '../text/units.js';
import {
  isOfType,
  type LeafNode,
  type ObjectNode,
  type OutputNode,
  type OutputSchema,
  type Scalar,
} from './output-schema.js';

/** A value of the output and where its source says it. */
export interface CheckedField {
  /** JSON pointer into the output. */
  pointer: string;
  place: Place;
  /** Estimated probability that the value is right, 0..1. */
  probability: number;
}

/** A value that a model wrote and the checks refused. */
export interface RefusedField {
  /** JSON pointer into what the model wrote. Items of lists may have another index in the output. */
  pointer: string;
  /** The refused value, shortened; empty where the value was refused for the lack of another one. */
  value: string;
  /** Why, as a clause. */
  reason: string;
}

/** A reply after the checks. */
export interface CheckedData {
  /** Valid against the schema, apart from required fields that are missing where `isComplete` is false. */
  output: Record<string, unknown>;
  isComplete: boolean;
  fields: readonly CheckedField[];
  refused: readonly RefusedField[];
  /** JSON pointers of fields that the model left empty and that the schema allows to be null. */
  nulls: readonly string[];
}

/** What is known about the data. */
export interface FieldOptions {
  /** Aborts the checks. */
  signal?: AbortSignal | undefined;
  /** How the model worked out numbers. Default: none. */
  calculations?: readonly Calculation[];
  /** The question, whose numbers need no source. Default: none. */
  given?: string;
}

/** Plain bounds: items of a list that are checked, and characters of a value in a message. */
const MOST_ITEMS = 200;
const MOST_SHOWN = 80;
/** So many places of each number of a calculation are compared; a plain bound. */
const MOST_PLACES = 20;
/** Longest quotation, characters. A longer one holds any value; a plain bound. */
const MOST_QUOTE = 500;
/** The words behind a second that is the source of a value, ms; set by hand. */
const SPOKEN_MS = 90_000;
/** A text of fewer words does not tell its language: "MIT" is a word of German; set by hand. */
const LEAST_WORDS = 4;
/** Share of the words of a reworded text that must stand in its quotation; set by hand. */
const REWORDED_SHARE = 0.6;
/**
 * Probability of a value whose number, date or words stand in its quotation; of a reworded one; and of one for which only the quotation was
 * looked up. Set by hand, below what `npm run bench -- data` measured.
 */
const PROBABILITY = { said: 0.9, calculated: 0.8, reworded: 0.75, quoted: 0.7 } as const;

/**
 * Builds the output from the data that a model wrote: for each single value `{ value, source, quote }`. The quotation must stand in a source, word
 * for word, and the value's numbers, units, dates and names in the quotation. A value that fails becomes null where the schema allows it; else
 * an item of a list is dropped and a field is left out.
 *
 * @param data what the model wrote; anything. The source of a value is the number of the source, of a transcript the second
 * @throws the signal's reason when it fires meanwhile
 */
export async function checkFields(
  data: unknown,
  { root }: OutputSchema,
  evidence: Evidence,
  { signal, calculations = [], given: question = '' }: FieldOptions = {},
): Promise<CheckedData> {
  const asked = await Evidence.of([{ text: question }], evidence.sources[0]?.reading, signal);
  const language = evidence.sources[0]?.reading ?? 'en';
  const pause = yielder(signal);
  const results = await provenResults(calculations, language, new Standing(evidence, asked), pause);
  const builder = new Builder(evidence, results, pause);
  const { value, fields, lacks = false } = await builder.object(root, data, '', false);
  const { refused, nulls } = builder;
  return { output: value as Record<string, unknown>, isComplete: !lacks, fields, refused, nulls };
}

/**
 * The share of required fields that have a value or an honest null, and the mean probability of the values; of all fields where none is required. Nulls alone
 * fill nothing.
 */
export function coverageOf(
  { fields, nulls }: CheckedData,
  { root }: OutputSchema,
): { filled: number; probability: number } {
  const required = root.fields.filter((field) => field.required);
  const asked = required.length > 0 ? required : root.fields;
  const means = asked.flatMap(({ name }) => {
    const values = fields.filter(({ pointer }) => pointer === `/${name}` || pointer.startsWith(`/${name}/`));
    return values.length > 0 ? [mean(values.map(({ probability }) => probability))] : [];
  });
  const empty = means.length === 0 ? [] : asked.filter(({ name }) => nulls.includes(`/${name}`));
  return { filled: (means.length + empty.length) / asked.length, probability: mean(means) };
}

/** What is said of values that were refused. */
export function refusalWarnings(refused: readonly RefusedField[]): { code: string; message: string }[] {
  return refused.map(({ pointer, value, reason }) => ({
    code: 'field_unsupported',
    message: `${pointer}${value === '' ? '' : ` (“${value}”)`} was left out: ${reason}.`,
  }));
}

const mean = (numbers: readonly number[]): number =>
  numbers.length === 0 ? 0 : numbers.reduce((sum, n) => sum + n, 0) / numbers.length;

/** A part of the output. Without a value it is left out. */
interface Built {
  value?: unknown;
  fields: CheckedField[];
  /** A required field in it is missing. */
  lacks?: boolean;
  /** A number without a value, which may be calculated, or a list without items: it does not cost the item that it belongs to. */
  isUnproven?: boolean;
}

const NOTHING: Built = { fields: [] };

class Builder {
  readonly refused: RefusedField[] = [];
  readonly nulls: string[] = [];

  constructor(
    private readonly evidence: Evidence,
    private readonly results: readonly Term[],
    private readonly pause: () => Promise<void> | undefined,
  ) {}

  private async node(node: OutputNode, written: unknown, pointer: string, isItem: boolean): Promise<Built> {
    const built =
      node.kind === 'object'
        ? await this.object(node, written, pointer, isItem)
        : node.kind === 'array'
          ? await this.list(node.items, written, pointer)
          : await this.leaf(node, written, pointer);
    const isEmpty = built.fields.length === 0;
    if (!isEmpty) return built;
    if (!node.nullable || isItem)
      return { fields: [], isUnproven: node.kind === 'array' || (built.isUnproven ?? false) };
    const isNull = node.kind === 'leaf' ? readLeaf(written).isNone : (written ?? null) === null;
    if (isNull) this.nulls.push(pointer);
    return { value: null, fields: [] };
  }

  /** @param isItem an item of a list is dropped where it lacks a required field, other than a number that could not be proven or a list */
  async object({ fields }: ObjectNode, written: unknown, pointer: string, isItem: boolean): Promise<Built> {
    const values = isRecord(written) ? written : {};
    const result: Built & { value: Record<string, unknown> } = { value: {}, fields: [] };
    const missing: string[] = [];
    const unproven: string[] = [];
    for (const { name, node, required } of fields) {
      const {
        value,
        fields: nodeFields,
        lacks,
        isUnproven,
      } = await this.node(node, fieldOf(values, name), `${pointer}/${name}`, false);
      if (value === undefined && required) (isUnproven ? unproven : missing).push(name);
      if (value === undefined) continue;
      result.value[name] = value;
      result.fields.push(...nodeFields);
      result.lacks ||= lacks ?? false;
    }
    if (unproven.length > 0) result.lacks = true;
    if (missing.length === 0) return result;
    if (!isItem) result.lacks = true;
    else if (result.fields.length > 0) {
      this.refused.push({
        pointer,
        value: '',
        reason: `it has no supported value for ${missing.join(', ')}`,
      });
    }
    return isItem ? NOTHING : result;
  }

  private async list(items: OutputNode, written: unknown, pointer: string): Promise<Built> {
    const list: unknown[] = [written ?? []].flat();
    if (list.length > MOST_ITEMS)
      this.refused.push({
        pointer: `${pointer}/${MOST_ITEMS}`,
        value: '',
        reason: `only the first ${MOST_ITEMS} of ${list.length} items of a list are taken`,
      });
    const result: Built & { value: unknown[] } = { value: [], fields: [] };
    for (const [i, item] of list.slice(0, MOST_ITEMS).entries()) {
      const { value, fields, lacks } = await this.node(items, item, `${pointer}/${i}`, true);
      if (value === undefined) continue;
      result.lacks ||= lacks ?? false;
      // Items before it may have been dropped.
      const at = result.value.push(value) - 1;
      const [from, to] = [`${pointer}/${i}`, `${pointer}/${at}`];
      result.fields.push(
        ...fields.map((field) => ({ ...field, pointer: to + field.pointer.slice(from.length) })),
      );
    }
    return result;
  }

  private async leaf(node: LeafNode, reply: unknown, pointer: string): Promise<Built> {
    await this.pause();
    const written = readLeaf(reply);
    const isUnproven = node.type === 'number' || node.type === 'integer';
    if (isEmpty(written.value)) return { fields: [], isUnproven };
    const values = typed(written.value, node, this.languageOf(written));
    let reason = `it is not ${node.values ? 'one of the accepted values' : `of type ${node.type}`}`;
    for (const value of values) {
      const checked = await this.check(value, node, written);
      if (typeof checked === 'object') return { value, fields: [{ pointer, ...checked }] };
      reason = checked;
    }
    if (written.isNone) return { fields: [], isUnproven };
    // An object of a reply may have a member `toString` that is no function.
    const shown = typeof written.value === 'object' ? JSON.stringify(written.value) : String(written.value);
    this.refused.push({ pointer, value: shown.slice(0, MOST_SHOWN), reason });
    return { fields: [], isUnproven };
  }

  /** The language in which the source of a value is read. */
  private languageOf({ source = 1 }: WrittenLeaf): Language {
    const { sources, isSpoken } = this.evidence;
    return (sources[isSpoken ? 0 : source - 1] ?? sources[0])?.reading ?? 'en';
  }

  /** Where a value stands, or why it does not. */
  private async check(
    value: Scalar,
    node: LeafNode,
    { quote, source }: WrittenLeaf,
  ): Promise<Omit<CheckedField, 'pointer'> | string> {
    const { evidence } = this;
    if (quote === '') {
      const operands = typeof value === 'number' ? proofOf(value, node, this.results) : undefined;
      const place = operands && this.placeOf(operands);
      return place ? { place, probability: PROBABILITY.calculated } : 'it has no quotation';
    }
    const found = this.find(quote, source);
    // Where the quotation alone counts, each word of it does.
    const isOnlyQuoted = typeof value === 'boolean' || node.values !== undefined;
    if (!found || (isOnlyQuoted && !found.isVerbatim && !evidence.isSpoken))
      return `no source has the words that were quoted for it: "${quote.slice(0, MOST_SHOWN)}"`;
    const { place, isVerbatim } = found;
    if (typeof value === 'boolean') return { place, probability: PROBABILITY.quoted };
    const passage = evidence.textAt(place);
    // Between the parts of a quotation with a gap anything may stand.
    const quoted = isVerbatim && passage.length > 2 * quote.length ? quote : passage;
    const language = evidence.sources[place.source]!.reading;
    const quotedText = evidence.isSpoken
      ? await Evidence.ofTranscript([{ text: quoted, startMs: 0, endMs: 0 }], '', language)
      : await Evidence.of([{ text: quoted }], language);
    const how =
      typeof value === 'number'
        ? numberIn(quotedText, value, node, this.results)
        : textIn(quotedText, value, node);
    return how in PROBABILITY ? { place, probability: PROBABILITY[how as Kind] } : how;
  }

  /** The sentence that states most of the numbers of a calculation; undefined where no source states one. */
  private placeOf(operands: readonly Operand[]): Place | undefined {
    const places = operands.flatMap((operand) => placesStating(operand, this.evidence).slice(0, MOST_PLACES));
    const sentences = places.map((place) => this.evidence.sentencesAt(place));
    const times = ({ source, start }: Place): number =>
      sentences.filter((place) => place.source === source && place.start === start).length;
    return sentences.sort((a, b) => times(b) - times(a))[0];
  }

  /** Where a quotation stands. One word of five may differ: what is looked up is the source's own text. */
  private find(quote: string, source: number | undefined): FoundQuotation | undefined {
    const { evidence } = this;
    const named =
      source === undefined
        ? undefined
        : evidence.isSpoken
          ? evidence.between(source * 1000, source * 1000 + SPOKEN_MS)
          : evidence.sources[source - 1] && evidence.wholeOf(source - 1);
    for (const within of named ? [named, undefined] : [undefined]) {
      const found = findQuotation(quote, evidence, within);
      if (found && (found.isVerbatim || (found.share >= ALMOST && !found.isNegated))) return found;
    }
    return undefined;
  }
}

/**
 * Whether the words that were quoted, the only source, state a number, or it is the result of a calculation. The unit in a name is a hint: a number of another
 * quantity may be meant.
 */
function numberIn(
  { sources: [said], isSpoken }: Evidence,
  value: number,
  node: LeafNode,
  results: readonly Term[],
): Kind | string {
  const { values, text: quoted, reading = 'en' } = said!;
  const { unit, isHint } = unitOf(node);
  const scale = scaleOf(node);
  const isStated =
    (scale === undefined
      ? values.has(valueOf(value, unit), isSpoken)
      : values.list.some((stated) => !stated.isCounting && isSameValue(valueOf(value, unit), stated))) ||
    (!unit && value > 0 && value < 1 && values.has(valueOf(100 * value, PERCENT), isSpoken)) ||
    (scale !== undefined && values.has(valueOf(scale * value, unit), isSpoken)) ||
    (isHint &&
      values.list.some(
        (stated) =>
          stated.unit &&
          !comparable(stated.unit, unit!) &&
          !(isMoney(stated.unit) && isMoney(unit!)) &&
          isSameValue(valueOf(value, stated.unit), stated),
      ));
  if (isStated) return 'said';
  const isResult = proofOf(value, node, results, termsOf(equationsIn(quoted, reading))) !== undefined;
  return isResult ? 'calculated' : describeValue(String(value));
}

/** The numbers that a value was calculated from: a result of the model's calculations, or what follows from the numbers of its quotation. */
function proofOf(
  value: number,
  node: LeafNode,
  results: readonly Term[],
  quoted: readonly Term[] = [],
): readonly Operand[] | undefined {
  const [read] = operandsIn(String(value), 'en');
  if (!read) return undefined;
  const [plain] = read.values as [Value];
  const { unit } = unitOf(node);
  const claim = unit ? { ...read, amount: { ...read.amount, unit }, values: [{ ...plain, unit }] } : read;
  return results.find(({ amount }) => states(claim, amount))?.operands ?? followsFrom(claim, quoted);
}

/** The words of the value stand there in a row; else its values and names do, and most of its words. */
function textIn(quotation: Evidence, value: string, { values }: LeafNode): Kind | string {
  const { reading, text: quoted, values: said, names } = quotation.sources[0]!;
  const words = comparedWords(value);
  if (words.length > 0 && ` ${comparedWords(quoted).join(' ')} `.includes(` ${words.join(' ')} `))
    return 'said';
  const language = (words.length >= LEAST_WORDS ? detectLanguage(value) : undefined) ?? reading ?? 'en';
  const claimed = readValues(value, language).map((claim) => ({ ...claim, isRough: false, rounding: 0 }));
  const wrong = claimed.find((claim) => !said.has(claim, quotation.isSpoken));
  if (wrong) return describeValue(wrong.text);
  const measured = claimed.filter(({ unit }) => unit);
  const digits = unsaidDigits(without(value, measured), quoted, said.list);
  if (digits !== undefined) return describeValue(digits);
  if (values) return 'quoted';
  if (!reading) return describe([{ reason: 'quotation', about: value }]);
  const isForeign = language !== reading;
  // A first word with a capital is a name here, as it is within a sentence, unless other words follow.
  const isSentence = /^\p{Lu}\p{Ll}+ \p{Ll}/u.test(value);
  const unknown = namesIn(isSentence ? value : `is ${value}`, language, [], isForeign).find(
    (name) => !names.has(name.text) && !readValues(name.text, language).length,
  );
  if (unknown) return describe([{ reason: 'name', about: unknown.text }]);
  if (isForeign) return 'quoted';
  // Its numbers, units and dates were found, and may have another form.
  const rest = without(value, claimed).replace(NUMBER, ' ');
  if (rest !== value && !/\p{L}{2}/u.test(rest)) return 'said';
  const [overlap] = quotation.overlaps(value, reading);
  const isReworded = overlap !== undefined && overlap.together >= REWORDED_SHARE;
  return isReworded ? 'reworded' : describe([{ reason: 'few_words_in_common' }]);
}

/** A text with blanks in place of some of its values. */
function without(text: string, values: readonly Value[]): string {
  return values.reduce(
    (rest, { start, end }) => rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end),
    text,
  );
}

const NUMBER = /\d+(?:[.,'’]\d+)*/g;

/** A number of a text whose digits do not stand in its quotation: the day of a date, which no value has. Months and numbers may be in words. */
function unsaidDigits(text: string, quoted: string, said: readonly Value[]): string | undefined {
  const plain = (digits: string): string => digits.replace(/\D/g, '').replace(/^0+(?=\d)/, '');
  const known = new Set(
    [...(quoted.match(NUMBER) ?? []), ...(quoted.match(/\d+/g) ?? [])]
      .map(plain)
      .concat(said.flatMap(({ readings }) => readings.map(String))),
  );
  const isKnown = (digits: string): boolean => known.has(plain(digits));
  return text.match(NUMBER)?.find((number) => !isKnown(number) && !number.match(/\d+/g)!.every(isKnown));
}

const isMoney = ({ dimension, rate }: Unit): boolean => CURRENCIES.has(rate?.of.dimension ?? dimension);

type Kind = keyof typeof PROBABILITY;

function describeValue(about: string): string {
  return `its quotation does not state this number, unit or date: "${about}"`;
}

interface WrittenLeaf {
  value: unknown;
  /** The model says that no source has it. A calculation may still prove the value. */
  isNone: boolean;
  /** Number of the source, from 1; of a transcript the second. */
  source?: number;
  quote: string;
}

/** `{ value, source, quote }`; a bare value has no quotation. Source 0 without a quotation says that there is none. */
function readLeaf(written: unknown): WrittenLeaf {
  if (!isRecord(written)) return { value: written, isNone: isEmpty(written), quote: '' };
  const source = numeric().read(fieldOf(written, 'source'));
  const quote = textField().read(fieldOf(written, 'quote')).slice(0, MOST_QUOTE);
  const value = fieldOf(written, 'value');
  const isNone = isEmpty(value) || (quote === '' && !source);
  return { value, isNone, quote, ...(source ? { source } : {}) };
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/** A field by its name, also in another case: models change it. */
function fieldOf(values: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(values, name)) return values[name];
  const similar = Object.keys(values).find((key) => plainName(key) === plainName(name));
  return similar === undefined ? undefined : values[similar];
}

/** What a value may be in the type of its field: of a number as text each reading, in the unit of the field. Empty where it is of another type. */
function typed(written: unknown, node: LeafNode, language: Language): Scalar[] {
  const { type, values } = node;
  const readings: unknown[] =
    type === 'boolean'
      ? [flag().read(written)]
      : type === 'string'
        ? typeof written === 'number' || typeof written === 'string'
          ? [String(written).trim()]
          : []
        : typeof written === 'string'
          ? numbersIn(written.trim(), unitOf(node).unit, language)
          : [written];
  const fitting = readings.filter((value) => isOfType(value, type));
  if (!values) return fitting;
  return fitting.flatMap(
    (value) =>
      values.find((allowed) => allowed === value) ??
      values.find((allowed) => String(allowed).toLowerCase() === String(value).toLowerCase()) ??
      [],
  );
}

/** The number that a text is: `"12.300 Euro"`, `"85%"`, `"three"`. None for a text with several. */
function numbersIn(text: string, unit: Unit | undefined, language: Language): number[] {
  const stated = readValues(text, language).filter(({ kind }) => kind === 'number');
  const [only] = stated;
  const plain = PLAIN_NUMBER.test(text) ? [Number(text)] : [];
  if (!only || stated.length > 1) return plain;
  const units = unit && only.unit && comparable(unit, only.unit);
  const factor = units ? units[1].factor / units[0].factor : 1;
  return [...only.readings.map((n) => Number((n * factor).toPrecision(12))), ...plain];
}

const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?$/i;

/** Places of a description that are looked at for a unit; a plain bound. */
const MOST_UNITS = 5;
/** "Height in metres", "price (EUR)". */
const UNIT_SAID = /(?:\bin|\()\s{0,3}([\p{L}€$£¥%°²/]{1,20})/giu;
/** `weight_kg`, `priceEur`, `speed_km_per_h`. A single letter says too little. */
const UNIT_IN_NAME = /(?:_|(?<=\p{Ll})(?=\p{Lu}))(\p{L}{2,12}?)(?:(?:_per_|Per(?=\p{Lu}))(\p{L}{1,12}))?$/u;

/** The unit that the description of a number asks for, or that its name hints at. */
function unitOf({ name, description }: LeafNode): { unit?: Unit; isHint?: boolean } {
  const said = typeof description === 'string' ? [...description.matchAll(UNIT_SAID)] : [];
  const [unit] = said.slice(0, MOST_UNITS).flatMap(([, word = '']) => unitNamed(word) ?? []);
  if (unit) return { unit };
  const [, word, per] = UNIT_IN_NAME.exec(name) ?? [];
  const hint = word && (unitNamed(per ? `${word}/${per}` : word) ?? (per && unitNamed(word)));
  return hint ? { unit: hint, isHint: true } : {};
}

/** What a name says that it counts in: a million in `revenue_million` and `budgetMio`. */
function scaleOf({ name }: LeafNode): number | undefined {
  const words = name
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, '_')
    .toLowerCase()
    .split('_');
  return words.map((word) => readValues(`1 ${word}`, 'en')[0]?.scale).find(Boolean);
}

/** `EUR`, `KG`: names of fields are written in any case. */
function unitNamed(word: string): Unit | undefined {
  const forms = [word, word.toLowerCase(), word.toUpperCase()];
  return forms.flatMap((form) => unitAt(form, 0) ?? []).find(({ end }) => end === word.length)?.unit;
}
