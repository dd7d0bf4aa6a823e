import { LRUCache } from 'lru-cache';
import type { KeptResult } from '../core/cache/kept-result.js';
import type { WorkFacts } from '../core/request-event.js';
import type { ToolWork, WorkResult } from './tool-work.js';

/** A kept answer as it goes out. */
export interface PreparedAnswer {
  /** `data` as JSON in UTF-8. */
  json: Buffer;
  facts: WorkFacts;
}

/** A request that was found valid before, by whomever it was made. */
export interface SeenRequest<Dto> {
  dto: Dto;
  /** The answer where one is kept and can be had at once. */
  prepared(): PreparedAnswer | undefined;
}

const MOST_REQUESTS = 256;
/** Longer bodies and answers are not remembered: a tool's memory takes 16 megabytes at most, 26 where no text is Latin. */
const LONGEST_BODY = 1_000;
/** Of the kept text in characters, and of what goes out in bytes. */
const LONGEST_ANSWER = 32_000;
const MOST_FIELDS = 8;

/**
 * Remembers the requests of one tool. Reading a body, checking it, finding its place in the cache and writing the answer as JSON give the
 * same for equal requests and are done once; whether the answer is still kept is asked of the cache each time.
 */
export class SeenRequests<Dto extends object> {
  private readonly seen = new LRUCache<string, SeenRequest<Dto>>({ max: MOST_REQUESTS });

  /** @param parse throws InvalidRequestError for a body that is no request */
  constructor(
    private readonly work: ToolWork<Dto>,
    private readonly parse: (body: unknown) => Dto,
  ) {}

  /** @throws InvalidRequestError and what else the tool refuses at once */
  find(body: unknown): SeenRequest<Dto> {
    const key = keyOf(body);
    const known = key === undefined ? undefined : this.seen.get(key);
    if (known) return known;
    const dto = Object.freeze(this.parse(body));
    const request = { dto, prepared: this.preparing(this.work.kept(dto)) };
    if (key !== undefined) this.seen.set(key, request);
    return request;
  }

  private preparing(kept: KeptResult<WorkResult>): SeenRequest<Dto>['prepared'] {
    let from: string | undefined;
    let prepared: PreparedAnswer | undefined;
    return () => {
      const text = kept.text();
      if (text === undefined || text.length > LONGEST_ANSWER) return (from = prepared = undefined);
      if (text !== from) {
        prepared = preparedOf(kept.parse(text));
        from = text;
      }
      return prepared;
    };
  }
}

/** Undefined where there is nothing to prepare, or more than is remembered. */
function preparedOf(result: WorkResult | undefined): PreparedAnswer | undefined {
  if (!result) return undefined;
  const json = Buffer.from(JSON.stringify(result.data));
  return json.length > LONGEST_ANSWER ? undefined : { json, facts: Object.freeze(result.facts) };
}

/** Equal for bodies that mean the same; undefined for one that no valid request looks like, and whose text might be endless. */
function keyOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const values: unknown[] = Object.values(body);
  if (values.length > MOST_FIELDS) return undefined;
  let length = 0;
  for (const value of values) {
    if (typeof value === 'string') length += value.length;
    else if (typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  }
  return length > LONGEST_BODY ? undefined : JSON.stringify(body);
}
