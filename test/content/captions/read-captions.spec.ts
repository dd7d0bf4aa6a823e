import fc from 'fast-check';
import { readCaptions } from '../../../lib/content/captions/read-captions.js';
import { ToolsError } from '../../../lib/core/errors.js';

const json3 = (...events: unknown[]): string => JSON.stringify({ wireMagic: 'pb3', pens: [{}], events });
const reasonOf = (body: string): Promise<unknown> =>
  readCaptions(body).then(
    () => 'read',
    (error: ToolsError) => (error.details as { reason: string }).reason,
  );

describe('readCaptions', () => {
  describe('json3', () => {
    it('joins the words of automatic captions and ends a cue with its speech, not with its display', async () => {
      const body = json3(
        { tStartMs: 0, dDurationMs: 8000, id: 1, wpWinPosId: 1 },
        {
          tStartMs: 80,
          dDurationMs: 7000,
          wWinId: 1,
          segs: [{ utf8: 'hello' }, { utf8: ' there', tOffsetMs: 320 }, { utf8: ' friends', tOffsetMs: 900 }],
        },
        { tStartMs: 1500, dDurationMs: 10, wWinId: 1, aAppend: 1, segs: [{ utf8: '\n' }] },
        { tStartMs: 4000, dDurationMs: 2000, segs: [{ utf8: '[Music]' }] },
      );
      expect(await readCaptions(body)).toEqual([
        { startMs: 80, endMs: 80 + 900 + 250 + 7 * 70, text: 'hello there friends' },
        { startMs: 4000, endMs: 6000, text: '[Music]', nonSpeech: true },
      ]);
    });

    it('ends an overlapping cue where the next one starts', async () => {
      const body = json3(
        { tStartMs: 0, dDurationMs: 5000, segs: [{ utf8: 'one' }] },
        { tStartMs: 3000, dDurationMs: 2000, segs: [{ utf8: 'two' }] },
      );
      expect((await readCaptions(body)).map(({ endMs }) => endMs)).toEqual([3000, 5000]);
    });

    it('keeps a line that was really said twice', async () => {
      const body = json3(
        { tStartMs: 0, dDurationMs: 3000, segs: [{ utf8: 'yeah' }] },
        { tStartMs: 1000, dDurationMs: 3000, segs: [{ utf8: 'yeah' }] },
      );
      expect(await readCaptions(body)).toHaveLength(2);
    });

    it('reads very long captions without losing an event', async () => {
      const events = Array.from({ length: 20_000 }, (_, i) => ({
        tStartMs: i * 100,
        dDurationMs: 100,
        segs: [{ utf8: `word "${i}" \\ {[ ]}` }],
      }));
      const segments = await readCaptions(JSON.stringify({ events, wireMagic: 'pb3' }, undefined, 1));
      expect(segments).toHaveLength(20_000);
      expect(segments[19_999]).toEqual({
        startMs: 1_999_900,
        endMs: 2_000_000,
        text: 'word "19999" \\ {[ ]}',
      });
    });

    it('tells captions that break off from unreadable ones', async () => {
      const whole = json3({ tStartMs: 0, dDurationMs: 100, segs: [{ utf8: 'one' }] });
      for (let cut = 1; cut < whole.length - 1; cut++) {
        expect(await reasonOf(whole.slice(0, cut))).toMatch(/truncated/);
      }
      expect(await reasonOf('{"error":{"code":400}}')).toBe('unreadable');
      expect(await reasonOf('{"events":[{"segs":bad}]}')).toBe('unreadable');
    });
  });

  it('drops a line that stands for a moment once more before it rolls up', async () => {
    const rolls = [
      [0, 2500, 'hello and welcome'],
      [2500, 10, 'hello and welcome'],
      [2510, 2490, 'hello and welcome\nto the show'],
    ].map(([tStartMs, dDurationMs, utf8]) => ({ tStartMs, dDurationMs, segs: [{ utf8 }] }));
    const texts = (await readCaptions(json3(...rolls))).map(({ text }) => text);
    expect(texts).toEqual(['hello and welcome', 'to the show']);
  });

  it('takes two-line roll-up of live captions once', async () => {
    const rolls = ['a b', 'a b\nc d', 'c d\ne f'].map((utf8, i) => ({
      tStartMs: i * 1000,
      dDurationMs: 1000,
      segs: [{ utf8 }],
    }));
    expect((await readCaptions(json3(...rolls))).map(({ text }) => text)).toEqual(['a b', 'c d', 'e f']);
  });

  it.each([
    ['gated_captions', ''],
    ['gated_captions', ' \n'],
    ['not_json', '<!DOCTYPE html><html><body>Oops</body></html>'],
    ['captcha', '<html><form id="captcha-form"><div class="g-recaptcha"></div></form></html>'],
    [
      'consent',
      '<!doctype html><html><form action="https://consent.youtube.com/save" method="POST"></form></html>',
    ],
    ['unreadable', 'Internal error'],
    ['unreadable', '<feed xmlns="x"></feed>'],
  ])('answers %s for %j', async (reason, body) => expect(await reasonOf(body)).toBe(reason));

  it('answers anything with segments in order or a typed error', async () => {
    const pieces = fc.array(
      fc.constantFrom(
        '{"events":[',
        '{"tStartMs":5,',
        '"segs":[{"utf8":"a"}]}',
        ']',
        '}',
        ',',
        '"',
        '\\',
        'word\n',
        '\n\n',
        '&#x110000;&amp;',
      ),
      { maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(pieces, async (parts) => {
        try {
          const segments = await readCaptions(parts.join(''));
          for (const { startMs, endMs } of segments) expect(endMs).toBeGreaterThanOrEqual(startMs);
          expect(segments.map(({ startMs }) => startMs)).toEqual(
            segments.map(({ startMs }) => startMs).sort((a, b) => a - b),
          );
        } catch (error) {
          expect(error).toBeInstanceOf(ToolsError);
        }
      }),
    );
  });
});
