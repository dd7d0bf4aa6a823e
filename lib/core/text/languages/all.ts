import type { Language } from '../languages.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';
import type { LanguageWords } from './language-words.js';
import { pt } from './pt.js';

/** The word lists of each language. */
export const LANGUAGE_WORDS: Readonly<Record<Language, LanguageWords>> = { de, en, es, fr, it, pt };
