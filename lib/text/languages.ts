/** The languages that the tools write in, ISO 639-1. */
export const LANGUAGES = ['en', 'pt', 'es', 'it', 'de', 'fr'] as const;

/** One of the six languages, ISO 639-1. */
export type Language = (typeof LANGUAGES)[number];

/** The language of a BCP 47 tag where it is one of the six (`pt-BR` → `pt`), else undefined. */
export function languageOf(tag: string | undefined): Language | undefined {
  const base = tag?.toLowerCase().split(/[-_]/, 1)[0];
  return LANGUAGES.find((l) => l === base);
}

const NAMES = new Intl.DisplayNames('en', { type: 'language' });

/** The English name of a language, as prompts and messages use it. */
export const languageName = (language: Language): string => NAMES.of(language)!;
