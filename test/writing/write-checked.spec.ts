import { withContext } from '../../lib/core/context';
import { UpstreamInvalidError } from '../../lib/core/errors';
import type { ModelClient } from '../../lib/model/client';
import { UsageMeter } from '../../lib/model/usage-meter';
import { writeChecked, type Draft, type DraftForm } from '../../lib/writing/write-checked';

const DRAFT: Draft = {
  statements: [{ text: 'It costs €9.', findings: [{ reason: 'value', about: '€9' }] }],
  unstructured: false,
  end: undefined,
  flaw: undefined,
};
const MODEL = {
  options: { repair: true },
  generate: () => Promise.resolve({ text: '{}', truncated: false }),
} as unknown as ModelClient;

/** A draft with a wrong number, whose repair ends in an error. */
function writtenWith(error: Error): Promise<Draft> {
  const call = { stage: 'answer', system: '', parts: [], maxOutputTokens: 10 } as const;
  const form: DraftForm<Draft> = {
    nothing: 'Nothing.',
    call: () => call,
    read: () => Promise.resolve(DRAFT),
    repairCall: () => call,
    readRepair: () => Promise.reject(error),
  };
  return withContext(5000, {}, (context) =>
    writeChecked(form, { model: MODEL, context, meter: new UsageMeter(), question: '' }),
  );
}

describe('writeChecked', () => {
  it('keeps the draft when the model fails to repair it', async () => {
    await expect(writtenWith(new UpstreamInvalidError('No object.'))).resolves.toEqual(DRAFT);
  });

  it('does not hide a fault of the code behind the draft', async () => {
    await expect(writtenWith(new TypeError('undefined is not a function'))).rejects.toThrow(TypeError);
  });
});
