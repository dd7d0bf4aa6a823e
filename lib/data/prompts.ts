import { delimited } from '../model/call.js';
import type { RefusedField } from './check-fields.js';
import type { OutputSchema } from './output-schema.js';

/** Tokens that the data of a reply may have; a plain bound. */
export const DATA_TOKENS = 3000;

/**
 * The rules for data, as they follow the other instructions of a call.
 * @param where they stand in the reply
 * @param source what the source of a value is
 */
export function dataRules(where: string, source: string): string {
  return [
    `- ${where}: what the JSON Schema below asks for, in its form, with an object in place of each string, number, integer and boolean:`,
    '  {"price": {"value": 349, "source": 1, "quote": "The kit costs €349"}, "colours": [{"value": "red", "source": 2, "quote": "comes in red and blue"}]}',
    `  value: of the type in the schema; a text short and in the words of the source; a number without unit, converted into the unit that the schema names. source: ${source}. quote: three or more words in a row that hold the value, or the numbers that it was calculated from, copied letter by letter from that source.`,
    '  What no source says, or says of another person, thing, place, time or unit only: {"value": null, "source": 0, "quote": ""}. Never guess. Leave items without a source out of lists.',
  ].join('\n');
}

/** The schema as a part of the user message. */
export function dataRequest({ json }: OutputSchema): string {
  return `JSON Schema of data:\n${delimited(json)}`;
}

/** A statement or field of a reply that is not supported. */
export interface Problem {
  text: string;
  /** As a clause. */
  why: string;
}

/** Refused values as a repair names them. */
export function problemsOfData(refused: readonly RefusedField[]): Problem[] {
  return refused.map(({ pointer, value, reason }) => ({ text: `data${pointer}: ${value}`, why: reason }));
}

/**
 * Asks a model to repair its reply.
 * @param more orders, each a sentence
 */
export function repairRequest(
  reply: object,
  problems: readonly Problem[],
  more: readonly string[] = [],
): string {
  const listed = problems.map(({ text, why }) => `- “${text}”: ${why}`);
  return [
    `You have answered:\n${delimited(JSON.stringify(reply))}`,
    `A check did not find this in the sources:\n${delimited(listed.join('\n'))}`,
    'Correct it from the sources, or leave it out. Keep everything else word for word.',
    ...more,
    'Reply with the whole JSON object again.',
  ].join('\n');
}
