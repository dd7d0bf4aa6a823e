import fc from 'fast-check';
import { detectLanguage, LANGUAGES, type Language } from '../../../lib/core/text/index.js';

const SENTENCES: Record<Language, string[]> = {
  en: [
    'We have not decided what the colour of the cover is going to be.',
    'there is a new path to the river and it was closed for a year',
  ],
  pt: [
    'Nós ainda não decidimos qual é a cor da capa do livro.',
    'o rio também está mais baixo e as pontes são muito antigas',
  ],
  es: [
    'Todavía no hemos decidido cuál es el color de la cubierta del libro.',
    'el río está más bajo y los puentes son muy antiguos',
  ],
  it: [
    'Non abbiamo ancora deciso qual è il colore della copertina del libro.',
    'il fiume è più basso e i ponti sono molto antichi',
  ],
  de: [
    'Wir haben noch nicht entschieden, welche Farbe der Umschlag hat.',
    'der fluss ist niedrig und die brücken sind sehr alt',
  ],
  fr: [
    "Nous n'avons pas encore choisi la couleur de la couverture du livre.",
    'la rivière est basse et les ponts sont très anciens',
  ],
};

describe('detectLanguage', () => {
  it.each(LANGUAGES)('tells %s by its function words, with and without capitals', (language) => {
    for (const sentence of SENTENCES[language]) {
      expect(detectLanguage(sentence)).toBe(language);
      expect(detectLanguage(sentence.toUpperCase())).toBe(language);
    }
  });

  it('answers undefined for no text, for numbers and for another script', () => {
    expect(detectLanguage('')).toBeUndefined();
    expect(detectLanguage('12 34 56')).toBeUndefined();
    expect(detectLanguage('これは日本語の文章です。今日はいい天気です。')).toBeUndefined();
  });

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => void detectLanguage(text)),
    );
  });
});
