import { Test } from '@nestjs/testing';
import { ToolsModule } from '../lib/index.js';
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

  it.each([[null], ['k'], [[]]])('must be an object and not %j', (given) => {
    const message = 'option `options` must be an object';
    expect(() => ToolsModule.forRoot(given as never)).toThrow(message);
    expect(() => resolveOptions(given as never)).toThrow(message);
  });

  it.each([[null], [undefined], ['k']])('must be an object, also from a factory: %j', async (given) => {
    const module = ToolsModule.forRootAsync({ useFactory: () => given as never });
    await expect(Test.createTestingModule({ imports: [module] }).compile()).rejects.toThrow(
      'option `options` must be an object',
    );
  });

  it.each(['schlüssel', 'key\n', ' key', 'kéy'])('refuse a key that clients cannot send: %j', (key) => {
    expect(() => resolveOptions({ apiKeys: [key] })).toThrow('a non-empty string of ASCII characters');
    expect(() => resolveOptions({ apiKeys: [{ key }] })).toThrow('option `apiKeys[0].key`');
  });

  it('refuse null where options belong', () => {
    expect(() => resolveOptions({ youtube: null as never })).toThrow('option `youtube` must be an object');
  });

  it('say that a tool may also be on or off, and that a switch is one', () => {
    expect(() => resolveOptions({ transcript: 'yes' as never })).toThrow(
      'option `transcript` must be true, false or an object, received the string "yes"',
    );
    expect(() => ToolsModule.forRoot({ isGlobal: 'true' as never })).toThrow(
      'option `isGlobal` must be true or false',
    );
  });

  it.each([
    ['search.reranker', { search: { reranker: 'sk-of-the-reranker' } }],
    ['readPage.renderer', { readPage: { renderer: 'sk-of-the-renderer' } }],
    ['search.providers', { search: { providers: 'sk-of-the-provider' } }],
  ])(
    'do not repeat a text in place of the implementation of a port (%s): it may be a key',
    (option, given) => {
      const resolve = () => resolveOptions({ apiKeys: ['k'], ...given } as never);
      expect(resolve).toThrow(`option \`${option}\``);
      expect(resolve).not.toThrow('sk-of');
    },
  );

  it.each([
    ['apiKeys[0]', `sha256:${'0'.repeat(64)}`],
    ['apiKeys[0].key', { key: 'sha256:abc' }],
  ])('refuse a hash in place of a key (%s), with a hint, and do not repeat it', (option, key) => {
    const resolve = () => resolveOptions({ apiKeys: [key] });
    expect(resolve).toThrow(`option \`${option}\``);
    expect(resolve).toThrow("{ hash: 'sha256:…' }");
    expect(resolve).not.toThrow('0000');
  });
});
