import type { Language } from '../../core/text/index.js';

const NEGATION: Record<Language, RegExp> = {
  en: /(?<!\p{L})(?:not|no|never|none|neither|nor|cannot|without|nobody|nothing)(?!\p{L})|n['’]t(?!\p{L})/giu,
  pt: /(?<!\p{L})(?:não|nunca|nem|nenhum|nenhuma|sem|jamais|ninguém|nada)(?!\p{L})/giu,
  es: /(?<!\p{L})(?:no|nunca|ni|ningún|ninguno|ninguna|sin|jamás|nadie|nada)(?!\p{L})/giu,
  it: /(?<!\p{L})(?:non|mai|né|nessun|nessuno|nessuna|senza|niente|nulla)(?!\p{L})/giu,
  de: /(?<!\p{L})(?:nicht|kein|keine|keinen|keinem|keiner|keines|nie|niemals|ohne|niemand|nichts|weder)(?!\p{L})/giu,
  fr: /(?<!\p{L})(?:ne|pas|jamais|aucun|aucune|sans|ni|personne|rien)(?!\p{L})|(?<!\p{L})n['’]/giu,
};

/** How often a text denies something: "not", "never", "nobody", "without". */
export function denialsIn(text: string, language: Language): number {
  return text.match(NEGATION[language])?.length ?? 0;
}

/** Particles that deny a verb; "no", "without" and "nobody" deny a thing or party, which may be the very answer. */
const OF_VERBS: Record<Language, RegExp> = {
  en: /(?<!\p{L})(?:not|never|cannot)(?!\p{L})|n['’]t(?!\p{L})/giu,
  pt: /(?<!\p{L})(?:não|nunca|jamais)(?!\p{L})/giu,
  es: /(?<!\p{L})(?:no|nunca|jamás)(?!\p{L})/giu,
  it: /(?<!\p{L})(?:non|mai)(?!\p{L})/giu,
  de: /(?<!\p{L})(?:nicht|nie|niemals)(?!\p{L})/giu,
  fr: /(?<!\p{L})(?:ne|jamais)(?!\p{L})|(?<!\p{L})n['’]/giu,
};

/** Where a text denies a verb, as indices of the particles. */
export function denialPlaces(text: string, language: Language): number[] {
  return [...text.matchAll(OF_VERBS[language])].map((m) => m.index);
}
