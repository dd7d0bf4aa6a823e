import { Logger } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  ContentNotFoundError,
  InvalidContentIdError,
  memoryTranscripts,
  SummarizerService,
  ToolsModule,
  TranscriptService,
  type Content,
  type ContentSource,
  type OrText,
  type ToolsModuleOptions,
  type TranscriptProvider,
  type VideoTranscript,
} from '../../lib/index.js';
import { ContentUnavailableError } from '../../lib/core/errors.js';

const TEXT =
  'Coral reefs are built by tiny animals called polyps. They need clear and warm water to grow well.';

/** Podcasts, told apart by their number of three digits. */
class Podcasts implements ContentSource {
  readonly asked: string[] = [];
  constructor(
    readonly sourceType = 'youtube',
    private readonly held: Record<string, Error | string> = {},
    private readonly accepts = /^\d{3}$/,
  ) {}

  identify(contentId: string): string {
    if (this.accepts.test(contentId)) return contentId;
    throw new InvalidContentIdError('a podcast number of three digits');
  }

  load(id: string): Promise<Content> {
    this.asked.push(id);
    const held = this.held[id] ?? new ContentNotFoundError('No such podcast.');
    if (held instanceof Error) return Promise.reject(held);
    return Promise.resolve({
      id,
      url: this.urlAt(id),
      title: 'A podcast',
      language: 'en',
      captions: 'manual',
      chapters: [],
      segments: [{ startMs: 0, endMs: 9000, text: held }],
      provider: 'podcasts',
    });
  }

  urlAt(id: string): string {
    return `https://podcasts.example/${id}`;
  }
}

const logged: string[] = [];
const logger = {
  log: (line: unknown) => void logged.push(String(line)),
  warn: () => undefined,
  error: () => undefined,
};

async function serviceWith(...contentSources: ContentSource[]): Promise<SummarizerService> {
  logged.length = 0;
  const module = await Test.createTestingModule({
    imports: [
      ToolsModule.forRoot({
        apiKeys: ['k'],
        contentSources,
        youtube: {
          transcripts: [memoryTranscripts({ dQw4w9WgXcQ: { title: 'A video', language: 'en', text: TEXT } })],
        },
      }),
    ],
  })
    .setLogger(logger)
    .compile();
  return module.get(SummarizerService);
}

describe('content sources of the host', () => {
  afterAll(() => Logger.overrideLogger(false));

  it('are asked before YouTube, which still has its videos', async () => {
    const service = await serviceWith(new Podcasts('youtube', { '123': TEXT }));
    const podcast = await service.summarize({ contentId: '123' });
    expect(podcast.content).toMatchObject({ title: 'A podcast', url: 'https://podcasts.example/123' });
    expect(podcast.keyPoints.every(({ url }) => url === 'https://podcasts.example/123')).toBe(true);
    const video = await service.summarize({ contentId: 'https://youtu.be/dQw4w9WgXcQ' });
    expect(video.content.title).toBe('A video');
  });

  it('hand an id that both accept on to YouTube when they do not have it', async () => {
    const podcasts = new Podcasts('youtube', {}, /./);
    const service = await serviceWith(podcasts);
    expect((await service.summarize({ contentId: 'dQw4w9WgXcQ' })).content.title).toBe('A video');
    expect(podcasts.asked).toEqual(['dQw4w9WgXcQ']);
  });

  it('keep any other failure to themselves', async () => {
    const held = { dQw4w9WgXcQ: new ContentUnavailableError('private', 'It is private.') };
    const service = await serviceWith(new Podcasts('youtube', held, /./));
    await expect(service.summarize({ contentId: 'dQw4w9WgXcQ' })).rejects.toMatchObject({
      code: 'content_unavailable',
    });
  });

  it('are named with YouTube where nobody accepts the id', async () => {
    const service = await serviceWith(new Podcasts());
    await expect(service.summarize({ contentId: 'no such thing' })).rejects.toMatchObject({
      code: 'invalid_content_id',
      messages: [expect.stringMatching(/^content_id must be a podcast number of three digits, or .*YouTube/)],
    });
  });

  it('of another type are reached by the service alone, and the start says so', async () => {
    const service = await serviceWith(new Podcasts('podcast', { '123': TEXT }), new Podcasts('podcast'));
    expect((await service.summarize({ sourceType: 'podcast', contentId: '123' })).content.id).toBe('123');
    await expect(service.summarize({ sourceType: 'radio', contentId: '1' })).rejects.toMatchObject({
      messages: ['source_type must be one of podcast, youtube'],
    });
    expect(logged).toContain(
      'Content sources for SummarizerService only: podcast. Over HTTP source_type is always youtube.',
    );
  });

  const ROLLING = [
    [0, 2500, 'corals are animals'],
    [2500, 2510, 'corals are animals'],
    [2510, 5000, 'corals are animals\nand they build reefs'],
    [5000, 7500, 'and they build reefs\nin warm water'],
  ] as const;
  const clock = (ms: number): string => `00:00:${(ms / 1000).toFixed(3).padStart(6, '0')}`;
  const FILE = `WEBVTT\n\n${ROLLING.map(([startMs, endMs, text]) => `${clock(startMs)} --> ${clock(endMs)}\n${text}\n`).join('\n')}`;
  const RIGHT = [
    { startSeconds: 0, text: 'corals are animals' },
    { startSeconds: 2.51, text: 'and they build reefs' },
    { startSeconds: 5, text: 'in warm water' },
  ];
  const words = {
    segments: ROLLING.map(([startMs, endMs, text]) => ({ startMs, endMs, text })),
    text: FILE,
  };
  const about = { language: 'en_eEY6OEpapPo', captions: 'automatic' as const, chapters: [] };

  async function transcriptOf(options: Pick<ToolsModuleOptions, 'youtube' | 'contentSources'>) {
    const module = await Test.createTestingModule({
      imports: [ToolsModule.forRoot({ apiKeys: ['k'], transcript: true, search: false, ...options })],
    })
      .setLogger(logger)
      .compile();
    return module.get(TranscriptService).get({ contentId: 'dQw4w9WgXcQ' });
  }

  it.each(['segments', 'text'] as const)('give captions that roll up as %s', async (member) => {
    const source: ContentSource<OrText<Content>> = {
      sourceType: 'youtube',
      identify: (id) => id,
      load: (id) =>
        Promise.resolve({
          ...about,
          id,
          url: 'https://a.example',
          provider: 'a',
          [member]: words[member],
        } as never),
      urlAt: () => 'https://a.example',
    };
    const { segments, content } = await transcriptOf({ contentSources: [source] });
    expect(segments).toMatchObject(RIGHT);
    expect(content.language).toBe('en');
  });

  it.each(['segments', 'text'] as const)(
    'are providers that give captions that roll up as %s',
    async (member) => {
      const provider: TranscriptProvider<OrText<VideoTranscript>> = {
        name: 'archive',
        fetchTranscript: () => Promise.resolve({ ...about, [member]: words[member] } as never),
      };
      const { segments } = await transcriptOf({ youtube: { transcripts: [provider] } });
      expect(segments).toMatchObject(RIGHT);
    },
  );

  it.each(['segments', 'text'] as const)('are transcripts in memory that roll up as %s', async (member) => {
    const transcripts = [memoryTranscripts({ dQw4w9WgXcQ: { language: 'en', [member]: words[member] } })];
    const { segments, content } = await transcriptOf({ youtube: { transcripts } });
    expect(segments).toMatchObject(RIGHT);
    expect(content.durationMs).toBe(7500);
  });

  it('give words without times, which are estimated', async () => {
    const source: ContentSource<OrText<Content>> = {
      sourceType: 'youtube',
      identify: (id) => id,
      load: (id) => Promise.resolve({ ...about, id, url: 'https://a.example', provider: 'a', text: TEXT }),
      urlAt: () => 'https://a.example',
    };
    const { segments } = await transcriptOf({ contentSources: [source] });
    expect(segments).toMatchObject([
      { startSeconds: 0, endSeconds: 3.6 },
      { startSeconds: 3.6, text: 'They need clear and warm water to grow well.' },
    ]);
  });

  it('are told what they must give', async () => {
    const source = {
      sourceType: 'youtube',
      identify: (id: string) => id,
      load: (id: string) => Promise.resolve({ ...about, id, url: 'https://a.example', provider: 'a' }),
      urlAt: () => 'https://a.example',
    };
    await expect(transcriptOf({ contentSources: [source as never] })).rejects.toMatchObject({
      code: 'upstream_invalid',
    });
  });
});
