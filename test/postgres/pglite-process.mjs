/**
 * PostgreSQL in WebAssembly (PGlite) with the extension pgvector, which Debian does not have, on a loopback socket that `pg` speaks to. Prints its
 * address, and ends when its standard input does.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';

const probe = createServer().listen(0, '127.0.0.1');
await once(probe, 'listening');
const { port } = probe.address();
probe.close();

const db = await PGlite.create({ extensions: { vector } });
const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port, maxConnections: 4 });
await server.start();
process.stdin.resume().once('end', () => process.exit(0));
process.stdout.write(`postgres://postgres@127.0.0.1:${port}/postgres\n`);
