import fc from 'fast-check';
import { detectLanguage, toldLanguage, WHOLE_TEXT } from '../../lib/text/detect-language.js';
import { identifyLanguage } from '../../lib/text/identify-language.js';
import { LANGUAGES, type Language } from '../../lib/text/languages.js';

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

describe('toldLanguage', () => {
  it.each(LANGUAGES)('tells %s by whole sentences', (language) => {
    for (const sentence of SENTENCES[language]) expect(toldLanguage(sentence)).toBe(language);
  });

  it.each([
    'EU passport queue',
    'Los Angeles weather',
    'Man City transfers',
    'Die cast aluminium price',
    'La Liga results vs last year',
    'e-bike price per minute',
    'Est time zone',
    'Pro rata salary',
    'Un security council members',
  ])('takes the English query “%s” for no other language', (query) => {
    expect([undefined, 'en']).toContain(toldLanguage(query));
  });

  it.each([
    ['nl', 'Hoe laat gaat de trein naar Utrecht?'],
    ['nl', 'openingstijden bibliotheek Den Haag'],
    ['da', 'Hvad koster en billet til toget?'],
    ['da', 'Det regner i dag'],
    ['sv', 'Jag vill ha en kopp kaffe'],
    ['pl', 'Ile kosztuje bilet?'],
    ['ro', 'Cât costă un bilet de tren?'],
    ['gl', 'Canto custa o billete?'],
    [
      'da',
      'i dag skal vi bage en kage det er en god dag for alle og vi har god tid man tager mel sukker og smør og så rører man det hele sammen i en stor skål',
    ],
    [
      'no',
      'i dag skal vi bake en kake det er en god dag for alle og vi har god tid man tar mel sukker og smør og så rører man alt sammen i en stor bolle',
    ],
  ])('takes the text in %s “%s” for none of the six', (_language, text) => {
    expect(LANGUAGES).not.toContain(identifyLanguage(text));
  });
});

describe('detectLanguage', () => {
  it.each(LANGUAGES)('tells %s by its function words, with and without capitals', (language) => {
    for (const sentence of SENTENCES[language]) {
      expect(detectLanguage(sentence)).toBe(language);
      expect(detectLanguage(sentence.toUpperCase())).toBe(language);
    }
  });

  it.each([
    [
      'en',
      'The city rebuilt the harbour, and it was not as cheap as they had thought at the start of the work.',
    ],
    [
      'de',
      'Die Stadt hat den Hafen wieder aufgebaut, und das war nicht so billig, wie sie es sich gedacht hatte.',
    ],
    [
      'fr',
      'La ville a reconstruit le port, et ce travail ne fut pas aussi bon marché que les gens le pensaient.',
    ],
    [
      'es',
      'La ciudad reconstruyó el puerto y no fue tan barato como se había pensado al principio de la obra.',
    ],
    [
      'it',
      'La città ha ricostruito il porto e non è stato così economico come si pensava all’inizio della costruzione.',
    ],
    [
      'pt',
      'A cidade reconstruiu o porto e não foi tão barato como se pensava no início da obra, mas ficou bem.',
    ],
  ])('tells %s of a longer sentence', (language, text) => {
    expect(detectLanguage(text)).toBe(language);
  });

  it('answers undefined for no text, for numbers and for another script', () => {
    expect(detectLanguage('')).toBeUndefined();
    expect(detectLanguage('OK')).toBeUndefined();
    expect(detectLanguage('12 34 56')).toBeUndefined();
    expect(detectLanguage('これは日本語の文章です。今日はいい天気です。')).toBeUndefined();
  });

  // tinyld 1.3.4, franc 6.2.0, lande 1.0.10 and eld 2.1.0 name another language: findings/language-of-decomposed-text.sh
  it.each(LANGUAGES)('tells the language of decomposed text: %s', (language) => {
    for (const sentence of SENTENCES[language])
      expect(detectLanguage(sentence.normalize('NFD'))).toBe(language);
  });

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => void detectLanguage(text)),
    );
  });

  it.each([
    ['en', 'Who was the first woman on the Moon?'],
    ['de', 'Wann wurde der Kölner Dom fertig?'],
    ['fr', 'Pourquoi la tour Eiffel fut-elle conservée ?'],
    ['es', '¿Quién fue el primer arquitecto de la Sagrada Familia?'],
    ['it', 'Quando fu costruita la torre di Pisa?'],
    ['pt', 'Quando foi inaugurada a ponte sobre o Tejo em Lisboa?'],
  ])('tells %s of a question', (language, text) => {
    expect(detectLanguage(text)).toBe(language);
  });

  it('does not guess from names', () => {
    expect(detectLanguage('mitochondria ATP')).toBeUndefined();
  });

  it('needs more than three words of a long text', () => {
    const polish = 'Rzeka wylała nocą, zalała pola, zniszczyła drogi oraz mosty. ';
    expect(detectLanguage(`${polish.repeat(9)} The end of it.`, WHOLE_TEXT)).toBeUndefined();
  });

  it('looks as far as it is told', () => {
    const text = `${'Wir sind hier und es ist so schön. '.repeat(18)}${'It was the best of times and it was the worst of them. '.repeat(60)}`;
    expect([detectLanguage(text), detectLanguage(text, WHOLE_TEXT)]).toEqual(['de', 'en']);
  });

  it('does not take the beginning of a word, where it stops looking, for a function word', () => {
    expect(detectLanguage('Zeppelin Boeing deranged', 19)).toBeUndefined();
    expect(detectLanguage('Zeppelin Boeing der Flügel', 19)).toBe('de');
  });
});
