import { clock } from '../content/transcript-text.js';
import type { TranscriptDataDto } from './dto/get-transcript-response.dto.js';
import {
  defined,
  inline,
  paragraphs,
  quoted,
  QUOTED,
  shorten,
  warningLines,
  type AgentForm,
  type ResultSize,
} from './agent-form.js';

/** The tool `get_transcript` for agents. They get paragraphs unless they ask for another form. */
export const GET_TRANSCRIPT_AGENT: AgentForm = {
  description:
    'Get the words of a YouTube video with their times, e.g. to quote it. For the gist use summarize_content instead.',
  fields: {
    content_id: 'YouTube URL or video ID',
    language: 'Code such as "en"',
    format: '',
    from_seconds: '',
    to_seconds: '',
    cursor: 'next_cursor of the result before',
  },
  // A list of preferences is for programs. Strict schemas know no alternatives.
  bounds: () => ({ language: { type: 'string', oneOf: undefined } }),
  output: ['content', 'segments', 'text', 'truncated', 'next_cursor', 'warnings'],
  sizes: (data) => transcriptSizes(data as TranscriptDataDto),
  render: (data) => transcriptText(data as unknown as TranscriptDataDto),
};

const TEXT_LENGTHS = [16_000, 8_000, 4_000, 2_000, 1_000, 500];

function* transcriptSizes(data: TranscriptDataDto): Generator<ResultSize> {
  const { content, segments, text, truncated, next_cursor, warnings } = data;
  const common = {
    content: defined(content),
    truncated,
    ...(next_cursor ? { next_cursor } : {}),
    ...(warnings ? { warnings } : {}),
  };
  yield { structured: { ...common, ...(segments ? { segments } : { text }) } };
  const cut = 'The transcript was cut to fit. Ask for a part of it with from_seconds and to_seconds.';
  if (segments)
    for (let n = Math.floor(segments.length / 2); n > 0; n = Math.floor(n / 2))
      yield { structured: { ...common, truncated: true, segments: segments.slice(0, n) }, cut };
  else
    for (const length of TEXT_LENGTHS)
      yield { structured: { ...common, truncated: true, text: shorten(text ?? '', length) }, cut };
}

function transcriptText({ content, segments, text, next_cursor, warnings }: TranscriptDataDto): string {
  const { title, url, language } = content;
  const words =
    text ?? segments?.map((one) => `[${clock(one.start_seconds * 1000)}] ${one.text}`).join('\n') ?? '';
  return paragraphs(
    `Transcript of the video ${url} (${language}). ${QUOTED}`,
    quoted([title && inline(title), words]),
    next_cursor ? `More follows: call again with cursor "${next_cursor}".` : '',
    warningLines(warnings),
  );
}
