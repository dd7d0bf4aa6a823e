/** The languages that the tools write in, ISO 639-1. */
export const LANGUAGES = ['en', 'pt', 'es', 'it', 'de', 'fr'] as const;

/** One of the six languages, ISO 639-1. */
export type Language = (typeof LANGUAGES)[number];

/** The language of a BCP 47 tag where it is one of the six (`pt-BR` → `pt`), else undefined. */
export function languageOf(tag: string | undefined): Language | undefined {
  const base = tag?.toLowerCase().split(/[-_]/, 1)[0];
  return LANGUAGES.find((l) => l === base);
}

// Made when they are first asked for: each loads data of ICU.
let names: Intl.DisplayNames | undefined;
let scripts: Intl.DisplayNames | undefined;

/** The English name of a language, as prompts and messages use it. */
export function languageName(language: Language): string {
  names ??= new Intl.DisplayNames('en', { type: 'language' });
  return names.of(language)!;
}

/** Language, script and region of a tag. Variants and extensions follow, and the code that YouTube gives a further track of a language. */
const PARTS = /^([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?(?![^-_])/i;

/**
 * The BCP 47 tag of a language as a site writes it, with language, script and region only: `en-eEY6OEpapPo` → `en`, `iw` → `he`, `pt_br` →
 * `pt-BR`. What has no such form stays as it is.
 */
export function languageTag(code: string): string {
  const [, language, script, region] = PARTS.exec(code) ?? [];
  if (language === undefined) return code;
  scripts ??=
    script === undefined ? undefined : new Intl.DisplayNames('en', { type: 'script', fallback: 'none' });
  // `en-orig` names no script.
  const known = script !== undefined && scripts!.of(script) !== undefined;
  const parts = known || script === undefined ? [language, script, region] : [language];
  return Intl.getCanonicalLocales(parts.filter((part) => part !== undefined).join('-'))[0]!;
}

/** The one pair of codes that CLDR's language matching holds for equal (distance 1) and that no alias makes one. */
const EQUAL_LANGUAGES: Readonly<Record<string, string>> = { nb: 'no' };

/** Language and script by CLDR's likely subtags: `zh-TW` is written as `zh-Hant`. */
function writingOf(code: string): { language: string; script?: string } {
  try {
    const { language, script } = new Intl.Locale(languageTag(code)).maximize();
    return { language: EQUAL_LANGUAGES[language] ?? language, script };
  } catch {
    return { language: code.toLowerCase() };
  }
}

/** True for two tags of one language, whatever script and region: `pt`, `pt-BR`; `he`, `iw`; `zh-Hans`, `zh-TW`. */
export function sameLanguage(a: string, b: string): boolean {
  return writingOf(a).language === writingOf(b).language;
}

/** True for two tags whose languages are written in one script. */
export function sameScript(a: string, b: string): boolean {
  return writingOf(a).script === writingOf(b).script;
}

/** True for two tags of one language and script: `zh-TW`, `zh-Hant`; not `zh`, `zh-Hant`. */
export const sameWriting = (a: string, b: string): boolean => sameLanguage(a, b) && sameScript(a, b);

/** Whether words in a language are what was asked for. A tag without script and region asks for the language in any script. */
export function servesLanguage(tag: string, wanted: string): boolean {
  return sameWriting(tag, wanted) || (sameLanguage(tag, wanted) && !/[-_]/.test(languageTag(wanted)));
}
