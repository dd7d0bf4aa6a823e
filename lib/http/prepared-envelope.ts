import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { ByteSlab } from './byte-slab.js';
import type { ToolResponse } from './http-exchange.js';

/** The body of a successful answer. */
export interface Envelope {
  data: object;
  request_id: string;
  seconds_taken: number;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const SLAB = new ByteSlab();

/**
 * The envelope of an answer whose `data` is written already. Whoever looks at it on its way out (an interceptor of the host) finds the
 * object that it always is; what he changes in it or puts in its place is sent. Untouched, it is sent without being written once more.
 *
 * @param json `data` as JSON in UTF-8
 */
export function preparedEnvelope(
  response: ToolResponse,
  json: Buffer,
  requestId: string,
  seconds: number,
): Envelope {
  const watch = new EnvelopeWatch(json);
  const plain: Envelope = { data: new UnreadData(json), request_id: requestId, seconds_taken: seconds };
  const envelope = new Proxy(plain, watch);
  /** The bytes for this envelope as it is; undefined for anything else. */
  const bytesOf = (body: unknown): Buffer | undefined =>
    body === envelope && !watch.touched
      ? SLAB.join('{"data":', json, `,"request_id":${JSON.stringify(requestId)},"seconds_taken":${seconds}}`)
      : undefined;
  if (isFastify(response)) {
    if (isPlainFastify(response)) serializeInstead(response, bytesOf);
  } else if (isPlainExpress(response)) {
    writeInstead(response, bytesOf);
  }
  return envelope;
}

/** Stands where the data is to be. Who prints an envelope (`console.log`) sees past every proxy, and is shown what is sent. */
class UnreadData {
  readonly #json: Buffer;

  constructor(json: Buffer) {
    this.#json = json;
  }

  [inspect.custom](): unknown {
    return JSON.parse(this.#json.toString());
  }
}

/** Notices whether anybody has looked at the data of an envelope, or changed anything in it; the data is read from its JSON only then. */
class EnvelopeWatch implements ProxyHandler<Envelope> {
  touched = false;

  constructor(private readonly json: Buffer) {}

  get(envelope: Envelope, name: string | symbol): unknown {
    return name === 'data' ? this.touch(envelope).data : Reflect.get(envelope, name);
  }

  set(envelope: Envelope, name: string | symbol, value: unknown): boolean {
    return Reflect.set(this.touch(envelope), name, value);
  }

  ownKeys(envelope: Envelope): (string | symbol)[] {
    return Reflect.ownKeys(this.touch(envelope));
  }

  getOwnPropertyDescriptor(envelope: Envelope, name: string | symbol): PropertyDescriptor | undefined {
    return Reflect.getOwnPropertyDescriptor(this.touch(envelope), name);
  }

  defineProperty(envelope: Envelope, name: string | symbol, attributes: PropertyDescriptor): boolean {
    return Reflect.defineProperty(this.touch(envelope), name, attributes);
  }

  deleteProperty(envelope: Envelope, name: string | symbol): boolean {
    return Reflect.deleteProperty(this.touch(envelope), name);
  }

  private touch(envelope: Envelope): Envelope {
    if (!this.touched) {
      this.touched = true;
      envelope.data = JSON.parse(this.json.toString()) as object;
    }
    return envelope;
  }
}

/** The parts of a reply of Fastify that are used here. */
interface FastifyReply {
  raw: ServerResponse;
  server: object;
  /** Null: as the host has it serialized. */
  serializer(serialize: ((body: unknown) => string | Buffer) | null): void;
  serialize(body: unknown): string;
  getHeader(name: string): unknown;
  type(contentType: string): void;
}

/** The parts of a response of Express that are used here. */
interface ExpressResponse extends ServerResponse {
  app?: { get(setting: string): unknown };
  json(body: unknown): unknown;
}

const isFastify = (response: ToolResponse): response is FastifyReply =>
  'raw' in response && typeof (response as Partial<FastifyReply>).serializer === 'function';

/** By server: where Fastify keeps serializers, and whether it writes JSON as everybody does where there are none. */
const SERVERS = new WeakMap<object, KnownServer>();
const SAMPLE: Envelope = { data: { list: [1, 'é<'] }, request_id: '', seconds_taken: 0.5 };
const PLAIN_SAMPLE = JSON.stringify(SAMPLE);

interface KnownServer {
  ofReply?: symbol;
  ofAll?: symbol;
  plain: boolean;
}

/**
 * A host with a serializer of its own, for all replies (`setReplySerializer`) or for this one (`reply.serializer`), wants to write each body.
 * Fastify cannot be asked for them; where its own fields are not found, the host is taken to have one. Whether the host has given the route a
 * schema is tried with the first answer.
 */
function isPlainFastify(response: FastifyReply): boolean {
  const { server } = response;
  let known = SERVERS.get(server);
  if (known === undefined) {
    const ofReply = symbolNamed('fastify.reply.serializer', response);
    const ofAll = symbolNamed('fastify.replySerializerDefault', server);
    known = { ofReply, ofAll, plain: false };
    if (!hasNoSerializer(response, known)) return false;
    known.plain = isWrittenPlainly(response);
    SERVERS.set(server, known);
  }
  return known.plain && hasNoSerializer(response, known);
}

function isWrittenPlainly(response: FastifyReply): boolean {
  try {
    return response.serialize(SAMPLE) === PLAIN_SAMPLE;
  } catch {
    // A schema that asks for what the sample has not.
    return false;
  }
}

function hasNoSerializer(response: FastifyReply, { ofReply, ofAll }: KnownServer): boolean {
  if (ofReply === undefined || ofAll === undefined) return false;
  const fields = response as unknown as Record<symbol, unknown>;
  return fields[ofReply] === null && !(response.server as Record<symbol, unknown>)[ofAll];
}

/** The instance of a plugin inherits from that of its parent. */
function symbolNamed(description: string, object: object): symbol | undefined {
  for (let owner: object | null = object; owner; owner = Object.getPrototypeOf(owner) as object | null) {
    const found = Object.getOwnPropertySymbols(owner).find((symbol) => symbol.description === description);
    if (found) return found;
  }
  return undefined;
}

/** A host that has put functions of its own on the response, or settings on how JSON is written, wants to see and write each body. */
function isPlainExpress(response: ToolResponse): response is ExpressResponse {
  if (!('app' in response) || Object.hasOwn(response, 'json') || Object.hasOwn(response, 'send'))
    return false;
  const { app } = response as ExpressResponse;
  return SETTINGS.every((setting) => !app?.get(setting));
}

const SETTINGS = ['json replacer', 'json escape', 'json spaces'];

/** What the host has put in the envelope's place (text, an error, a body of its own) goes out as if we had never been here. */
function serializeInstead(response: FastifyReply, bytesOf: (body: unknown) => Buffer | undefined): void {
  response.serializer((body) => {
    // Fastify writes text that has a type as it is, and asks a serializer for it only where one is set.
    if (typeof body === 'string') return body;
    if (response.getHeader('content-type') === undefined) response.type(JSON_TYPE);
    const bytes = bytesOf(body);
    if (bytes) return bytes;
    response.serializer(null);
    return response.serialize(body);
  });
}

/** Beside the writing this saves the ETag: nobody asks for the answer to a POST again on condition. */
function writeInstead(response: ExpressResponse, bytesOf: (body: unknown) => Buffer | undefined): void {
  const { json } = response;
  response.json = (body) => {
    const bytes = bytesOf(body);
    if (!bytes) return json.call(response, body);
    if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', JSON_TYPE);
    return response.end(bytes);
  };
}
