import { clock } from '../content/transcript-text.js';
import {
  defined,
  inline,
  outputText,
  paragraphs,
  quoted,
  QUOTED,
  shorten,
  warningLines,
  type AgentForm,
  type ResultSize,
} from './agent-form.js';
import type { KeyPointDto, SectionDto, SummaryDataDto } from './dto/summarize-content-response.dto.js';

const SUMMARY_LENGTHS = [8000, 4000, 2000, 1000, 500];

/** The tool `summarize_content` for agents. */
export const SUMMARIZE_CONTENT_AGENT: AgentForm = {
  description: 'Summarize a YouTube video from its captions, with key points and links to their times.',
  fields: {
    content_id: 'YouTube URL or video ID',
    output_language: '',
    length: '',
    method: '',
    focus: 'What the reader wants to know',
    output_schema: 'A JSON Schema as a string, for data in its form',
  },
  output: [
    'method',
    'summary',
    'content',
    'output_language',
    'output',
    'output_complete',
    'output_grounding',
    'key_points',
    'sections',
    'warnings',
  ],
  sizes: (data) => summarySizes(data as SummaryDataDto),
  render: (data) => summaryText(data as unknown as ShownSummary),
};

type ShownSummary = Pick<
  SummaryDataDto,
  'summary' | 'content' | 'warnings' | 'output_language' | 'output' | 'output_complete' | 'output_grounding'
> & {
  key_points?: KeyPointDto[];
  sections?: Partial<SectionDto>[];
};

function* summarySizes(data: SummaryDataDto): Generator<ResultSize> {
  const { method, summary, content, output_language, key_points, sections, warnings } = data;
  const { output, output_complete, output_grounding } = data;
  const common = {
    method,
    summary,
    content: defined(content),
    output_language,
    ...(output ? { output, output_complete, output_grounding } : {}),
    ...(warnings ? { warnings } : {}),
  };
  const points = key_points.map(({ text, start_seconds, url }) => ({ text, start_seconds, url }));
  const parts = sections.map(({ title, start_seconds, summary: about }) => ({
    title,
    start_seconds,
    summary: about,
  }));
  yield { structured: { ...common, key_points: points, sections: parts } };
  const titles = parts.map(({ title, start_seconds }) => ({ title, start_seconds }));
  yield {
    structured: { ...common, key_points: points, sections: titles },
    cut: 'The summaries of the sections were left out to fit.',
  };
  yield { structured: { ...common, key_points: points }, cut: 'The sections were left out to fit.' };
  for (let n = Math.floor(points.length / 2); n > 0; n = Math.floor(n / 2)) {
    const cut = `The sections and ${points.length - n} of ${points.length} key points were left out to fit.`;
    yield { structured: { ...common, key_points: points.slice(0, n) }, cut };
  }
  for (const length of SUMMARY_LENGTHS) {
    const cut = 'The summary was shortened, and sections and key points were left out, to fit.';
    yield { structured: { ...common, summary: shorten(summary, length) }, cut };
  }
}

function summaryText(shown: ShownSummary): string {
  const { summary, content, key_points, sections, warnings, output, output_complete } = shown;
  const { title, channel, duration_seconds, language, url } = content;
  const about = [
    duration_seconds === undefined ? undefined : clock(1000 * duration_seconds),
    `captions in ${language}`,
  ].filter(Boolean);
  const name = [title, channel].flatMap((text) => (text ? [inline(text)] : [])).join(', ');
  const points = key_points?.map(
    (point) => `- [${clock(1000 * point.start_seconds)}](${point.url}) ${inlinePoint(point.text)}`,
  );
  const parts = sections?.map(
    ({ title: part, start_seconds, summary: words }) =>
      `- ${clock(1000 * start_seconds!)} ${inline(part!)}${words ? `: ${inlinePoint(words)}` : ''}`,
  );
  return paragraphs(
    `Summary of the video ${url} (${about.join(', ')}). ${QUOTED}`,
    name && quoted([name]),
    quoted([summary]),
    outputText({ output, output_complete, grounding: shown.output_grounding }),
    points?.length ? `Key points:\n${quoted(points)}` : '',
    parts?.length ? `Sections:\n${quoted(parts)}` : '',
    warningLines(warnings),
  );
}

const inlinePoint = (text: string): string => text.replace(/\s+/g, ' ').trim();
