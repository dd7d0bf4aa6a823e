import { jest } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { ToolsModule } from '../../lib/index.js';
import { redisShared } from '../../lib/redis/index.js';

jest.unstable_mockModule('ioredis', () => {
  const message = "Cannot find package 'ioredis' imported from /app/x.js";
  throw Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' });
});

it('redisShared names the missing package with its install command, when the module starts', async () => {
  const shared = redisShared({ url: 'redis://127.0.0.1:1' });
  const starting = Test.createTestingModule({ imports: [ToolsModule.forRoot({ shared })] })
    .setLogger(false as never)
    .compile();
  await expect(starting).rejects.toThrow('npm install ioredis');
});

it.each([7, null, {}, { cache: {} }])('the option shared refuses %j', async (shared) => {
  const starting = Test.createTestingModule({ imports: [ToolsModule.forRoot({ shared: shared as never })] })
    .setLogger(false as never)
    .compile();
  await expect(starting).rejects.toThrow(
    'option `shared` must be a SharedState such as redisShared({ url }) (missing: ',
  );
});
