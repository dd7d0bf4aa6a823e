import { withContext } from '../../../lib/core/context.js';
import { type Content } from '../../../lib/content/content-source.js';
import { memoryTranscripts } from '../../../lib/content/youtube/providers/memory.provider.js';
import { readTranscript } from '../../../lib/embedded/summary/reading.js';
import { summarizeExtractive } from '../../../lib/embedded/summary/index.js';
import { ExtractiveSummarizer } from '../../../lib/embedded/summary/extractive.summarizer.js';
import { type Summary, type SummaryLength } from '../../../lib/summarize/summarizer.js';
import { DEMO_TALKS } from '../../../sample-app/content/talks/index.js';
import { providerContext } from '../../support/fake-youtube/provider-context.js';
import { asCaptions } from './content-of.js';
import { TALKS } from './talks.js';
import { VIDEOS } from './videos.js';

const ID = 'jNQXAC9IVRw';
type Video = { title: string; language?: string; lines: readonly string[] };

/** A transcript on the way that a host's takes: memoryTranscripts({ text }), then the summarizer. */
async function contentOf({ title, language, lines }: Video): Promise<Content> {
  const provider = memoryTranscripts({ [ID]: { title, language, text: lines.join('\n') } });
  const video = await provider.fetchTranscript(ID, { languages: ['en'] }, providerContext());
  return { id: ID, url: `https://youtu.be/${ID}`, provider: 'memory', ...video! };
}

async function summaryOf(video: Video, length: SummaryLength = 'medium'): Promise<Summary> {
  const content = await contentOf(video);
  return withContext(300_000, {}, (context) =>
    new ExtractiveSummarizer().summarize(content, { method: 'auto', outputLanguage: 'en', length }, context),
  );
}

const codes = ({ warnings }: Summary): string[] => warnings.map(({ code }) => code);
const everything = ({ text, keyPoints, sections }: Summary): string =>
  [text, ...keyPoints.map((p) => p.text), ...sections.map((s) => s.summary)].join('\n');

describe('the summary of a video', () => {
  it.each(['short', 'medium', 'long'] as const)(
    'holds no greeting, sponsor, link or call to subscribe, and keeps the verdict (%s)',
    async (length) => {
      const summary = await summaryOf(VIDEOS.review, length);
      expect(everything(summary)).not.toMatch(
        /welcome|CloudVault|TOM20|subscribe|comments|description|Peace/i,
      );
      if (length !== 'short') expect(summary.text).toContain('eight out of ten');
    },
  );

  it.each([
    [
      'german',
      /willkommen|noch kurz Werbung|abonniert|Kommentare|Videobeschreibung/i,
      /Mein Fazit: Es lohnt sich/,
    ],
    ['spanish', /Hola|suscríbete|comentarios|enlaces|beso/i, /veintiséis euros al mes/],
  ] as const)('does so in %s', async (name, housekeeping, verdict) => {
    const summary = await summaryOf(VIDEOS[name]);
    expect(everything(summary)).not.toMatch(housekeeping);
    expect(summary.text).toMatch(verdict);
  });

  it.each([
    ['review', /^Today I want to talk about the Barista Touch Impress/],
    ['german', /^Ich bin der Markus, und heute geht es um mein Balkonkraftwerk/],
    ['spanish', /^Soy Lucía, y hoy os voy a contar cómo he bajado mi factura/],
    ['interview', /^Host: My guest today is Dr\. Hannah Osei/],
  ] as const)('begins with what it is about (%s)', async (name, beginning) => {
    expect((await summaryOf(VIDEOS[name])).text).toMatch(beginning);
  });

  it('keeps words of platforms that are its subject', async () => {
    const lines = [
      'A channel earns nothing from the first view of a video.',
      'Advertisers pay for viewers who come back, so a video needs subscribers more than clicks.',
      'The study followed four hundred channels in Norway for three years.',
      'Half of them stopped before their tenth video, mostly in the month of May.',
      'A fixed weekday for the next video doubled the number of new subscribers.',
      'Long titles made no difference, and neither did the colour of the picture.',
      'Reading aloud from a script cost a channel one subscriber in five.',
      'Teachers and mechanics grew faster than musicians, although their videos were longer.',
    ];
    const { text } = await summaryOf({ title: 'How a channel gets subscribers', language: 'en', lines });
    expect(text).toContain('doubled the number of new subscribers');
    expect(text).toContain('The study followed four hundred channels');
  });

  it('leaves out a whole advertisement, and no sentence that has a word of its code', async () => {
    const before = [
      'Bees keep the hive at thirty-five degrees all year.',
      'A colony has about forty thousand workers in summer.',
      'The queen lays two thousand eggs a day in June.',
    ];
    const advertisement = [
      'This video is sponsored by NordVPN.',
      'NordVPN hides your address from every site that you visit.',
      'It runs on six devices at once.',
      'NordVPN also blocks malware in the background.',
      'Use my code BEES for a discount of sixty percent.',
    ];
    const after = [
      'In winter the bees form a ball around the queen.',
      'They shiver with their flight muscles to make heat.',
      'A colony eats twenty kilos of honey before spring.',
    ];
    const lines = [...before, ...advertisement, ...after];
    const { text } = await summaryOf({ title: 'Bees in winter', language: 'en', lines });
    for (const line of advertisement) expect(text).not.toContain(line);
    for (const line of [...before, after[0]!, after[2]!]) expect(text).toContain(line);
  });

  describe('with an advertisement', () => {
    const before = [
      'Bees keep the hive at thirty-five degrees all year.',
      'A colony has forty thousand workers in summer.',
      'The queen lays two thousand eggs a day in June.',
      'A worker lives for six weeks in summer.',
    ];
    const after = [
      'In winter the bees form a ball around the queen.',
      'The bees shiver with their muscles to make heat.',
      'A colony eats twenty kilos of honey before spring.',
      'The first flowers are those of the hazel.',
    ];
    const read = async (...middle: string[]): Promise<string> =>
      everything(
        await summaryOf({ title: 'Bees', language: 'en', lines: [...before, ...middle, ...after] }, 'long'),
      );

    it('leaves it out although it begins like an announcement', async () => {
      const text = await read(
        'This video is sponsored by ToolCrate.',
        'ToolCrate sends a box of four tools to you every month.',
        'The boxes have a hammer or a ratchet in them.',
        'Go to toolcrate.com and use code BEES15 on the first box.',
      );
      expect(text).not.toMatch(/ToolCrate|tool|box/i);
    });

    it('leaves it out up to the sentence that points to the link', async () => {
      const text = await read(
        'Thanks to Nimbus for sponsoring this video.',
        'The Nimbus tent weighs nine hundred grams and stands in four minutes.',
        'You find the link in the description of this video.',
      );
      expect(text).not.toMatch(/Nimbus|tent|link/);
    });

    it('keeps what is announced behind it', async () => {
      const text = await read(
        'Thanks to Nimbus for sponsoring this video.',
        'Today we look at the winter of the bees.',
        'The winter of a hive takes five months in the mountains.',
        'If you like bees, please subscribe to my channel.',
      );
      expect(text).toMatch(/Today we look at[^]*five months/);
    });
  });

  it.each([
    ['en', 'go to nimbus dot com slash bees and use my code for fifteen percent off the first box'],
    [
      'de',
      'geht auf nimbus punkt com slash bienen und ihr bekommt fünfzehn prozent rabatt auf die erste kiste',
    ],
    [
      'fr',
      'allez sur nimbus point com slash abeilles et vous avez quinze pour cent de réduction sur la première boîte',
    ],
    [
      'es',
      'entrad en nimbus punto com barra abejas y tenéis un quince por ciento de descuento en la primera caja',
    ],
    [
      'it',
      'andate su nimbus punto com slash api e avete il quindici per cento di sconto sulla prima scatola',
    ],
    [
      'pt',
      'entra em nimbus ponto com barra abelhas e você tem quinze por cento de desconto na primeira caixa',
    ],
  ] as const)('leaves out an offer as it is spoken in %s', async (language, offer) => {
    const said = VIDEOS.review.lines.slice(8, 20);
    const lines = language === 'en' ? said : TALKS[language].split('\n');
    for (const shown of [`${offer[0]!.toUpperCase()}${offer.slice(1)}.`, offer]) {
      const given = [...lines.slice(0, 5), shown, ...lines.slice(5)];
      const text = everything(
        await summaryOf(
          { title: 'T', language, lines: shown === offer ? asCaptions(given.join('\n')) : given },
          'long',
        ),
      );
      expect(text).not.toMatch(/nimbus/i);
      expect(text.length).toBeGreaterThan(60);
    }
  });

  it('leaves out a short word of advertising in German', async () => {
    const lines = [
      ...VIDEOS.german.lines.slice(3, 9),
      'Vorher noch kurz Werbung.',
      ...VIDEOS.german.lines.slice(9, 16),
    ];
    expect((await summaryOf({ title: 'Strom', language: 'de', lines }, 'long')).text).not.toContain(
      'kurz Werbung',
    );
  });

  it('has a sentence that begins with a pronoun behind the one that it points to, or not at all', async () => {
    const lines = [
      'The museum of Ardez bought a clock from the year 1604.',
      'It was made by a smith who could neither read nor write.',
      'The village paid for it with two cows and a barrel of wine.',
      'Nobody had asked for a clock before.',
      'They wanted a bell for the fire watch.',
      'The clock of Ardez still runs and loses four minutes a day.',
    ];
    const { summary } = await summarizeExtractive(lines.join('\n'), { language: 'en', maxWords: 24 });
    for (const [k, line] of lines.entries())
      if (/^(?:It|They) /.test(line) && summary.includes(line))
        expect(summary).toContain(`${lines[k - 1]} ${line}`);
  });

  it('has an Italian sentence that begins with a verb behind the one that has its subject, or not at all', async () => {
    const lines = [
      'I Campi Flegrei non hanno la forma di una montagna.',
      'Il fenomeno più noto di questa zona di Napoli è il bradisismo.',
      'È il movimento lento del suolo della zona verso il mare o verso il cielo.',
      'A Pozzuoli il suolo della zona sale di due centimetri al mese.',
      'Le colonne del mercato romano hanno i buchi dei molluschi del mare.',
    ];
    for (const maxWords of [20, 30, 40]) {
      const { summary } = await summarizeExtractive(lines.join('\n'), { language: 'it', maxWords });
      if (summary.includes(lines[2]!)) expect(summary).toContain(`${lines[1]} ${lines[2]}`);
    }
  });

  it.each([
    [
      'en',
      'The algae of the reef live in the polyp.',
      'In bright water that gift can cover the needs of the coral.',
    ],
    ['en', 'A committee of the town counts the clocks.', 'The museum in the town measures this with care.'],
    ['de', 'Der Himmel der Stadt hat eine Farbe.', 'Das klingt nach einer Frage für die Kinder der Stadt.'],
    ['de', 'Der Adler der Berge hat Klauen.', 'Mit diesen Klauen fängt der Vogel die Fische im See.'],
    [
      'fr',
      'Le joint du réservoir est en bas.',
      'Sur ce modèle il suffit de tourner le joint vers la gauche.',
    ],
    [
      'pt',
      'Os pacotes ficam numa pasta do sistema.',
      'O programa procura neste diretório os pacotes do sistema.',
    ],
    [
      'it',
      'Il pacchetto contiene la cartella del sistema.',
      "Quest'ultimo fornisce i file della cartella del sistema.",
    ],
  ])(
    'has a reference in %s behind what it refers to, or not at all (%#)',
    async (language, before, sentence) => {
      const others = TALKS[language as 'en'].split('\n').slice(2, 4);
      const { summary } = await summarizeExtractive([...others, before, sentence, ...others].join('\n'), {
        language,
        maxWords: 60,
      });
      if (summary.includes(sentence)) expect(summary).toContain(`${before} ${sentence}`);
      const alone = await summarizeExtractive([...others, sentence].join('\n'), { language, maxWords: 300 });
      expect(alone.summary).toContain(others.at(-1));
    },
  );

  it('has no sentence that points back to one that says nothing', async () => {
    const lines = [
      'The museum of Ardez bought a clock from the year 1604.',
      'A smith who could neither read nor write made the clock of Ardez.',
      'For sure.',
      'And the clock of the museum loses four minutes in a day or so.',
      'The village paid two cows and a barrel of wine for the clock.',
      'Nobody in the village of Ardez had asked for a clock before.',
    ];
    const { summary } = await summarizeExtractive(lines.join('\n'), { language: 'en', maxWords: 40 });
    expect(summary).not.toMatch(/For sure|loses four minutes/);
  });

  it('never cuts off a condition or what a sentence refers to', async () => {
    const lines = [
      'So today I want to talk about compost, and I mean the simple kind.',
      'As I said last week, this is the most important part of the garden, so take your time.',
      "If it's too wet it smells, and if it's too dry nothing happens at all, you know.",
      'If you cut a leaf into pieces, it rots in four weeks instead of ten.',
      'You should turn the heap every month, unless there is frost, because then it loses its heat.',
    ];
    const { summary } = await summarizeExtractive(lines.join('\n'), { language: 'en', maxWords: 100 });
    for (const kept of [
      'As I said last week, this',
      "If it's too wet it smells",
      'If you cut a leaf',
      'unless there is frost',
    ])
      expect(summary).toContain(kept);
  });

  it('leaves the rest of its budget empty rather than filling it with a scrap', async () => {
    const lines = [
      'The reef of Ardez grew for nine thousand years on an old volcano in warm water.',
      'Corals of the reef build their skeletons from chalk that they take out of the water.',
      'Sponges and worms drill holes into the reef until the waves break it.',
      'Take the fish.',
      'Fish of the reef bite off chalk and leave it behind as white sand.',
    ];
    const { summary } = await summarizeExtractive(lines.join('\n'), { language: 'en', maxWords: 46 });
    expect(summary).not.toContain('Take the fish');
    expect(summary.split(/(?<=\.)\s/).length).toBeGreaterThan(2);
  });

  it('opens with no question', async () => {
    const lines = [
      'Do we want steam in the oven of a bakery?',
      'Steam in the oven keeps the crust of the bread soft while the bread grows.',
      'Without steam the crust of the bread is hard before the bread has grown.',
      'The oven of a bakery makes steam from two litres of water.',
    ];
    const { summary } = await summarizeExtractive(lines.join('\n'), { language: 'en', maxWords: 45 });
    expect(summary).not.toContain('Do we');
  });

  it('begins no passage with a sentence that needs the one before it', async () => {
    const { title, language, segments } = DEMO_TALKS.sampleTalk1!;
    const { text } = await summaryOf({ title, language, lines: segments.map((s) => s.text) }, 'short');
    for (const passage of text.split('\n\n')) expect(passage).not.toMatch(/^[^.]*\b(?:this|these|those)\b/);
    expect(text).toContain('a coral is all three');
  });

  it('has no question of which the mark stands apart, as in French', async () => {
    const lines = [
      'Le four de la boulangerie perd de la chaleur par la porte.',
      'Combien de clients de la boulangerie attendent le pain du matin en hiver ?',
      'La porte du four de la boulangerie coûte huit cents euros à la ville.',
    ];
    const { summary } = await summarizeExtractive(lines.join('\n'), { language: 'fr', maxWords: 30 });
    expect(summary).not.toContain('Combien');
  });

  it('has key points from all over the video, each understood alone', async () => {
    const { keyPoints } = await summaryOf(VIDEOS.review, 'short');
    for (const point of keyPoints) expect(point.text).not.toMatch(/^(?:It|That|This|They)\b/);
    const starts = keyPoints.map(({ startMs }) => startMs);
    expect(starts.at(-1)! - starts[0]!).toBeGreaterThan(60_000);
  });
});

describe('who speaks', () => {
  it('is named where the transcript names speakers, once for each turn', async () => {
    const summary = await summaryOf(VIDEOS.interview);
    expect(summary.text).toMatch(/Hannah: /);
    expect(summary.text).not.toMatch(/Hannah: [^:]*[.?] Hannah: /);
    for (const { text } of summary.keyPoints) expect(text).toMatch(/^(?:Host|Hannah): \p{Lu}/u);
    expect(codes(summary)).not.toContain('several_speakers');
  });

  it('is not said: a warning tells that several people speak, where the transcript shows it', async () => {
    const talk = VIDEOS.interview.lines.map((line) => line.replace(/^\w+: /, ''));
    const marked = talk.map((line, k) =>
      VIDEOS.interview.lines[k]!.startsWith('Host') ? `>> ${line}` : line,
    );
    expect(codes(await summaryOf({ title: 'T', language: 'en', lines: marked }))).toContain(
      'several_speakers',
    );
    expect(codes(await summaryOf(VIDEOS.review))).not.toContain('several_speakers');
  });

  it('is nobody where only some lines have a name: no words are given to anybody', async () => {
    const lines = VIDEOS.interview.lines.map((line, k) => (k % 4 === 3 ? line.replace(/^\w+: /, '') : line));
    const summary = await summaryOf({ ...VIDEOS.interview, lines });
    expect(codes(summary)).toContain('several_speakers');
    expect(everything(summary)).not.toMatch(/(?:Host|Hannah):/);
  });

  it.each([
    ['one label', ['Warning', 'Warning', 'Warning']],
    ['labels that take no turns', ['Warning', 'Warning', 'Note', 'Note']],
  ])('is not told by %s', async (_name, labels) => {
    const lines = labels.map((label, k) => `${label}: the oven number ${k} is hot and the door is open.`);
    const all = [...lines, 'The baker closes the door.'];
    const summary = await summaryOf({ title: 'T', language: 'en', lines: all });
    expect(codes(summary)).not.toContain('several_speakers');
    for (const line of lines) expect(summary.text).toContain(line);
  });

  it('is the same in all sentences of a line', async () => {
    const lines: string[] = [];
    for (const line of VIDEOS.interview.lines) {
      const [name, said] = line.split(': ');
      if (lines.at(-1)?.startsWith(`${name}: `)) lines.push(`${lines.pop()} ${said}`);
      else lines.push(line);
    }
    const summary = await summaryOf({ ...VIDEOS.interview, lines });
    expect(codes(summary)).not.toContain('several_speakers');
    for (const { text } of summary.keyPoints) expect(text).toMatch(/^(?:Host|Hannah): \p{Lu}/u);
  });

  it('is not taken from a line such as "Note: …"', async () => {
    const lines = ['Note: the oven is hot.', 'Note: the dough is cold.', ...VIDEOS.review.lines];
    expect((await summaryOf({ title: 'T', language: 'en', lines }, 'long')).text).not.toMatch(
      /^Note: (?!the)/,
    );
  });
});

describe('a song', () => {
  it('is quoted in whole lines, and its refrain is one point', async () => {
    const summary = await summaryOf(VIDEOS.song);
    expect(summary.text).toContain('The rain came in September and it washed away the shore.');
    expect(summary.text).not.toMatch(/bend paper boats/i);
    const points = summary.keyPoints.map(({ text }) => text);
    expect(new Set(points).size).toBe(points.length);
  });
});

describe('a language without word lists', () => {
  it.each([
    ['nl', VIDEOS.dutch],
    ['ja', VIDEOS.japanese],
  ] as const)('is named as %s, declared or not', async (code, { title, lines, language }) => {
    for (const declared of [language, undefined]) {
      const summary = await summaryOf({ title, lines, language: declared });
      expect(summary.language).toBe(code);
      expect(codes(summary)).toContain('language_not_supported');
    }
  });

  it('is never overruled by a guess', async () => {
    expect((await summaryOf({ ...VIDEOS.dutch, language: 'sv' })).language).toBe('sv');
  });

  it('is "und" where nobody knows it', async () => {
    const lines = ['Blorp zindak verrun olti.', 'Olti verrun mesk bilar.', 'Trenn olti zindak vol harem.'];
    const summary = await summaryOf({ title: 'T', lines });
    expect(summary.language).toBe('und');
    expect(codes(summary)).toContain('language_not_supported');
  });

  it('is counted and cut by its words where it has no blanks', async () => {
    const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });
    const count = (text: string): number =>
      [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length;
    const { text, keyPoints } = await summaryOf(VIDEOS.japanese, 'short');
    expect(count(text)).toBeLessThanOrEqual(100);
    expect(count(text)).toBeGreaterThan(60);
    expect(text).not.toMatch(/\.|\p{sc=Han} \p{sc=Han}/u);
    expect(keyPoints.length).toBeGreaterThan(1);
    const long = VIDEOS.japanese.lines.join('').replaceAll('。', '').repeat(40);
    const cut = await summarizeExtractive(long, { language: 'ja', maxWords: 50 });
    expect(count(cut.summary)).toBeLessThanOrEqual(50);
    expect(cut.summary).not.toBe('');
  });

  it.each([
    ['zh', '今天我们来谈谈城市交通的问题。每年有三百万人乘坐地铁上班。新的线路将在明年开通。'],
    ['zh', '今天我们来谈谈城市交通的问题每年有三百万人乘坐地铁上班新的线路将在明年开通'],
    ['th', 'วันนี้ฝนตกหนักมากเราจึงอยู่บ้านและอ่านหนังสือกันทั้งวัน'],
  ])('is shortened however long it is (%s, %#)', async (language, text) => {
    const lines = [text.repeat(Math.ceil(40_001 / text.length))];
    const summary = await summaryOf({ title: 'T', language, lines }, 'short');
    expect(summary.text.length).toBeGreaterThan(20);
    expect(summary.text.length).toBeLessThan(600);
  });

  it('is cut in Thai at blanks', async () => {
    const thai = 'วันนี้ฝนตกหนักมากเราจึงอยู่บ้านและอ่านหนังสือกันทั้งวัน พรุ่งนี้อากาศจะดีขึ้นและเราจะไปตลาดเพื่อซื้อผลไม้และผักสด';
    const { summary } = await summarizeExtractive(`${thai} `.repeat(30), { language: 'th', maxWords: 40 });
    expect(summary.length).toBeGreaterThan(50);
    expect(summary.length).toBeLessThan(300);
  });
});

describe('captions without punctuation', () => {
  it('show where a sentence was cut, and never count the mark as a word', async () => {
    const segments = asCaptions(VIDEOS.repair.lines.join('\n')).map((text, i) => ({
      text,
      start: i * 3,
      duration: 3,
    }));
    const { summary } = await summarizeExtractive('', { language: 'en', maxWords: 90, segments });
    expect(summary.split(/\s+/).length).toBeLessThanOrEqual(90);
    for (const line of summary.split('\n')) expect(line).toMatch(/^(?:…|\p{Lu}).*(?:…|[.?!])$/u);
    expect(summary).not.toMatch(/\s…(?:\s|$)/);
  });
});

describe('summarizeExtractive and the summarizer', () => {
  it('choose the same sentences of the same text', async () => {
    const { text } = await summaryOf({ ...VIDEOS.german, title: '' });
    const { summary } = await summarizeExtractive(VIDEOS.german.lines.join('\n'), {
      language: 'de',
      maxWords: 180,
    });
    expect(summary.replace(/\s+/g, ' ')).toBe(text.replace(/\s+/g, ' '));
  });
});

describe('a transcript of many lines', () => {
  it('is read line by line, with a chance to give way between any two', async () => {
    let [reads, most] = [0, 0];
    const lines = Array.from({ length: 2_000 }, (_, i) => ({
      startMs: i * 1000,
      endMs: i * 1000 + 900,
      get text() {
        most = Math.max(most, ++reads);
        return `Name ${i % 700}: this is line ${i}, and it is a whole sentence.`;
      },
    }));
    const reading = await readTranscript(lines, 'en', () => {
      reads = 0;
      return undefined;
    });
    expect(reading.named).toBe(true);
    expect(reading.evidence.sentences).toHaveLength(2_000);
    expect(most).toBeLessThan(10);
  });

  it('has no more segments than a content may have, and all words', async () => {
    const text = 'A. '.repeat(600_000).trim();
    const { segments } = await contentOf({ title: 'Letters', language: 'en', lines: [text] });
    expect(segments.length).toBeLessThan(500_000);
    expect(segments.map((segment) => segment.text).join(' ')).toHaveLength(text.length);
  });
});
