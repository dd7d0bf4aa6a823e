import { InvalidOptionError } from '../../../../lib/core/errors.js';
import {
  memoryTranscripts,
  type MemoryTranscript,
} from '../../../../lib/content/youtube/providers/memory.provider.js';
import type { VideoTranscript } from '../../../../lib/content/youtube/transcript-provider.js';
import { providerContext } from '../../../support/fake-youtube/provider-context.js';

const ID = 'jNQXAC9IVRw';

async function held(video: MemoryTranscript | string): Promise<VideoTranscript> {
  const transcript = await memoryTranscripts({ [ID]: video }).fetchTranscript(
    ID,
    { languages: ['en'] },
    providerContext(),
  );
  if (!transcript) throw new Error('not held');
  return transcript;
}

describe('memoryTranscripts', () => {
  it('gives the words, times and data as the host gave them', async () => {
    const segments = [
      { startMs: 0, endMs: 4200, text: 'Hello &amp; welcome.' },
      { startMs: 4200, endMs: 5000, text: '[Music]' },
    ];
    expect(
      await held({ title: 'T', channel: 'C', language: 'pt-BR', captions: 'automatic', segments }),
    ).toEqual({
      title: 'T',
      channel: 'C',
      description: undefined,
      durationMs: 5000,
      language: 'pt-BR',
      captions: 'automatic',
      chapters: [],
      segments: [
        { startMs: 0, endMs: 4200, text: 'Hello & welcome.' },
        { startMs: 4200, endMs: 5000, text: '[Music]', nonSpeech: true },
      ],
    });
  });

  it('times one string at 150 words a minute, a segment a sentence', async () => {
    const { segments, durationMs, captions } = await held(
      `${'one two three four five. '.repeat(29)}And the last five words.`,
    );
    expect(segments).toHaveLength(30);
    expect(segments[1]).toEqual({ startMs: 2000, endMs: 4000, text: 'one two three four five.' });
    expect(durationMs).toBe(60_000);
    expect(captions).toBe('manual');
  });

  it('notes where its lines begin', async () => {
    const { segments } = await held('Ann: Is it hot? I think so.\nBen: It is not.');
    expect(segments.map(({ startsLine }) => startsLine)).toEqual([true, undefined, true]);
  });

  it.each([
    ['de', 'Im Jahr 517 v. Chr. kam Dr. Weiß unter Franz I. nach Rom.'],
    ['en', 'Doctors at St. Thomas Hospital in the U.S. met Dr. Reyes.'],
    ['es', 'El Sr. García nació en el 44 a. C. César era viejo.'],
  ])('does not take an abbreviation for the end of a sentence in %s', async (language, sentence) => {
    const { segments } = await held({ language, text: `${sentence} ${sentence}` });
    expect(segments.map(({ text }) => text)).toEqual([sentence, sentence]);
  });

  it('joins the lines of text that is wrapped at a column', async () => {
    const { segments } = await held('The first sentence is\nwrapped here. The second\none too.');
    expect(segments.map(({ text }) => text)).toEqual([
      'The first sentence is wrapped here.',
      'The second one too.',
    ]);
  });

  it('counts the words of a script without blanks', async () => {
    const { segments, durationMs } = await held('今日は天気がいいので、公園に行きました。明日は雨です。');
    expect(segments).toHaveLength(2);
    expect(durationMs).toBeGreaterThan(5000);
    expect(durationMs).toBeLessThan(9000);
  });

  it('cuts text without any punctuation', async () => {
    const { segments } = await held('word '.repeat(1000));
    expect(segments.length).toBeGreaterThan(10);
    expect(segments.at(-1)?.endMs).toBe(400_000);
  });

  it.each([
    ['en', 'This is the story of how we built a bridge that nobody had asked for.'],
    ['pt', 'Esta é a história de como nós construímos uma ponte que ninguém tinha pedido.'],
    ['es', 'Esta es la historia de cómo construimos un puente que nadie había pedido.'],
    ['it', 'Questa è la storia di come abbiamo costruito un ponte che nessuno aveva chiesto.'],
    ['de', 'Das ist die Geschichte davon, wie wir eine Brücke gebaut haben, die niemand wollte.'],
    ['fr', "C'est l'histoire de la façon dont nous avons construit un pont que personne n'avait demandé."],
  ])('tells the language %s by its function words', async (language, text) => {
    expect((await held(text)).language).toBe(language);
  });

  it('reads chapters from a description', async () => {
    const { chapters } = await held({
      text: 'word '.repeat(600),
      description: '0:00 Start\n1:00 Middle\n2:30 End',
      durationMs: 240_000,
    });
    expect(chapters).toEqual([
      { title: 'Start', startMs: 0, endMs: 60_000 },
      { title: 'Middle', startMs: 60_000, endMs: 150_000 },
      { title: 'End', startMs: 150_000, endMs: 240_000 },
    ]);
  });

  it('takes chapters given and closes them', async () => {
    const { chapters } = await held({
      text: 'a b c',
      durationMs: 9000,
      chapters: [
        { title: 'B', startMs: 3000, endMs: 5000 },
        { title: 'A', startMs: 0 },
      ],
    });
    expect(chapters).toEqual([
      { title: 'A', startMs: 0, endMs: 3000 },
      { title: 'B', startMs: 3000, endMs: 5000 },
    ]);
  });

  it('does not hold a video it was not given', async () => {
    const provider = memoryTranscripts({});
    const request = { languages: ['en'] } as const;
    expect(await provider.fetchTranscript(ID, request, providerContext())).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['memoryTranscripts["short"]', { short: 'text' }],
    [`memoryTranscripts["${ID}"]`, { [ID]: 7 }],
    [`memoryTranscripts["${ID}"]`, { [ID]: { title: 'no words' } }],
    [`memoryTranscripts["${ID}"]`, { [ID]: { text: 'a', segments: [] } }],
    [`memoryTranscripts["${ID}"].text`, { [ID]: '  ' }],
    [`memoryTranscripts["${ID}"].segments`, { [ID]: { segments: [] } }],
    [
      `memoryTranscripts["${ID}"].segments[0].endMs`,
      { [ID]: { segments: [{ startMs: 5, endMs: NaN, text: 'a' }] } },
    ],
    [
      `memoryTranscripts["${ID}"].segments[0].text`,
      { [ID]: { segments: [{ startMs: 0, endMs: 4, text: 1 }] } },
    ],
    [`memoryTranscripts["${ID}"].language`, { [ID]: { text: 'a', language: 'English please' } }],
    [`memoryTranscripts["${ID}"].captions`, { [ID]: { text: 'a', captions: 'human' } }],
    [`memoryTranscripts["${ID}"].chapters[0].title`, { [ID]: { text: 'a', chapters: [{ startMs: 0 }] } }],
    ['memoryTranscripts', 'text'],
  ])('refuses a wrong %s and names it', (path, videos) => {
    const make = (): unknown => memoryTranscripts(videos as Record<string, string>);
    expect(make).toThrow(InvalidOptionError);
    expect(make).toThrow(`\`${path}\``);
  });
});
