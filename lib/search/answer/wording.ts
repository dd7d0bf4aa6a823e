import type { Language } from '../../core/text/index.js';

interface Wording {
  notFound: string;
  related: string;
  differing: string;
  otherwise: string;
}

const WORDING: Record<Language, Wording> = {
  en: {
    notFound: 'I found nothing about this in the sources.',
    related: 'I found no clear answer. Closest match in the sources:',
    differing: 'I found no clear answer. The sources differ:',
    otherwise: 'Another source says something else:',
  },
  pt: {
    notFound: 'Não encontrei nada sobre isto nas fontes.',
    related: 'Não encontrei uma resposta clara. O mais próximo nas fontes:',
    differing: 'Não encontrei uma resposta clara. As fontes divergem:',
    otherwise: 'Outra fonte diz outra coisa:',
  },
  es: {
    notFound: 'No he encontrado nada sobre esto en las fuentes.',
    related: 'No he encontrado una respuesta clara. Lo más cercano en las fuentes:',
    differing: 'No he encontrado una respuesta clara. Las fuentes no coinciden:',
    otherwise: 'Otra fuente dice otra cosa:',
  },
  it: {
    notFound: 'Non ho trovato nulla su questo nelle fonti.',
    related: 'Non ho trovato una risposta chiara. Il passaggio più vicino nelle fonti:',
    differing: 'Non ho trovato una risposta chiara. Le fonti non concordano:',
    otherwise: 'Un’altra fonte dice altro:',
  },
  de: {
    notFound: 'Dazu habe ich in den Quellen nichts gefunden.',
    related: 'Ich habe keine eindeutige Antwort gefunden. Am besten passt in den Quellen:',
    differing: 'Ich habe keine eindeutige Antwort gefunden. Die Quellen sind sich nicht einig:',
    otherwise: 'Eine andere Quelle sagt etwas anderes:',
  },
  fr: {
    notFound: 'Je n’ai rien trouvé à ce sujet dans les sources.',
    related: 'Je n’ai pas trouvé de réponse claire. Passage le plus proche dans les sources :',
    differing: 'Je n’ai pas trouvé de réponse claire. Les sources divergent :',
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
  return `${isDiffering ? WORDING[language].differing : WORDING[language].related} ${passages}`;
}

/** Introduces a source that contradicts the answer. */
export function otherwise(language: Language): string {
  return WORDING[language].otherwise;
}
