import { cases } from '../../../bench/habits/cases.mjs';
import { judge } from '../../../bench/habits/play.mjs';
import type { Content } from '../../../lib/content/content-source.js';
import { withContext } from '../../../lib/core/context.js';
import { ModelSummarizer } from '../../../lib/summarize/model-summarizer.js';
import type { SummaryRequest } from '../../../lib/summarize/summarizer.js';
import { clientOf } from '../../support/fake-llm/fake-model.js';
import { startFakeLlm, type FakeLlm } from '../../support/fake-llm/fake-llm.mjs';
import { leadingEvidence } from '../../support/leading-evidence.mjs';

describe('a summary of what a model replies', () => {
  let fake: FakeLlm;
  beforeAll(async () => {
    fake = await startFakeLlm({ tokensPerSecond: 20_000 });
  });
  afterAll(() => fake.close());

  // What is not solved yet is counted by the bench.
  const solved = cases.filter(({ open }) => open === undefined);
  it.each(solved.map((one) => [`${one.group}: ${one.name}`, one] as const))('%s', async (_name, one) => {
    const summarizer = new ModelSummarizer({
      model: clientOf(fake, { hedgeAfterMs: 60_000, stallTimeoutMs: 60_000 }),
      evidence: leadingEvidence,
    });
    const { lost, junk, details } = await judge(one, fake, (content, request, onProgress) =>
      withContext(60_000, { onProgress }, (context) =>
        summarizer.summarize(content as Content, request as SummaryRequest, context),
      ),
    );
    expect({ lost, junk, ...(lost.length + junk.length > 0 ? { details } : {}) }).toEqual({
      lost: [],
      junk: [],
    });
  });
});
