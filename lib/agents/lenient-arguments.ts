import { nearestName } from '../core/nearest-name.js';
import type { ToolField } from './tool-schema.js';

/** Most unknown arguments that a note names. */
const MAX_NAMED = 5;
const MAX_SHOWN_NAME = 40;
/** More arguments than a model could mean. The rest is not looked at. */
const MAX_ARGUMENTS = 200;

/** Arguments of a model as the strict request wants them. */
export interface LenientArguments {
  input: Record<string, unknown>;
  /** What was ignored, one sentence each. */
  notes: string[];
}

/**
 * Reads the arguments of a model: `"5"` becomes 5, `"true"` becomes true, `null` counts as absent, one domain becomes a list of one, and an
 * unknown argument is dropped and named in a note, because some hosts add arguments of their own. Everything else is left to the
 * request's own validation.
 *
 * @param hidden fields that the schema does not show and that are accepted all the same
 */
export function lenientArguments(
  given: unknown,
  fields: readonly ToolField[],
  hidden: readonly string[] = [],
): LenientArguments {
  const input: Record<string, unknown> = {};
  const unknown: string[] = [];
  const schemas = new Map(fields.map(({ name, schema }) => [name, schema]));
  const entries =
    typeof given === 'object' && given !== null && !Array.isArray(given) ? Object.entries(given) : [];
  for (const [name, value] of entries.slice(0, MAX_ARGUMENTS)) {
    const schema = schemas.get(name);
    if (!schema && !hidden.includes(name)) unknown.push(name);
    else if (value !== null && value !== undefined) input[name] = schema ? converted(value, schema) : value;
  }
  return { input, notes: unknown.length > 0 ? [ignored(unknown, [...schemas.keys()])] : [] };
}

function converted(value: unknown, { type, enum: values }: ToolField['schema']): unknown {
  const text = typeof value === 'string' ? value.trim() : undefined;
  if (type === 'integer')
    return text !== undefined && /^[+-]?\d{1,9}(\.0+)?$/.test(text) ? Number(text) : value;
  if (type === 'boolean')
    return text !== undefined && /^(true|false)$/i.test(text) ? /^t/i.test(text) : value;
  if (type === 'array') return text === undefined ? value : listOf(text);
  if (type !== 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (values && text !== undefined)
    return (values as string[]).find((v) => v === text.toLowerCase()) ?? value;
  return value;
}

/** A list that came as text: JSON, or items separated by commas or white space. */
function listOf(text: string): unknown {
  if (text.startsWith('[')) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      // Read as words below.
    }
  }
  return text.split(/[\s,;]+/).filter((item) => item !== '');
}

function ignored(unknown: readonly string[], known: readonly string[]): string {
  const named = unknown.slice(0, MAX_NAMED).map((name) => {
    const shown = JSON.stringify(name.length > MAX_SHOWN_NAME ? `${name.slice(0, MAX_SHOWN_NAME)}…` : name);
    const nearest = nearestName(name.slice(0, MAX_SHOWN_NAME), known);
    return nearest ? `${shown} (did you mean ${nearest}?)` : shown;
  });
  const more = unknown.length > MAX_NAMED ? ` and ${unknown.length - MAX_NAMED} more` : '';
  return `Unknown arguments were ignored: ${named.join(', ')}${more}.`;
}
