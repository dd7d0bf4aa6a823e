import type { Language } from '../../core/text/index.js';

/** What an answer says when the sources do not answer. */
export const NOT_ANSWERED: Record<Language, { none: string; closest: string }> = {
  en: { none: 'The sources found do not answer this question.', closest: 'The closest that they say:' },
  pt: { none: 'As fontes encontradas não respondem a esta pergunta.', closest: 'O mais próximo que dizem:' },
  es: { none: 'Las fuentes encontradas no responden a esta pregunta.', closest: 'Lo más cercano que dicen:' },
  it: {
    none: 'Le fonti trovate non rispondono a questa domanda.',
    closest: 'La cosa più vicina che dicono:',
  },
  de: { none: 'Die gefundenen Quellen beantworten diese Frage nicht.', closest: 'Am nächsten kommt:' },
  fr: {
    none: 'Les sources trouvées ne répondent pas à cette question.',
    closest: "Ce qu'elles disent de plus proche :",
  },
};
