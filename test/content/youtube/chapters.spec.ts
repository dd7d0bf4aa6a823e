import fc from 'fast-check';
import { chaptersFromDescription } from '../../../lib/content/youtube/chapters.js';

const startsOf = (description: string): string[] =>
  chaptersFromDescription(description, 7_200_000).map(({ title, startMs }) => `${startMs / 1000} ${title}`);

describe('chaptersFromDescription', () => {
  it.each([
    ['0:00 Intro\n1:05 Body\n1:02:03 End', ['0 Intro', '65 Body', '3723 End']],
    ['00:00 - Intro\n01:05 – Body\n10:00 | End', ['0 Intro', '65 Body', '600 End']],
    ['(0:00) Intro\n[1:05] Body\n• 2:00: End', ['0 Intro', '65 Body', '120 End']],
    ['Intro 0:00\nBody - 1:05\nEnd (2:00)', ['0 Intro', '65 Body', '120 End']],
    ['▶ 0:00 ¿Por qué?\n▶ 1:05 "Cómo"\n▶ 2:00 Fin', ['0 ¿Por qué?', '65 "Cómo"', '120 Fin']],
    [
      '#1 (00:00:00) start ✘\n#2 (00:10:00) variables ✘\n#3 (00:20:00) loops',
      ['0 start', '600 variables', '1200 loops'],
    ],
    ['1. 0:00 Start\n2. 1:10 Flour\n10. 2:30 2 eggs', ['0 Start', '70 Flour', '150 2 eggs']],
    ['01 - 0:00 - Start\n02 - 1:10 - Flour\n03 - 2:30 - Water', ['0 Start', '70 Flour', '150 Water']],
    [
      'Chapter 1 (0:00) Start\nChapter 2 (1:10) Flour\nChapter 3: 2:30 Water',
      ['0 Start', '70 Flour', '150 Water'],
    ],
    [
      '0:00 - 1:10 Start\n1:10 - 2:30 The flour\n2:30 - 5:00 The water',
      ['0 Start', '70 The flour', '150 The water'],
    ],
    ['[0:00–1:10] Start\n[1:10–2:30] Flour\n[2:30–5:00] Water', ['0 Start', '70 Flour', '150 Water']],
    ['Start (0:00 - 1:10)\nFlour (1:10 - 2:30)\nWater 2:30 - 5:00', ['0 Start', '70 Flour', '150 Water']],
    ['0:00 to 1:10 Start\n1:10 to 2:30 Flour\n2:30 to 5:00 Water', ['0 Start', '70 Flour', '150 Water']],
    ['①0:00 〜 1:10 開始\n②1:10 〜 2:30 小麦粉\n③2:30 〜 5:00 水', ['0 開始', '70 小麦粉', '150 水']],
    ['0:00:00.000 Start\n0:01:10,500 Flour\n0:02:30.000 Water', ['0 Start', '70 Flour', '150 Water']],
    ['0:00 5 things\n1:10 90° turns\n2:30 C++', ['0 5 things', '70 90° turns', '150 C++']],
    ['Watch!\n\n0:00 A\nmore text\n1:00 B\n2:00 C\n\nhttps://x.org/?t=3:00', ['0 A', '60 B', '120 C']],
    ['0:00 A\n1:00 B\n2:00 C\n0:30 a correction', ['0 A', '60 B', '120 C']],
  ])('reads %j', (description, expected) => expect(startsOf(description)).toEqual(expected));

  it.each([
    ['only two', '0:00 A\n1:00 B'],
    ['none at 0:00', '0:10 A\n1:00 B\n2:00 C'],
    ['not ascending', '0:00 A\n2:00 B\n1:00 C'],
    ['times inside sentences', 'At 0:00 we start and then\nat 1:00 we go\nat 2:00 we stop there'],
    ['nothing', ''],
  ])('finds none in %s', (_name, description) => expect(startsOf(description)).toEqual([]));

  it('closes each chapter with the next and the last with the end', () => {
    expect(chaptersFromDescription('0:00 A\n0:10 B\n0:20 C\n5:00 beyond', 30_000)).toEqual([
      { title: 'A', startMs: 0, endMs: 10_000 },
      { title: 'B', startMs: 10_000, endMs: 20_000 },
      { title: 'C', startMs: 20_000, endMs: 30_000 },
    ]);
  });

  it('gives ascending chapters for any text', () => {
    const line = fc.tuple(
      fc.constantFrom('0:00', '1:00', '59:59', '1:00:00', ''),
      fc.string({ maxLength: 20 }),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        const chapters = chaptersFromDescription(lines.map((parts) => parts.join(' ')).join('\n'));
        chapters.forEach(({ startMs, endMs }) => expect(endMs).toBeGreaterThanOrEqual(startMs));
        expect(chapters.length === 0 || chapters[0]?.startMs === 0).toBe(true);
      }),
    );
  });
});
