import type { Language } from '../../core/text/index.js';

/** What an answer says when the sources do not answer. */
const NOT_ANSWERED: Record<Language, { none: string; closest: string; contradictory: string }> = {
  en: {
    none: 'The sources found do not answer this question.',
    closest: 'The closest that they say:',
    contradictory: 'They contradict each other:',
  },
  pt: {
    none: 'As fontes encontradas não respondem a esta pergunta.',
    closest: 'O mais próximo que dizem:',
    contradictory: 'Elas contradizem-se:',
  },
  es: {
    none: 'Las fuentes encontradas no responden a esta pregunta.',
    closest: 'Lo más cercano que dicen:',
    contradictory: 'Se contradicen:',
  },
  it: {
    none: 'Le fonti trovate non rispondono a questa domanda.',
    closest: 'La cosa più vicina che dicono:',
    contradictory: 'Si contraddicono:',
  },
  de: {
    none: 'Die gefundenen Quellen beantworten diese Frage nicht.',
    closest: 'Am nächsten kommt:',
    contradictory: 'Sie widersprechen sich:',
  },
  fr: {
    none: 'Les sources trouvées ne répondent pas à cette question.',
    closest: "Ce qu'elles disent de plus proche :",
    contradictory: 'Elles se contredisent :',
  },
};

/** What leads to a source that contradicts the answer. */
export const OTHERWISE: Record<Language, string> = {
  en: 'Another source says otherwise:',
  pt: 'Outra fonte diz outra coisa:',
  es: 'Otra fuente dice otra cosa:',
  it: 'Un’altra fonte dice altro:',
  de: 'Eine andere Quelle sagt etwas anderes:',
  fr: 'Une autre source dit autre chose :',
};

/** An answer that is none: what comes closest, or where sources contradict each other, what they say. */
export function notAnswered(language: Language, said: string, isContradicted = false): string {
  const { none, closest, contradictory } = NOT_ANSWERED[language];
  return said === '' ? none : `${none} ${isContradicted ? contradictory : closest} ${said}`;
}
