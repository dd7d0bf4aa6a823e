import type { AbstractHttpAdapter } from '@nestjs/core';
import type { INestApplication } from '@nestjs/common';
import { documents, ToolsModule, type ToolsModuleSyncOptions } from '../../lib/index.js';
import { PAGES } from '../search/search.fixtures.js';
import { OneContentSource } from './fixtures.js';
import { startHost, type RunningHost } from './host.js';

/** A host that serves its tools over MCP: five pages about school subjects, one video. */
export function startMcpHost(
  adapter: AbstractHttpAdapter,
  options: ToolsModuleSyncOptions = {},
  setUp?: (app: INestApplication) => void,
): Promise<RunningHost> {
  const tools = ToolsModule.forRoot({
    apiKeys: ['a-key', { key: 'search-only', name: 'search-only', tools: ['search_web'] }],
    contentSources: [new OneContentSource()],
    // A busy machine must not fail a search.
    search: { providers: [documents(PAGES)], deadlineMs: 60_000, answerDeadlineMs: 60_000 },
    mcp: true,
    ...options,
  });
  return startHost([tools], adapter, setUp);
}

/** A request of the revision 2026-07-28. */
export function modern(
  method: string,
  params: Record<string, unknown> = {},
  id: number | string = 1,
): object {
  return {
    jsonrpc: '2.0',
    id,
    method,
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        ...(params._meta as object | undefined),
      },
    },
  };
}

/** The headers of such a request. */
export function modernHeaders(method: string, name?: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': name }),
    'x-api-key': 'a-key',
  };
}
