import { randomUUID } from 'node:crypto';
import { eventually } from '../support/eventually.js';
import { startFakeLlm, type FakeLlm } from '../support/fake-llm/fake-llm.mjs';
import { playedResearch, stageOf } from '../support/fake-llm/played-research.mjs';
import { JobClient } from './job-client.js';
import { REDIS_URL } from './sharing.js';
import { startProcess, type ToolsProcess } from './start-process.mjs';

const FACTS = [
  ['the inventor of the lantern', 'lantern inventor', 'The lantern was invented by Ada Quist', 'Ada Quist'],
  ['the birthplace of {1}', '{1} born', 'Ada Quist was born on the island of Sonderholm', 'Sonderholm'],
  ['the people of {2}', '{2} inhabitants', 'The island of Sonderholm has 4,312 inhabitants', '4,312'],
] as const;
const PAGES = FACTS.map(([, , sentence], i) => ({
  url: `https://p${i}.example/`,
  title: `p${i}`,
  text: `${sentence}.`,
}));
const PLAY = playedResearch(
  FACTS.map(([need, query, quote, value]) => ({ need, query, facts: [{ quote, text: `${quote}.`, value }] })),
);
const QUESTION = 'How many people live where the inventor of the lantern comes from?';

describe('a research in a job', () => {
  let llm: FakeLlm;
  let api: ToolsProcess;
  let worker: ToolsProcess;
  const env: Record<string, string> = {};
  const stages = () => llm.calls.map(({ system }) => stageOf(system));

  beforeEach(async () => {
    llm = await startFakeLlm();
    Object.assign(env, {
      REDIS_URL,
      LLM_URL: llm.url,
      PREFIX: randomUUID(),
      CACHE: 'off',
      PAGES: JSON.stringify(PAGES),
      MODEL_OPTIONS: JSON.stringify({ stallTimeoutMs: 600_000 }),
    });
    [api, worker] = await Promise.all([
      startProcess({ ...env, ROLE: 'api' }),
      startProcess({ ...env, ROLE: 'worker' }),
    ]);
  });
  afterEach(async () => {
    await Promise.all([api.stop(), worker.stop()]);
    await llm.close();
  });

  it.each(['kill', 'stop'] as const)(
    'goes on behind its last round after the %s of its worker',
    async (end) => {
      let release!: () => void;
      const held = new Promise<void>((resolve) => (release = resolve));
      llm.settings.answer = (prompt, settings, call) => {
        // The reading of the second round is under way.
        if (stages().filter((stage) => stage === 'read').length === 2) llm.settings.held = held;
        return PLAY(prompt, settings, call);
      };
      const accepted = await fetch(`${api.url}/v1/tools/research`, {
        method: 'POST',
        headers: { 'X-API-Key': 'key-a', 'Content-Type': 'application/json', Prefer: 'respond-async' },
        body: JSON.stringify({ question: QUESTION }),
      });
      expect(accepted.status).toBe(202);
      const isInSecondRound = () =>
        stages().filter((stage) => stage === 'read').length === 2 && llm.running === 1;
      await eventually(isInSecondRound, () => stages().join(' '));
      const lost = worker;
      worker = await startProcess({ ...env, ROLE: 'worker' });
      llm.settings.answer = PLAY;
      await lost[end]();
      llm.settings.held = undefined;
      release();
      const { status, result } = await new JobClient(api.url).ended(accepted.headers.get('location')!);
      expect(status).toBe('done');
      expect(result).toMatchObject({
        data: {
          outcome: 'answered',
          report:
            'The lantern was invented by Ada Quist. [1] Ada Quist was born on the island of Sonderholm. [2] The island of Sonderholm has 4,312 inhabitants. [3]',
        },
      });
      // Only the second reading was made again.
      expect(stages()).toEqual(['plan', 'read', 'read', 'read', 'read', 'report']);
    },
  );
});
