import { createHmac } from 'node:crypto';
import type { Caller } from '../auth/request-limits.js';
import { InvalidRequestError } from '../core/errors.js';
import {
  array,
  check,
  isRecord,
  Issue,
  map,
  oneOf,
  optional,
  options,
  record,
  refine,
  secret,
  string,
  union,
  withDefault,
  withheld,
  type Infer,
  type Schema,
} from '../core/schema.js';
import { isOnDomain } from '../core/domains.js';
import { parseUrl } from '../core/url.js';
import { createGuardedFetch, GUARDED_FETCH_FIELDS, type GuardedFetch } from '../web/guarded-fetch.js';
import { WebError } from '../web/web.errors.js';
import type { Webhook } from '../http/job-intake.js';
import { refused } from '../tools/request-fields.js';

/** Options of `bullMqJobs({ webhooks })`. */
export interface WebhookOptions {
  /** Domains, with their subdomains, that callers may name. */
  domains: readonly string[];
  /**
   * Secrets by name, `whsec_` and 24 to 64 bytes in base64. Of a list every one signs, so that receivers can change from one to the next. Callers
   * choose by `secret_name`; the first one is the default.
   */
  secrets: Readonly<Record<string, string | readonly string[]>>;
  /** Hosts that may be in a private network, as for `readPage.allowHosts`. Default none. */
  allowHosts?: readonly string[];
  /** Certificates of authorities trusted in addition, PEM. */
  ca?: string | readonly string[];
}

const SECRET = secret(
  refine(
    string({ pattern: /^whsec_[A-Za-z0-9+/]+={0,2}$/ }),
    '`whsec_` and 24 to 64 bytes in base64',
    (value) => {
      const { length } = keyOf(value);
      return length >= 24 && length <= 64;
    },
  ),
);
const keyOf = (secret: string): Buffer => Buffer.from(secret.slice('whsec_'.length), 'base64');

export const WEBHOOK_OPTIONS = options({
  domains: array(string({ min: 1 }), { min: 1 }),
  secrets: refine(
    record(
      union(
        map(SECRET, (secret) => [secret]),
        array(SECRET, { min: 1, max: 5 }),
      ),
    ),
    'at least one secret by its name',
    (secrets) => Object.keys(secrets).length > 0,
  ),
  allowHosts: optional(GUARDED_FETCH_FIELDS.allowHosts),
  ca: optional(GUARDED_FETCH_FIELDS.ca),
});

/** What a webhook and the hook `onBatchEnd` say. No contents: they are fetched with the id. */
export interface EndEvent {
  type: 'batch.completed' | 'job.completed';
  timestamp: string;
  data: {
    id: string;
    tool: string;
    state: 'done' | 'failed';
    total?: number;
    done?: number;
    failed?: number;
  };
}

/** The work that follows the end of a batch or job. */
export interface EndJobData {
  event: EndEvent;
  owner: Caller;
  webhook?: Webhook;
  failures: number;
}

/** Waits after each failed attempt, seconds: a day in all. (Standard Webhooks, "Deliverability and reliability") */
const WAITS = [5, 300, 1_800, 7_200, 18_000, 28_800, 30_295];

/** Sends signed webhooks. (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md) */
export class Webhooks {
  private readonly fetch: GuardedFetch;
  private readonly schema: Schema<Webhook>;

  constructor(private readonly host: Infer<typeof WEBHOOK_OPTIONS>) {
    const { allowHosts, ca, domains } = host;
    const names = Object.keys(host.secrets);
    const admitted = `an https address on one of the domains of this server: ${domains.join(', ')}`;
    this.schema = options({
      url: map(withheld(check<string>(admitted, (url) => this.isAdmitted(url))), (url) => new URL(url).href),
      secret_name: withDefault(oneOf(...names), names[0]!),
    });
    this.fetch = createGuardedFetch({ allowHosts, ca, timeoutMs: 15_000, userAgent: 'nestjs-tools' });
  }

  /** Seconds until the next attempt; undefined after the last one. */
  static waitAfter(failures: number): number | undefined {
    return WAITS[failures - 1];
  }

  /** The field `webhook` of a request. @throws InvalidRequestError */
  check(value: unknown): Webhook {
    if (!isRecord(value)) throw refused('webhook', 'must be an object: { url, secret_name? }');
    const read = this.schema.read(value);
    if (read instanceof Issue) throw refused(read.pathFrom('webhook'), read.fault());
    // In one order of its fields: equal requests are one job.
    return { url: read.url, secret_name: read.secret_name };
  }

  /** Posts an event once. @throws WebError, Error where the host no longer admits it */
  async deliver({ webhook, event }: EndJobData, signal: AbortSignal): Promise<void> {
    const { url, secret_name } = this.check(webhook);
    const body = JSON.stringify(event);
    const id = `msg_${event.data.id}`;
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signatures = this.host.secrets[secret_name!]!.map((secret) => {
      const signature = createHmac('sha256', keyOf(secret))
        .update(`${id}.${timestamp}.${body}`)
        .digest('base64');
      return `v1,${signature}`;
    });
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    };
    await this.fetch(url, signal, { types: ['*'], post: { body, headers } });
  }

  private isAdmitted(address: unknown): boolean {
    const url = typeof address === 'string' && address.length <= 2000 ? parseUrl(address) : undefined;
    if (!url || url.username || url.password) return false;
    const { domains, allowHosts = [] } = this.host;
    const isSecure = url.protocol === 'https:' || (url.protocol === 'http:' && allowHosts.includes(url.host));
    return isSecure && isOnDomain(`https://${url.hostname}`, domains);
  }
}

/** Whether another attempt makes no sense: the receiver is gone (410), or the host has taken the domain or secret back. */
export const isFinal = (error: unknown): boolean =>
  error instanceof InvalidRequestError || (error instanceof WebError && error.pageStatus === 410);
