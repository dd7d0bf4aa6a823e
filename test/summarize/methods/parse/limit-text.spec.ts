import {
  beforeLoop,
  dropUnfinished,
  limitWords,
} from '../../../../lib/summarize/methods/parse/limit-text.js';

describe('limitWords and dropUnfinished', () => {
  it('keep whole sentences', () => {
    expect(limitWords('One two three. Four five six. Seven eight nine.', 3, 'en')).toBe(
      'One two three. Four five six.',
    );
    expect(dropUnfinished('One two three. Four fi', 'en')).toBe('One two three.');
    expect(dropUnfinished('It cost 3.5 million. Then it', 'en')).toBe('It cost 3.5 million.');
    expect(dropUnfinished('Es war schön, und sie kam am 15. Januar. Dann kam', 'de')).toBe(
      'Es war schön, und sie kam am 15. Januar.',
    );
  });
});

describe('beforeLoop', () => {
  it.each([
    [
      'It was a court court court court court court court court court court court court court.',
      'It was a court',
    ],
    ['It rains. And so on and so on and so on and so on and so on and so on', 'It rains. And so on'],
    ['It was very, very, very, very good.', 'It was very, very, very, very good.'],
    ['No no no no, said the child. Then it slept.', 'No no no no, said the child. Then it slept.'],
  ])('ends “%s” where it begins to repeat itself', (text, kept) => {
    expect(beforeLoop(text)).toBe(kept);
  });

  it('takes time in proportion to the length', () => {
    const start = process.cpuUsage().user;
    beforeLoop('a b c d e f g h i j k l m '.repeat(4000));
    beforeLoop(Array.from({ length: 40_000 }, (_, i) => `w${i % 13}x${i}`).join(' '));
    expect(process.cpuUsage().user - start).toBeLessThan(1_500_000);
  });
});
