import { visible, wrapped } from '../grounding/second-look.js';
import type { OutputSchema } from './output-schema.js';

/** The rules for data, as they follow the other instructions of a call. */
export const DATA_RULES = [
  '- data: one more field of the object, after the others: what the JSON Schema below asks for, in its form, with an object in place of each string, number, integer and boolean:',
  '  {"price": {"value": 349, "source": 1, "quote": "The kit costs €349"}, "colours": [{"value": "red", "source": 2, "quote": "comes in red and blue"}]}',
  '  value: of the type in the schema; a text short and in the words of the source; a number without unit, converted into the unit that the schema names. source: the number of the source. quote: three or more words in a row that hold the value, copied letter by letter from that source.',
  '  What no source says, or says of another person, thing, place, time or unit only: {"value": null, "source": 0, "quote": ""}. Never guess. Leave items without a source out of lists.',
].join('\n');

/** The schema as a part of the user message. */
export function dataRequest({ json }: OutputSchema): string {
  return `JSON Schema of data:\n${wrapped(visible(json))}`;
}
