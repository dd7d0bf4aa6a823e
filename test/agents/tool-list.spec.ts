import { AgentTools } from '../../lib/agents/agent-tools.js';
import { TOOL_NAMES } from '../../lib/core/request-event.js';
import { resolveOptions } from '../../lib/tools.options.js';

/** Tokens of JSON, estimated as a quarter of its characters. */
const tokensOf = (value: unknown): number => JSON.stringify(value).length / 4;

describe('the list of all tools', () => {
  const options = resolveOptions({
    readPage: true,
    transcript: true,
    askVideo: true,
    research: true,
    listVideos: true,
  });
  const none = {} as never;
  const { list } = new AgentTools(none, none, none, { ...options });

  it('costs a model at most 1,350 tokens', () => {
    const read = list.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    expect(read).toHaveLength(TOOL_NAMES.length);
    expect(tokensOf(read)).toBeLessThanOrEqual(1350);
  });

  it('has output schemas of names and types only', () => {
    const schemas = list.map(({ outputSchema }) => outputSchema);
    expect(JSON.stringify(schemas)).not.toMatch(/"(?:description|example|default|maximum|minLength)":/);
    expect(tokensOf(schemas)).toBeLessThanOrEqual(1900);
  });
});
