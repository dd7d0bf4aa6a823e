import type { Language } from '../../core/text/languages.js';

/** English names of the languages, as prompts use them. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  pt: 'Portuguese',
  es: 'Spanish',
  it: 'Italian',
  de: 'German',
  fr: 'French',
};

/** Part of cache keys: goes up with every change of the words of a prompt. */
export const PROMPT_VERSION = 2;
