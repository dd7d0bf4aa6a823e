import type { ServerResponse } from 'node:http';
import type { ToolResponse } from './http-exchange.js';

/** The body of a successful answer. */
export interface Envelope {
  readonly data: object;
  readonly request_id: string;
  readonly seconds_taken: number;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * The envelope of an answer whose `data` is written already. Whoever looks at it on its way out (an interceptor of the host) finds the
 * object that it always is, and what he puts in its place is sent; the envelope itself is sent without being written once more.
 *
 * @param json `data` as JSON
 */
export function preparedEnvelope(
  response: ToolResponse,
  json: string,
  requestId: string,
  seconds: number,
): Envelope {
  const envelope: Envelope = {
    get data() {
      return JSON.parse(json) as object;
    },
    request_id: requestId,
    seconds_taken: seconds,
  };
  const text = `{"data":${json},"request_id":${JSON.stringify(requestId)},"seconds_taken":${seconds}}`;
  if (isFastify(response)) {
    response.serializer((body) => {
      response.type(JSON_TYPE);
      return body === envelope ? text : JSON.stringify(body);
    });
  } else if (isPlainExpress(response)) {
    writeInstead(response, envelope, text);
  }
  return envelope;
}

/** The parts of a reply of Fastify that are used here. */
interface FastifyReply {
  raw: ServerResponse;
  serializer(serialize: (body: unknown) => string): void;
  type(contentType: string): void;
}

/** The parts of a response of Express that are used here. */
interface ExpressResponse extends ServerResponse {
  app?: { get(setting: string): unknown };
  json(body: unknown): unknown;
}

const isFastify = (response: ToolResponse): response is FastifyReply =>
  'raw' in response && typeof (response as Partial<FastifyReply>).serializer === 'function';

/** A host that has put functions of its own on the response, or settings on how JSON is written, wants to see and write each body. */
function isPlainExpress(response: ToolResponse): response is ExpressResponse {
  if (!('app' in response) || Object.hasOwn(response, 'json') || Object.hasOwn(response, 'send'))
    return false;
  const { app } = response as ExpressResponse;
  return SETTINGS.every((setting) => !app?.get(setting));
}

const SETTINGS = ['json replacer', 'json escape', 'json spaces'];

/** Beside the writing this saves the ETag: nobody asks for the answer to a POST again on condition. */
function writeInstead(response: ExpressResponse, envelope: Envelope, text: string): void {
  const { json } = response;
  response.json = (body) => {
    if (body !== envelope) return json.call(response, body);
    if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', JSON_TYPE);
    return response.end(text);
  };
}
