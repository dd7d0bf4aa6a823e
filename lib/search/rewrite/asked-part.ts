import { detectLanguage } from '../../core/text/detect-language.js';
import { type Language } from '../../core/text/languages.js';
import { sentencesOf } from '../../core/text/sentences.js';
import { fillersOf } from './fillers.js';

const ASKS: Record<Language, RegExp> = {
  en: /^(?:(?:in|on|at|by|from|for|of|to|with|since|until) )?(?:who|whom|whose|which|what|when|where|why|how)\b/iu,
  pt: /^(?:(?:em|de|a|por|com|para|desde) )?(?:quem|qual|quais|quando|onde|porque|quant[oa]s?|como|que)\b/iu,
  es: /^(?:(?:en|de|a|por|con|para|desde) )?(?:quién|quiénes|cuál|cuáles|cuándo|dónde|cuánt[oa]s?|cómo|qué)(?!\p{L})/iu,
  it: /^(?:(?:in|di|a|da|per|con) )?(?:chi|qual|quale|quali|quando|dove|perché|quant[oaie]|come|che)(?!\p{L})/iu,
  de: /^(?:(?:in|an|auf|aus|von|für|mit|seit|zu) )?(?:wer|wen|wem|wessen|was|welch\p{L}+|wann|wo|warum|wie|wieviel)\b/iu,
  fr: /^(?:(?:en|de|à|par|pour|avec|depuis) )?(?:qui|quel|quelle|quels|quelles|quand|où|pourquoi|comment|combien|que)(?!\p{L})/iu,
};
/** Narrows a question wherever it stands: a number, or a capital within a sentence. */
const NARROWS = /\p{N}|[^.!?…\s]\s+["'(«“]?\p{Lu}\p{L}/u;
const BORDER = '\u0000';

/**
 * The question of a text that was written to a person, without what leads to it: "Hello, I am preparing a lesson and would love to
 * know which planet is largest." asks "which planet is largest." The text as it is where no phrase leads to a question word, or where
 * what stands before it has a number or a name: that belongs to what is asked.
 *
 * @param text one query, 1..400 characters
 */
export function askedPart(text: string): string {
  const language = detectLanguage(text) ?? 'en';
  const plain = text.replace(/[‘’]/g, "'");
  const pieces = plain.replaceAll(BORDER, ' ').replace(fillersOf(language), BORDER).split(BORDER);
  const trimmed = pieces.map((piece) => piece.replace(/^[\s,;:.!¿-]+/u, ''));
  const at = trimmed.findIndex((piece, i) => i > 0 && ASKS[language].test(piece));
  if (at < 0 || pieces.slice(0, at).some((piece) => NARROWS.test(piece) || piece.includes('?'))) return text;
  const [question = '', ...others] = sentencesOf(trimmed[at]!);
  const after = [...others, ...trimmed.slice(at + 1)];
  // Text after the question may narrow it. Thanks do not, and are removed already.
  return after.every((piece) => /^[\s\p{P}]*$/u.test(piece)) ? question : text;
}
