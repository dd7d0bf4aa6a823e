import { summarizeExtractive } from '../../../lib/summarize/extractive/index.js';

/** One spoken sentence as the summary shows it; the talk around it makes it speech. */
async function cleaned(sentence: string, language = 'en'): Promise<string> {
  const { summary } = await summarizeExtractive(sentence, { language, maxWords: 60 });
  return summary;
}

describe('cleaning of spoken sentences', () => {
  it.each([
    ['hesitations', 'Um, I think, uh, we should repair the oven.', 'I think we should repair the oven.'],
    ['words said twice', 'I think we should repair the the oven.', 'I think we should repair the oven.'],
    [
      'phrases said twice',
      'I think we should we should repair the oven.',
      'I think we should repair the oven.',
    ],
    ['broken-off words', 'I think we should rep- repair the oven.', 'I think we should repair the oven.'],
    ['words begun again', 'I think we should rep repair the oven.', 'I think we should repair the oven.'],
    ['letters begun again', 'I think w we should repair the oven.', 'I think we should repair the oven.'],
    ['openers', 'Okay, so, well, I think we should repair the oven.', 'I think we should repair the oven.'],
    ['asides', 'I think, you know, we should repair the oven.', 'I think we should repair the oven.'],
    ['greetings', 'Hello everyone, I think we should repair the oven.', 'I think we should repair the oven.'],
    [
      'forms of address',
      'Madam Chair, I think we should repair the oven.',
      'I think we should repair the oven.',
    ],
    [
      'stage directions',
      'I think we [laughter] should repair the oven.',
      'I think we should repair the oven.',
    ],
    ['names of speakers', 'JOHN: I think we should repair the oven.', 'I think we should repair the oven.'],
    ['loose ends', 'I think we should repair the oven, and so', 'I think we should repair the oven.'],
  ])('deletes %s', async (_name, said, kept) => {
    expect(await cleaned(said)).toBe(kept);
  });

  it.each([
    ['a negation', 'No changes were made to my oven.', 'en'],
    ['the number', 'I think the code was 2 2 3.', 'en'],
    ['an adverb that holds the verb', 'Jetzt haben wir ja den Ofen repariert.', 'de'],
    ['a doubled pronoun', 'Je pense que nous nous trompons de four.', 'fr'],
    ['a verb that looks like an opener', 'No hay dinero para mi horno, creo yo.', 'es'],
  ])('keeps %s', async (_name, said, language) => {
    expect(await cleaned(said, language)).toBe(said);
  });

  it('leaves writing alone', async () => {
    const written = 'Also, the oven, in fact, loses heat through the door of the bakery.';
    expect(await cleaned(written)).toBe(written);
  });
});

describe('ends of sentences', () => {
  it.each([
    ['en', 'Dr. Smith moved to the U.S. in May. The bakery of Mr. Jones closed.'],
    [
      'de',
      'Der Ofen wurde z.B. am 3. Oktober von Dr. Beck geliefert. Die Bäckerei schloss im nächsten Jahr.',
    ],
    ['fr', 'Le four de M. Dupain coûte 60 %. La boulangerie de Mme Roux ferme.'],
    ['es', 'El horno del Sr. Panes cuesta mucho. La panadería de la Dra. Ruiz cierra.'],
    ['pt', 'O forno do Sr. Silva custa muito dinheiro. A padaria da Dra. Costa fecha.'],
    ['it', 'Il forno del dott. Pane costa molto denaro. La panetteria del sig. Rossi chiude.'],
  ])('are told from abbreviations in %s', async (language, text) => {
    const { summary } = await summarizeExtractive(text, { language, maxWords: 60 });
    expect(summary.split('\n')).toHaveLength(2);
    expect(summary.replace('\n', ' ')).toBe(text);
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
      'The oven of the bakery loses heat.\nThe city approves the new power line for the oven.',
    );
  });
});
