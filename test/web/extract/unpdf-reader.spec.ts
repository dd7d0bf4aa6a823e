import { jest } from '@jest/globals';
import { getEventListeners, once } from 'node:events';
import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { asCallers } from '../../../lib/core/async.js';
import { unpdfReader } from '../../../lib/web/extract/unpdf-reader.js';

const never = new AbortController().signal;
const fake = (name: string): string => resolve('test/support/fake-pages/pdf', name);

/** A PDF of one page per text, in the simplest form that the format allows. */
function pdf(texts: string[], title = ''): Buffer {
  const kids = texts.map((_, i) => `${i * 2 + 4} 0 R`).join(' ');
  const pages = texts.map((text, i) => {
    const stream = `BT /F1 18 Tf 10 10 Td (${text}) Tj ET`;
    return `${i * 2 + 4} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 144]/Resources<</Font<</F1 3 0 R>>>>/Contents ${i * 2 + 5} 0 R>>endobj
${i * 2 + 5} 0 obj<</Length ${stream.length}>>stream
${stream}
endstream endobj`;
  });
  return Buffer.from(`%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[${kids}]/Count ${texts.length}>>endobj
3 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
${pages.join('\n')}
99 0 obj<</Title(${title})>>endobj
trailer<</Root 1 0 R/Info 99 0 R>>`);
}

describe('unpdfReader', () => {
  it('reads text and title', async () => {
    const read = unpdfReader();
    expect(await read(pdf(['Cells have organelles.', 'Second page.'], 'On cells'), never)).toEqual({
      text: 'Cells have organelles.\n\nSecond page.',
      title: 'On cells',
    });
    expect(getEventListeners(never, 'abort')).toHaveLength(0);
  });

  it('keeps no more pages than it may', async () => {
    const read = unpdfReader({ maxPages: 2 });
    expect(await read(pdf(['One.', 'Two.', 'Three.']), never)).toEqual({
      text: 'One.\n\nTwo.',
      read: '2 of 3 pages',
    });
  });

  it('joins a word that a line breaks where the text has the whole word', async () => {
    const text =
      ') Tj 0 100 Td (Organelles, the organ-) Tj 0 -20 Td (elles of a well-) Tj 0 -20 Td (known cell';
    expect((await unpdfReader()(pdf([text]), never)).text).toBe(
      'Organelles, the organelles of a well-\nknown cell',
    );
  });

  it('rejects a file that is not a PDF, and goes on', async () => {
    const read = unpdfReader();
    await expect(read(Buffer.from('%PDF-1.4 nothing'), never)).rejects.toThrow();
    expect((await read(pdf(['Fine.']), never)).text).toBe('Fine.');
  });

  it('is ended by the signal, however busy it is, and does not hold up the process', async () => {
    const read = unpdfReader({ modulePath: fake('hanging-reader.cjs') });
    const controller = new AbortController();
    const reason = new Error('stage over');
    const channel = new BroadcastChannel('hanging-reader');
    const busy = once(channel, 'message');
    const first = read(Buffer.from('x'), controller.signal);
    const second = read(Buffer.from('x'), controller.signal);
    await busy;
    channel.close();
    // That this thread goes on meanwhile is seen by its turns.
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    controller.abort(reason);
    await Promise.all([expect(first).rejects.toBe(reason), expect(second).rejects.toBe(reason)]);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  it('is given up when it takes too long, and the next one is read', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      const channel = new BroadcastChannel('hanging-reader');
      const busy = once(channel, 'message');
      const reading = unpdfReader({ modulePath: fake('hanging-reader.cjs') })(Buffer.from('x'), never);
      await busy;
      channel.close();
      jest.advanceTimersByTime(5_000);
      await expect(reading).rejects.toThrow('Reading the PDF takes more than 5 seconds.');
    } finally {
      jest.useRealTimers();
    }
  });

  it('lets callers take turns, however many PDFs each has', async () => {
    const read = unpdfReader();
    const order: string[] = [];
    const asked = (caller: string): Promise<unknown> =>
      asCallers(
        () => [caller],
        async () => {
          await read(pdf(['Fine.']), never);
          order.push(caller);
        },
      );
    await Promise.all([...Array.from({ length: 5 }, () => asked('greedy')), asked('modest')]);
    expect(order.indexOf('modest')).toBeLessThanOrEqual(1);
  });

  it('is ended when it takes too much memory', async () => {
    const read = unpdfReader({ modulePath: fake('greedy-reader.cjs') });
    await expect(read(Buffer.from('x'), never)).rejects.toThrow(/memory/i);
  });

  it('is ended when it takes too much memory outside of its heap, and gives it back', async () => {
    const read = unpdfReader({ modulePath: fake('inflating-reader.cjs') });
    let most = 0;
    const before = process.memoryUsage.rss();
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
    await expect(read(Buffer.from('x'), never)).rejects.toMatchObject({ reason: 'unreadable' });
    clearInterval(watch);
    // Without a bound it would be all the memory of the machine; how much it takes between two looks depends on the machine.
    expect(most - before).toBeLessThan(2_000_000_000);
  });

  it('does not blame a PDF for memory that the caller frees meanwhile', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    let garbage: object[] | null = Array.from({ length: 2_000_000 }, (_, i) => ({ i, more: [i] }));
    expect(garbage).toHaveLength(2_000_000);
    const reading = unpdfReader()(pdf(['Fine.']), never);
    await new Promise((resolve) => setImmediate(resolve));
    garbage = null;
    collect();
    expect((await reading).text).toBe('Fine.');
  });

  it('keeps no more text than of any other page', async () => {
    const read = unpdfReader({ modulePath: fake('wordy-reader.cjs') });
    const { text } = await read(Buffer.from('x'), never);
    expect(text.length).toBeGreaterThan(500_000);
    expect(text.length).toBeLessThanOrEqual(1024 * 1024);
  });
});
