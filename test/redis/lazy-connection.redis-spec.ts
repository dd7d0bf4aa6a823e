import { randomBytes } from 'node:crypto';
import { Test } from '@nestjs/testing';
import type { JobsHealthSource } from '../../lib/core/health.js';
import { JOBS_HEALTH } from '../../lib/core/injection-tokens.js';
import { ToolsModule } from '../../lib/index.js';
import { bullMqJobs } from '../../lib/queue/index.js';
import { eventually } from '../support/eventually.js';
import { REDIS_URL } from './sharing.js';

it('a host whose connections are made when they are first used has a worker all the same', async () => {
  const jobs = bullMqJobs({
    connection: { url: REDIS_URL, lazyConnect: true },
    prefix: `test-${randomBytes(4).toString('hex')}`,
  });
  const tools = ToolsModule.forRoot({ apiKeys: ['k'], search: false, jobs });
  const host = await Test.createTestingModule({ imports: [tools] })
    .setLogger(false as never)
    .compile();
  await host.init();
  const source = host.get<JobsHealthSource>(JOBS_HEALTH, { strict: false });
  await eventually(
    () => source.health().workers === 1,
    () => JSON.stringify(source.health()),
  );
  expect(source.health()).toMatchObject({ up: true, waiting: 0 });
  await host.close();
});
