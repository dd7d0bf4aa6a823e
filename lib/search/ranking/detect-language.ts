import { LANGUAGES, words, type Language } from '../../core/text/index.js';
import { functionWords } from './function-words.js';

/**
 * The language of a text by its function words, or undefined where they do not tell: too few of them, or two languages
 * alike. The first 2,000 characters are looked at.
 */
export function detectLanguage(text: string): Language | undefined {
  const tokens = words(text.slice(0, 2000)).flatMap((w) => w.split(/['’-]/));
  let best: Language | undefined;
  let bestCount = 0;
  let second = 0;
  for (const language of LANGUAGES) {
    const list = functionWords(language);
    let count = 0;
    for (const token of tokens) if (list.has(token)) count++;
    if (count > bestCount) {
      second = bestCount;
      best = language;
      bestCount = count;
    } else if (count > second) {
      second = count;
    }
  }
  if (!best || bestCount === second || bestCount < Math.min(3, tokens.length * 0.15)) return undefined;
  return best;
}
