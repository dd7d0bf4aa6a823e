import { summarizeExtractive } from '../../../lib/embedded/summary/index.js';

/** One spoken sentence as the summary shows it; the talk around it makes it speech. */
async function cleaned(sentence: string, language = 'en'): Promise<string> {
  const { summary } = await summarizeExtractive(sentence, { language, maxWords: 60 });
  return summary;
}

describe('cleaning of spoken sentences', () => {
  it.each([
    [
      'sounds of thinking',
      'Um, I think, uh, we should repair the oven.',
      'I think, we should repair the oven.',
    ],
    ['a sound that only begins with a capital', 'Mm I think we should.', 'I think we should.'],
    ['words said twice', 'I think we should repair the the oven.', 'I think we should repair the oven.'],
    [
      'phrases said twice',
      'I think the bread of the of the oven was good.',
      'I think the bread of the oven was good.',
    ],
    [
      'stage directions',
      'I think we [laughter] should repair the oven.',
      'I think we should repair the oven.',
    ],
  ])('deletes %s', async (_name, said, kept) => {
    expect(await cleaned(said)).toBe(kept);
  });

  it.each([
    ['a label that stands once', 'WARNING: I think the oven is hot.', 'en'],
    ['a negation', 'No changes were made to my oven.', 'en'],
    ['the number', 'I think the code was 2 2 3.', 'en'],
    ['years', 'I think the bakery was founded in twenty twenty and closed in twenty twenty one.', 'en'],
    ['numbers in words', 'I think you call five five five nine nine.', 'en'],
    [
      'a word at both sides of a comma',
      'If you want to win the game, the game must be played, I think.',
      'en',
    ],
    ['the commas of an aside', 'Nosotros llegamos a las once, o sea, no nos hagan caso.', 'es'],
    ['an aside', 'I think, you know, we should repair the oven.', 'en'],
    ['"so" at the end', 'I think my sister told me so.', 'en'],
    ['a word with content said twice', 'I think the oven is very very hot, it goes on and on.', 'en'],
    ['an adverb that holds the verb', 'Jetzt haben wir ja den Ofen repariert.', 'de'],
    ['a doubled pronoun', 'Je pense que nous nous trompons de four.', 'fr'],
    ['a verb that looks like an opener', 'No hay dinero para mi horno, creo yo.', 'es'],
  ])('keeps %s', async (_name, said, language) => {
    expect(await cleaned(said, language)).toBe(said);
  });

  it.each([
    ['en', 'The cable is 5 MM thick and the second cable is 8 mm thick.'],
    ['de', 'Das Kabel ist in mm angegeben und das Feld ist 3 hm breit.'],
    ['en', 'The ER is busy tonight.'],
    ['en', 'ER doctors are busy tonight.'],
    ['en', 'The layer is 5 um thick.'],
    ['es', 'El margen es de 2 em y la línea es de 30em.'],
  ])('keeps a name or a unit that looks like a sound of thinking: %s, %s', async (language, said) => {
    expect(await cleaned(said, language)).toBe(said);
  });

  it.each([
    'The array[0] is first and the array[1] is second.',
    'The oven loses heat, as shown in [3].',
    'He asked [the baker] for bread.',
    'Let i equal 3.',
    '- 5 degrees is cold.',
    '-5 degrees is cold.',
  ])('keeps the signs of "%s"', async (said) => {
    expect(await cleaned(said)).toBe(said);
  });

  it('keeps the minus behind a sound of thinking', async () => {
    expect(await cleaned('Um, -5 degrees is cold.')).toBe('-5 degrees is cold.');
  });

  it('deletes a line of stage directions', async () => {
    expect(await cleaned('[door slams]\n- Welcome to the [upbeat music] bakery.')).toBe(
      'Welcome to the bakery.',
    );
  });

  it('keeps deliberate repetitions', async () => {
    const said = 'I think every town had had a different oven.';
    expect(await cleaned(said)).toBe(said);
  });

  it('keeps one comma around a sound between commas', async () => {
    expect(await cleaned('Yo creo que el agua está fría, ehm, no es agua termal.', 'es')).toBe(
      'Yo creo que el agua está fría, no es agua termal.',
    );
  });

  it('leaves writing alone', async () => {
    const written = 'Also, the oven, in fact, loses heat through the door of the bakery.';
    expect(await cleaned(written)).toBe(written);
  });
});

/** The same for a caption without punctuation. */
async function caption(text: string): Promise<string> {
  const segments = [{ text, start: 0, duration: 9 }];
  return (await summarizeExtractive(text, { language: 'en', maxWords: 60, segments })).summary;
}

describe('cleaning of captions', () => {
  it.each([
    ['i think the bakers of the of the city had bread', 'I think the bakers of the city had bread.'],
    ['i think the bakers of egypt had had raised bread', 'I think the bakers of egypt had had raised bread.'],
    ['i think it takes twenty twenty minutes', 'I think it takes twenty twenty minutes.'],
  ])('makes a sentence of "%s"', async (said, kept) => {
    expect(await caption(said)).toBe(kept);
  });

  it('writes the pronoun of captions in small letters as a capital', async () => {
    expect(await caption("the bakers say i think i'm late")).toBe("The bakers say I think I'm late.");
  });

  it.each([
    'this kind of bread is what i mean by good bread',
    'the bakers think you know the oven of the bakery',
  ])('keeps the words of "%s"', async (said) => {
    const bare = (text: string): string =>
      text
        .toLowerCase()
        .replace(/[.…\n]+/g, ' ')
        .trim();
    expect(bare(await caption(said))).toBe(said);
  });
});

describe('captions without punctuation', () => {
  it.each([
    [
      'i think the county settled with her for one point two million dollars and the state passed a law',
      /(?<!one point )two million|million(?! dollars)/,
    ],
    [
      'i think the owner of the shop died in the spring of twenty twenty one and his son sold the house',
      /twenty twenty(?! one)/,
    ],
    [
      'so you get eighty three percent of the money and i think that is a lot',
      /(?<!eighty )three percent|eighty(?! three)/,
    ],
  ])('are not cut inside a number: "%s"', async (said, torn) => {
    const text = await caption(said);
    expect(text).not.toBe('');
    expect(text).not.toMatch(torn);
  });

  it('are one stretch where nobody knows whether a sentence ends', async () => {
    const said =
      'on the night of the fourteenth of october nineteen ninety eight a woman named carol denning locked the door of her flower shop in ' +
      'millbrook ohio and was never seen again';
    expect(await caption(said)).toMatch(/Denning locked the door/i);
  });
});

describe('ends of sentences', () => {
  it.each([
    ['en', 'Dr. Smith moved to the U.S. in May.', 'The bakery of Mr. Jones closed.'],
    [
      'de',
      'Der Ofen wurde z.B. am 3. Oktober von Dr. Beck geliefert.',
      'Die Bäckerei schloss im nächsten Jahr.',
    ],
    ['fr', 'Le four de M. Dupain coûte 60 %.', 'La boulangerie de Mme Roux ferme.'],
    ['es', 'El horno del Sr. Panes cuesta mucho.', 'La panadería de la Dra. Ruiz cierra.'],
    ['pt', 'O forno do Sr. Silva custa muito dinheiro.', 'A padaria da Dra. Costa fecha.'],
    ['it', 'Il forno del dott. Pane costa molto denaro.', 'La panetteria del sig. Rossi chiude.'],
  ])('are told from abbreviations in %s', async (language, first, second) => {
    const text = `${first} ${second}`;
    const whole = await summarizeExtractive(text, { language, maxWords: 60 });
    expect(whole.summary).toBe(text);
    const most = Math.max(...[first, second].map((sentence) => sentence.split(' ').length));
    const part = await summarizeExtractive(text, { language, maxWords: most });
    expect([first, second]).toContain(part.summary);
  });

  it('are not the ends of lines in punctuated captions', async () => {
    const cues = [
      'The oven of the bakery',
      'loses heat. The city',
      'approves the new power',
      'line for the oven.',
    ];
    const segments = cues.map((text, i) => ({ text, start: i * 2, duration: 2 }));
    const { summary } = await summarizeExtractive(cues.join(' '), { language: 'en', segments });
    expect(summary).toBe(
      'The oven of the bakery loses heat. The city approves the new power line for the oven.',
    );
  });
});
