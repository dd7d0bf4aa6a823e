import type { Language } from '../../../../lib/text/languages.js';
import { SentenceChecker } from '../../../../lib/summarize/methods/verify/check-sentences.js';
import { TranscriptIndex } from '../../../../lib/summarize/methods/verify/transcript-index.js';
import { FactChecker } from '../../../../lib/summarize/methods/verify/fact-checker.js';

const TALK = [
  'so today we look at how the harbour in Lisbon was rebuilt',
  'the city spent twenty five million on the first pier alone',
  'ships came back in spring and the fishermen were glad about it',
  'so do not build the pier first build the homes first',
];

async function checker(language: Language = 'en', spoken: Language = 'en'): Promise<SentenceChecker> {
  const pieces = TALK.map((text, i) => ({ startMs: i * 10_000, endMs: i * 10_000 + 9000, text }));
  const index = await TranscriptIndex.build(pieces, spoken);
  const known = { hasAddress: () => false, isTimeMark: () => false };
  return new SentenceChecker(new FactChecker(index, new Set()), known, language);
}

describe('SentenceChecker', () => {
  it.each([
    ['The harbour of Lisbon was rebuilt, and the first pier alone cost 25 million.', true, false],
    ['The city built a pier before it built homes.', true, false],
    ['The first pier cost 95 million.', false, true],
    ['The orchestra rehearsed a symphony by Mahler with trumpets.', false, false],
    ['The speaker says “do not build the pier first build the homes”.', true, false],
    ['The speaker says “do not trust the mayor with a pier”.', false, false],
    ['It was so.', undefined, false],
  ])('judges “%s”', async (sentence, grounded, invented) => {
    expect((await checker()).check(sentence)).toMatchObject({ grounded, invented, chatter: false });
  });

  it('does not measure a sentence in another language that has no numbers', async () => {
    const own = await checker('de');
    expect(own.check('Der Hafen von Lissabon wurde neu gebaut.')!.grounded).toBeUndefined();
    expect(own.check('Der Pier hat 25 Millionen gekostet.')!.grounded).toBe(true);
    expect(own.check('Der Pier hat 95 Millionen gekostet.')).toMatchObject({
      grounded: false,
      invented: true,
    });
  });

  it('gives a sentence once', async () => {
    const own = await checker();
    expect(own.check('The harbour was rebuilt.')).toBeDefined();
    expect(own.check('The harbour was rebuilt!')).toBeUndefined();
  });

  it.each<[Language, string]>([
    ['en', 'Sure!'],
    ['en', "Here's a summary of the video in three sentences."],
    ['en', 'I hope this summary helps you!'],
    ['en', 'Let me know if you want anything changed.'],
    ['de', 'Hier ist die Zusammenfassung des Videos.'],
    ['de', 'Ich hoffe, diese Zusammenfassung hilft Ihnen weiter.'],
    ['fr', 'Voici un résumé de la vidéo.'],
    ['es', 'Aquí tienes un resumen del vídeo.'],
    ['it', 'Spero che questo riassunto sia utile.'],
    ['pt', 'Espero que este resumo ajude.'],
  ])('tells talk of the model about its answer, in %s: “%s”', async (language, sentence) => {
    expect((await checker(language)).check(sentence)!.chatter).toBe(true);
  });

  it.each([
    "I'm sorry, but I can't help with that request.",
    'Unfortunately, I cannot provide a summary of this video.',
    'As an AI language model, I have no access to videos.',
    'Please provide the transcript, and I will summarize it.',
    'This video covers many fascinating topics and offers valuable insights for all viewers.',
    'Es tut mir leid, aber dabei kann ich nicht helfen.',
    'Je suis désolée, mais je ne peux pas vous aider.',
    'Lo siento, no puedo ayudar con eso.',
    'Mi dispiace, non posso aiutarti.',
    'Desculpe, não posso ajudar com isso.',
  ])('tells that “%s” says nothing of the video', async (text) => {
    expect((await checker()).isEmptyTalk(text)).toBe(true);
  });

  it('takes a text without key points for a summary where it speaks of the content', async () => {
    expect(
      (await checker()).isEmptyTalk(
        'The harbour in Lisbon was rebuilt, and the fishermen were glad about the ships.',
      ),
    ).toBe(false);
    expect(
      (await checker('de')).isEmptyTalk('Die Stadt Lissabon hat 25 Millionen für den Pier ausgegeben.'),
    ).toBe(false);
  });

  it('lets a stream begin with a sentence on the content in the language asked for', async () => {
    const own = await checker();
    expect(own.begins('The harbour in Lisbon was rebuilt.')).toBe('yes');
    expect(own.begins('Okay, the user wants me to write about the thing that was given.')).toBe('wait');
    expect(own.begins('Der Hafen in Lissabon wurde wieder aufgebaut.')).toBe('no');
    expect(own.begins("I'm sorry, but I can't help with that.")).toBe('no');
  });
});
