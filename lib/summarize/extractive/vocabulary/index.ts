import type { Language } from '../../../core/text/languages.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';
import { pt } from './pt.js';
import type { Vocabulary } from './vocabulary.js';

export type { Vocabulary } from './vocabulary.js';

/** The word lists of the six languages. */
export const VOCABULARIES: Readonly<Record<Language, Vocabulary>> = { en, pt, es, it, de, fr };
