import type { Language } from '../../core/text/languages.js';

interface Wording {
  notFound: string;
  unclear: string;
  related: string;
  differing: string;
  otherwise: string;
}

const WORDING: Record<Language, Wording> = {
  en: {
    notFound: 'I found nothing about this in the sources.',
    unclear: 'I found no clear answer.',
    related: 'Closest match in the sources:',
    differing: 'The sources differ:',
    otherwise: 'Another source says something else:',
  },
  pt: {
    notFound: 'Não encontrei nada sobre isto nas fontes.',
    unclear: 'Não encontrei uma resposta clara.',
    related: 'O mais próximo nas fontes:',
    differing: 'As fontes divergem:',
    otherwise: 'Outra fonte diz outra coisa:',
  },
  es: {
    notFound: 'No he encontrado nada sobre esto en las fuentes.',
    unclear: 'No he encontrado una respuesta clara.',
    related: 'Lo más cercano en las fuentes:',
    differing: 'Las fuentes no coinciden:',
    otherwise: 'Otra fuente dice otra cosa:',
  },
  it: {
    notFound: 'Non ho trovato nulla su questo nelle fonti.',
    unclear: 'Non ho trovato una risposta chiara.',
    related: 'Il passaggio più vicino nelle fonti:',
    differing: 'Le fonti non concordano:',
    otherwise: 'Un’altra fonte dice altro:',
  },
  de: {
    notFound: 'Dazu habe ich in den Quellen nichts gefunden.',
    unclear: 'Ich habe keine eindeutige Antwort gefunden.',
    related: 'Am besten passt in den Quellen:',
    differing: 'Die Quellen sind sich nicht einig:',
    otherwise: 'Eine andere Quelle sagt etwas anderes:',
  },
  fr: {
    notFound: 'Je n’ai rien trouvé à ce sujet dans les sources.',
    unclear: 'Je n’ai pas trouvé de réponse claire.',
    related: 'Passage le plus proche dans les sources :',
    differing: 'Les sources divergent :',
    otherwise: 'Une autre source dit autre chose :',
  },
};

/** The text of an answer whose outcome is `not_found`. */
export function notFound(language: Language): string {
  return WORDING[language].notFound;
}

/**
 * The text of an answer whose outcome is `related`. It introduces the passages and denies nothing that they say.
 * @param passages quoted sentences with their `[n]`
 * @param isDiffering whether the passages contradict each other
 */
export function related(language: Language, passages: string, isDiffering = false): string {
  const { unclear, differing, related: closest } = WORDING[language];
  return `${unclear} ${isDiffering ? differing : closest} ${passages}`;
}

/** The text of an answer in which the model itself says what the sources lack. */
export function noClearAnswer(language: Language, said: string): string {
  return `${WORDING[language].unclear} ${said}`;
}

/** Introduces a source that contradicts the answer. */
export function otherwise(language: Language): string {
  return WORDING[language].otherwise;
}
