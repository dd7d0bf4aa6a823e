import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { isWrapped, sentenceSpans, sentencesOf } from '../../lib/text/sentences';
import type { Language } from '../../lib/text/languages';

/** Each text with `|` where a sentence ends and the next begins. */
const CASES: Record<string, readonly (readonly [Language | undefined, string])[]> = {
  'ends at full stops, question and exclamation marks': [
    ['en', 'It rained.|Did it?|It did!|Good.'],
    ['es', 'Llueve.|¿Seguro?|¡Claro!|Bien.'],
    [undefined, 'One sentence without an end'],
  ],
  'keeps titles and abbreviations with their words': [
    ['en', 'Dr. Elena Reyes met Mrs. Park at St. Thomas Hospital.|They talked, e.g. about Prof. Li.'],
    ['de', 'Das sind z. B. Äpfel, d. h. Obst.|Sie kosten ca. Drei Euro bzw. Vier.'],
    ['de', 'Obst, z.B. Äpfel, u. a. Birnen.|Vgl. Abb. 3 auf S. 12.|Das war Dr. Kohl.'],
    ['fr', 'M. Le Pen et Mme. Royal, p. ex. Paris, sont là.|C’est vrai.'],
    ['es', 'El Sr. García y la Dra. Ruiz viven en la Avda. Colón.|Véase la pág. 5.'],
    ['pt', 'O Sr. Silva e a Dra. Costa moram na Av. Paulista.|Veja a pág. 5.'],
    ['it', 'Il Sig. Rossi e la Dott. Verdi, cfr. Dante, sono qui.|Vedi pag. 5.'],
  ],
  'ends after an abbreviation where a new sentence clearly begins': [
    ['en', 'They sell pens, paper, etc.|The shop is small.|It belongs to Acme Inc.|It is old.'],
    ['en', 'She moved to the U.S.|In 1990 she met the U.S. President.'],
    ['it', 'Pane, latte, ecc.|Il negozio è piccolo.'],
    ['de', 'Brot, Milch usw.|Der Laden ist klein.'],
  ],
  'keeps ordinals, dates and rulers together': [
    ['de', 'Im Jahr 517 v. Chr. Rom war jung.'],
    ['de', 'Es begann 517 v. Chr.|Die Stadt war jung.'],
    ['de', 'Gegen Ende des 19. Jahrhunderts, am 3. Oktober, kam er.|Dann ging er.'],
    ['de', 'Sie wurden durch Franz I. unterdrückt.|Ludwig XIV. Schloss steht noch.'],
    ['fr', 'En 52 av. J.-C. César vint.|Il gagna.'],
    ['es', 'Murió en el 44 a. C. César era viejo.'],
    ['en', 'It weighs 3.5 kg.|Fine.'],
    ['de', 'Das Land zahlt 40 %.|Berlin zahlt 20 €.|Paris nichts.'],
  ],
  'keeps initials with names': [['en', 'J. R. R. Tolkien and C. S. Lewis wrote.|Vitamin C.|It helps.']],
  'keeps decimals, versions, addresses and file names whole': [
    [
      'en',
      'Version 2.10.3 costs 3.50 dollars.|See https://example.com/a.b?c=d!e or mail a.b@c.org.|Open main.ts now.',
    ],
  ],
  'takes an ellipsis for an end only before a capital letter': [
    ['en', 'I thought... maybe not.|Well…|He left.|And then … nothing.'],
  ],
  'puts closing quotes, brackets and note marks into the sentence before': [
    ['en', 'He said "Stop."|"Why?" she asked.|(It was late.)|They left.'],
    ['de', '„Komm her.“|Er kam.|»Ja?«|»Nein«, sagte sie.'],
    ['fr', '« Vraiment ? » dit-elle.|« Oui. »|Il partit.'],
    ['en', 'It is 30 m tall.[3][a]|It was built in 1901.[12]|Nobody knows.'],
  ],
  'keeps the number of a list item with its item': [['en', '1. Open the box.|2. Take it out.|Close it.']],
  'ends at line breaks': [['en', 'A heading\n|First line.\n\n|Second line']],
  'reads text that is written without capitals': [
    ['en', 'we went home.|then we ate.|was it good?|it was, e.g. the soup.'],
  ],
  'ends at the marks of scripts without blanks': [
    [undefined, '今日は雨です。|明日は晴れますか？|はい！|終わり'],
    [undefined, '今天下雨。|明天呢？|好！'],
    [undefined, 'यह पहला वाक्य है।|यह दूसरा है।'],
  ],
};

const BLANKS = /[\s\0-\x20\x85\u200b]+/g;

describe('sentences', () => {
  for (const [what, texts] of Object.entries(CASES))
    describe(what, () => {
      it.each(texts.map(([language, marked]) => ({ language, marked })))(
        '$language: $marked',
        ({ language, marked }) => {
          const expected = marked.split('|').map((s) => s.trim());
          const text = marked
            .replace(/\n\|/g, '\n')
            .replace(/(?<=[。？！])\|/g, '')
            .replaceAll('|', ' ');
          expect(sentencesOf(text, { language })).toEqual(expected);
        },
      );
    });

  it('keeps texts of one sentence with abbreviations whole, but for twelve of 146', () => {
    const texts = JSON.parse(readFileSync('test/fixtures/one-sentence.json', 'utf8')) as Record<
      Language,
      string[]
    >;
    const all = Object.entries(texts).flatMap(([language, of]) =>
      of.map((text) => sentencesOf(text, { language: language as Language }).length === 1),
    );
    expect(all).toHaveLength(146);
    expect(all.filter(Boolean).length).toBeGreaterThanOrEqual(134);
  });

  it.each([
    ['de', 'Am 3. 10. 2020 war Feiertag.|Die Läden waren zu.'],
    ['de', 'Wir sitzen in der Hauptstr. 5 in Bonn.|Ecke Gartenstr. 12 ist der Eingang.'],
    ['es', 'Los EE. UU. Compran café.|Lo venden después.'],
    ['es', 'Nació en el siglo XX.|Nunca volvió.'],
    ['en', 'She works for the FBI.|Nobody knows.|See Vol. II and chap. IV.|It is short.'],
    ['fr', 'Il joue au FC.|Demain il part avec le Pdt. Marin.|Bien.'],
    ['it', 'È nel cap. IV.|Tutto qui.'],
    // Words of one language that another abbreviates.
    [undefined, 'They did the test.|German teams won.'],
  ] as const)('tells abbreviations from words and acronyms: %s %s', (language, marked) => {
    expect(sentencesOf(marked.replaceAll('|', ' '), { language })).toEqual(marked.split('|'));
  });

  it('reads over line breaks in wrapped text, and not over empty lines', () => {
    const text = 'The first sentence is\nwrapped here. The second\none too.\n\nA new paragraph\nbegins.';
    expect(isWrapped(text)).toBe(true);
    expect(isWrapped('One line.\nAnother line.\nA third one')).toBe(false);
    expect(sentencesOf(text, { lineBreaks: false })).toEqual([
      'The first sentence is\nwrapped here.',
      'The second\none too.',
      'A new paragraph\nbegins.',
    ]);
  });

  const piece = fc.constantFrom(
    ...'. ! ? … 。 " “ ” » « ( ) [ ] [1] \n 3 12. Dr. z. B. A. I. e.g. word Word 語 ไทย 🙂 ; - '.split(' '),
    ' ',
    '\n',
    '\u00a0',
  );
  const text = fc
    .array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 80 })
    .map((p) => p.join(''));
  const options = fc.record({
    language: fc.constantFrom<Language | undefined>(undefined, 'en', 'de', 'fr', 'es', 'it', 'pt'),
    lineBreaks: fc.boolean(),
  });

  it('restores the text: sentences follow each other, are not empty, and leave out white space only', () => {
    fc.assert(
      fc.property(text, options, (t, o) => {
        let end = 0;
        for (const span of sentenceSpans(t, o)) {
          if (span.start < end || t.slice(end, span.start).replace(BLANKS, '') !== '') return false;
          if (t.slice(span.start, span.end).replace(BLANKS, '') === '') return false;
          end = span.end;
        }
        return t.slice(end).replace(BLANKS, '') === '';
      }),
    );
  });

  it('takes 60,000 end marks for one end', () => {
    expect(sentenceSpans(`Stop${'!'.repeat(60_000)} Go on.`)).toHaveLength(2);
  });
});
