import type { Content } from '../../../lib/content/content-source.js';
import { withContext, type Checkpoints, type WorkStep, type StepResult } from '../../../lib/core/context.js';
import { ModelSummarizer } from '../../../lib/summarize/model-summarizer.js';
import { readOutputSchema, type OutputSchema } from '../../../lib/data/output-schema.js';
import type { Summary, SummaryRequest } from '../../../lib/summarize/summarizer.js';
import { answerTo } from '../../support/fake-llm/answers.mjs';
import { clientOf } from '../../support/fake-llm/fake-model.js';
import { startFakeLlm, type FakeLlm } from '../../support/fake-llm/fake-llm.mjs';
import { talk } from '../../support/fake-llm/talk.js';

/** Keeps what it is told as JSON, and has each step of a spread done by a summarizer of another process. */
class JsonCheckpoints implements Checkpoints {
  readonly kept = new Map<string, string>();

  constructor(private readonly runStep: (input: object) => Promise<StepResult>) {}

  async once<T>(name: string, make: () => T | Promise<T>): Promise<T> {
    if (!this.kept.has(name)) this.kept.set(name, JSON.stringify(await make()));
    return JSON.parse(this.kept.get(name)!) as T;
  }

  all<T>(steps: readonly WorkStep[]): Promise<T>[] {
    return steps.map(({ name, input }) =>
      this.once(name, async () => {
        const { value } = await this.runStep(JSON.parse(JSON.stringify(input)) as object);
        return value as T;
      }),
    );
  }
}

describe('a summary with checkpoints', () => {
  let fake: FakeLlm;
  beforeEach(async () => {
    fake = await startFakeLlm({ contextTokens: 2048, countsOutput: true });
  });
  afterEach(() => fake.close());

  const summarizer = () =>
    new ModelSummarizer({ model: clientOf(fake, { contextTokens: 2048, hedgeAfterMs: 600_000 }) });
  const worker = () => {
    const other = summarizer();
    return new JsonCheckpoints((input) =>
      withContext(120_000, {}, (context) => other.runStep(input, context)),
    );
  };
  const summarize = (
    content: Content,
    checkpoints: Checkpoints,
    more: Partial<SummaryRequest> = {},
  ): Promise<Summary> =>
    withContext(120_000, { checkpoints }, (context) =>
      summarizer().summarize(
        content,
        { method: 'recursive', outputLanguage: 'en', length: 'medium', ...more },
        context,
      ),
    );

  it('asks through structured output, wherever the calls are made', async () => {
    const { usage } = await summarize(talk(1000), worker());
    const stages = usage!.stages!;
    expect(Object.keys(stages).sort()).toEqual(['map', 'merge', 'write']);
    const formats = fake.calls.map(({ body }) => body['response_format']);
    expect(formats).toEqual(formats.map(() => ({ type: 'json_object' })));
    expect(usage!.modelCalls).toBe(fake.calls.length);
  });

  it('sends nothing again when it is begun again, and counts the same', async () => {
    const checkpoints = worker();
    const first = await summarize(talk(1000), checkpoints);
    const sent = fake.calls.length;
    const again = await summarize(talk(1000), checkpoints);
    expect(fake.calls).toHaveLength(sent);
    expect(again).toEqual(first);
  });

  it('sends no call for data again either', async () => {
    const schema = readOutputSchema({
      type: 'object',
      properties: { number: { type: 'integer' } },
    }) as OutputSchema;
    fake.settings.answer = (prompt, settings, { system }) =>
      system.includes('fill in fields')
        ? '{"number":{"value":11,"source":0,"quote":"The gardener number 11 measured"}}'
        : answerTo(prompt, settings);
    const checkpoints = worker();
    const first = await summarize(talk(400), checkpoints, { schema });
    const stages = first.usage!.stages!;
    expect(stages.data).toMatchObject({ modelCalls: 1 });
    expect(first.data).toMatchObject({
      output: { number: 11 },
      grounding: [{ field: '/number', startMs: 0 }],
    });
    const sent = fake.calls.length;
    expect(await summarize(talk(400), checkpoints, { schema })).toEqual(first);
    expect(fake.calls).toHaveLength(sent);
  });

  it('survives a part whose call failed in the other process, and says how much was read', async () => {
    fake.settings.fault = (_n, { prompt }) =>
      prompt.includes('Part 2 of')
        ? { name: 'filter', status: 400, error: { message: 'content_filter' } }
        : undefined;
    const { coverage, warnings } = await summarize(talk(1000), worker());
    expect(coverage).toBeLessThan(1);
    expect(warnings.map(({ code }) => code)).toContain('partial_coverage');
  });
});
