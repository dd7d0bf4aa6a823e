/** A response of Express, or of Node itself. */
interface NodeResponse {
  setHeader(name: string, value: string): unknown;
}

/** A reply of Fastify. */
interface FastifyReply {
  header(name: string, value: string): unknown;
}

/** Sets a header. Not through Nest's adapter: what Express does beyond it (content types, lists) is nothing of ours and costs as much again. */
export function setResponseHeader(response: object, name: string, value: string): void {
  if ('setHeader' in response) (response as NodeResponse).setHeader(name, value);
  else (response as FastifyReply).header(name, value);
}
