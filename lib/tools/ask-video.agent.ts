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
import type { AskVideoDataDto } from './dto/ask-video-response.dto.js';

/** The tool `ask_video` for agents. */
export const ASK_VIDEO_AGENT: AgentForm = {
  description:
    'Answer a question from what is said in a YouTube video, with the seconds. Put follow-ups as questions that stand alone.',
  fields: {
    content_id: 'YouTube URL or video ID',
    question: '',
    output_language: 'Default: that of the question',
    output_schema: 'A JSON Schema as a string, for data in its form',
  },
  output: ['content', 'question', 'llm', 'warnings'],
  sizes: (data) => answerSizes(data as AskVideoDataDto),
  render: (data) => answerText(data as unknown as AskVideoDataDto),
};

const QUOTE_LENGTHS = [2_000, 600, 200];

function* answerSizes({ content, question, llm, warnings }: AskVideoDataDto): Generator<ResultSize> {
  const common = { content: defined(content), question, ...(warnings ? { warnings } : {}) };
  yield { structured: { ...common, llm: defined(llm) } };
  for (const length of QUOTE_LENGTHS) {
    const citations = llm.citations.map((one) => ({ ...one, quote: shorten(one.quote, length) }));
    const shown = defined({ ...llm, answer: shorten(llm.answer, 5 * length), citations });
    yield { structured: { ...common, llm: shown }, cut: 'The answer and its quotations were cut to fit.' };
  }
}

function answerText({ content, llm, warnings }: AskVideoDataDto): string {
  const { answer, outcome, answerable_probability, citations = [] } = llm;
  const sources = citations.map(
    ({ index, start_seconds, url, quote }) => `[${index}] ${clock(start_seconds * 1000)} ${url}\n${quote}`,
  );
  return paragraphs(
    `Answer from the video ${content.url} (${outcome}, probability ${answerable_probability}). ${QUOTED}`,
    quoted([content.title && inline(content.title), answer]),
    outputText(llm),
    sources.length > 0 ? `Said in the video:\n${quoted(sources)}` : '',
    warningLines(warnings),
  );
}
