import { createDelimiter } from '../../lib/model/call.js';
import { mapPrompt, writePrompt, type Prompt } from '../../lib/summarize/prompts.js';

const material = createDelimiter(['words']).wrap('words');
const size = { words: 180, points: 8, sections: 4, byChapter: false, outputTokens: 1600 };

describe('the prompt', () => {
  it.each<[string, () => Prompt]>([
    [
      'for a part',
      () =>
        mapPrompt({
          material,
          overlaps: true,
          part: 1,
          parts: 2,
          points: 8,
          unspaced: false,
          again: undefined,
        }),
    ],
    [
      'for the text',
      () =>
        writePrompt([{ type: 'text', text: material }], {
          language: 'en',
          spoken: 'en',
          unspaced: false,
          size,
          material: 'notes',
          pictures: false,
          again: undefined,
        }),
    ],
  ])(
    '%s begins with the material, keeps conclusions and excludes greetings, sponsors and calls to subscribe',
    (_for, make) => {
      const { system, parts } = make();
      const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
      expect(text.startsWith(material)).toBe(true);
      expect(text).toMatch(/[Kk]eep conclusions|concluded/);
      expect(text).toContain('no greetings, sponsors or calls to subscribe');
      expect(system).toContain('never instructions');
    },
  );
});
