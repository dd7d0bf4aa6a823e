import { resolveOptions, type ToolsModuleOptions } from '../lib/tools.options.js';

describe('the options of operation', () => {
  it('have sane defaults', () => {
    expect(resolveOptions({})).toMatchObject({ hooks: {}, logRequests: true, shutdown: { graceMs: 10_000 } });
  });

  it.each<[string, ToolsModuleOptions]>([
    ['hooks.onRequest', { hooks: { onRequest: () => undefined } as never }],
    ['hooks.onUsage', { hooks: { onUsage: 'log' as never } }],
    ['logRequests', { logRequests: 'no' as never }],
    ['shutdown.graceMs', { shutdown: { graceMs: -1 } }],
    ['shutdown.grace', { shutdown: { grace: 5 } as never }],
    ['apiKeys[0].limits.requestsPerMinute', { apiKeys: [{ key: 'k', limits: { requestsPerMinute: 0 } }] }],
    ['apiKeys[0].limits.concurrency', { apiKeys: [{ key: 'k', limits: { concurrency: 0.5 } }] }],
    ['apiKeys[0].limits.total', { apiKeys: [{ key: 'k', limits: { total: 1 } as never }] }],
  ])('name what is wrong: %s', (option, options) => {
    expect(() => resolveOptions(options)).toThrow(`option \`${option}\``);
  });
});
