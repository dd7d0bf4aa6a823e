import { createApp } from '../../sample-app/create-app.js';
import { readSettings } from '../../sample-app/settings.js';
import { closeHosts, listen } from '../support/host.js';
import { freshDatabase, type Database } from './database.js';

describe('the sample app with DATABASE_URL', () => {
  let database: Database;

  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterEach(closeHosts);
  afterAll(() => database.close());

  const start = async () =>
    listen(
      await createApp(await readSettings({ YOUTUBE: 'off', DATABASE_URL: database.url }), { logger: false }),
    );
  const rows = async (): Promise<unknown[]> =>
    (await database.pool.query('SELECT url, xmin FROM documents ORDER BY url')).rows;

  it('writes its articles once and answers from there', async () => {
    const { http } = await start();
    const { body } = await http
      .post('/v1/tools/search_web')
      .set('X-API-Key', 'demo-key')
      .send({ query: 'Common organelles within a human eukaryote', llm_answer: true })
      .expect(200);
    expect(body.data.provider).toBe('postgres');
    expect(body.data.llm).toMatchObject({ outcome: 'answered' });
    const written = await rows();
    expect(written.length).toBeGreaterThan(10);
    await closeHosts();
    await start();
    expect(await rows()).toEqual(written);
  });

  it('refuses an address that is none, without showing it', async () => {
    const read = readSettings({ DATABASE_URL: 'mysql://user:secret@host/db' });
    await expect(read).rejects.toThrow('DATABASE_URL must begin with postgres://');
    await expect(read).rejects.not.toThrow('secret');
  });
});
