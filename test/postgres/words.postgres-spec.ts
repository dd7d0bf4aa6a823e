import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { withContext } from '../../lib/core/context.js';
import { CHECK } from '../../lib/core/ports.js';
import { documents } from '../../lib/index.js';
import { postgresDocuments } from '../../lib/postgres/index.js';
import { askDocuments } from '../search/documents-contract.js';
import { freshDatabase, type Database } from './database.js';

const PAGES = [
  { language: 'es', title: 'El Estado', text: 'El Estado recauda impuestos y paga las escuelas.' },
  { language: 'es', title: 'Niños', text: 'Los niños juegan en el parque.' },
  { language: 'de', title: 'Der Weg zum See', text: 'Der Weg führt durch den Wald zum See.' },
  { language: 'de', title: 'Übung', text: '„Übung macht den Meister“, sagt man in der Schule.' },
  { language: 'de', title: 'Straßen', text: 'Die Straßen sind nass – fahren Sie langsam.' },
  { language: 'fr', title: 'École', text: 'L’École des beaux-arts est à Paris, près de l’œuvre.' },
  { language: 'pt', title: 'Coração', text: 'O coração bate setenta vezes. Ele mora fora da cidade.' },
  { language: 'en', title: 'Café', text: 'The café opens at eight.' },
  { language: 'en', title: 'Letters', text: 'She wrote four letters to the mayor.' },
  { language: 'pl', title: 'Łódź', text: 'ŁÓDŹ leży w środku kraju.' },
].map((page) => ({ ...page, url: `https://words.example/${encodeURIComponent(page.title)}` }));
const QUERIES = [
  '¿Qué es el Estado?',
  'estado',
  'ninos',
  'Weg',
  'Übung',
  'ubung',
  'Meister',
  'strasse',
  'Ecole',
  'ÉCOLE',
  'œuvre',
  'oeuvre',
  'coracao',
  'quem mora fora',
  'cafe',
  'write',
  'writes letters',
  'lodz',
  'SRODKU',
];

describe.each([
  ['C.UTF-8', ''],
  ['C', `TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'`],
])('a database with LC_CTYPE %s', (_, options) => {
  let database: Database;
  beforeAll(async () => {
    database = await freshDatabase(undefined, options);
  });
  afterAll(() => database.close());

  it.each(['NFC', 'NFD'])('has the words that documents() has, in texts in %s', async (form) => {
    const pages = PAGES.map((page) => ({ ...page, text: page.text.normalize(form) }));
    const stored = postgresDocuments({ pool: database.pool, table: `words_${form}` });
    await stored.migrate();
    await stored.upsert(pages);
    const inMemory = documents(PAGES);
    for (const text of QUERIES) {
      const [first, expected] = await Promise.all(
        [stored, inMemory].map(async (provider) => (await askDocuments(provider, { text }))[0]?.url),
      );
      expect([text, first]).toEqual([text, expected]);
      expect(expected).toBeDefined();
    }
  });
});

describe('a column `search` of an earlier version', () => {
  let database: Database;
  const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
  beforeAll(async () => {
    database = await freshDatabase();
    await database.pool.query(`
      CREATE TABLE documents (url text PRIMARY KEY, title text NOT NULL, text text NOT NULL, language text, published_at timestamptz);
      ALTER TABLE documents ADD COLUMN search tsvector GENERATED ALWAYS AS
        (setweight(to_tsvector('pg_catalog.german', title), 'A') || to_tsvector('pg_catalog.german', text)) STORED;
      CREATE INDEX documents_nestjs_tools_search ON documents USING gin (search);
      CREATE INDEX documents_nestjs_tools_title ON documents USING gin (to_tsvector('pg_catalog.german', title))`);
  });
  afterAll(() => database.close());

  it('is told at start, still finds words with diacritics, and is made anew by migrate()', async () => {
    const provider = postgresDocuments({ pool: database.pool });
    const start = (): Promise<void> => withContext(60_000, {}, ({ signal }) => provider[CHECK](signal));
    const titlesOf = async (text: string): Promise<unknown[]> =>
      (await askDocuments(provider, { text })).map(({ title }) => title);
    await provider.upsert(PAGES);
    await start();
    expect(warn.mock.calls.flat()).toEqual([expect.stringContaining('Run migrate()')]);
    expect(await titlesOf('Übung')).toEqual(['Übung']);
    expect(await titlesOf('Weg')).toEqual([]);
    await provider.migrate();
    warn.mockClear();
    await start();
    expect(await titlesOf('Weg')).toEqual(['Der Weg zum See']);
    expect(warn).not.toHaveBeenCalled();
  });

  it('is left alone where the host fills it', async () => {
    await database.pool.query(
      `CREATE TABLE kept (url text, text text, search tsvector); INSERT INTO kept VALUES ('https://a.example', 'Marmots whistle.', 'marmot')`,
    );
    const columns = { url: 'url', text: 'text' };
    const provider = postgresDocuments({ pool: database.pool, table: 'kept', columns, language: 'en' });
    await database.pool.query(provider.createSchema());
    expect(await askDocuments(provider, { text: 'marmots' })).toHaveLength(1);
    expect(await askDocuments(provider, { text: 'whistle' })).toEqual([]);
  });
});
