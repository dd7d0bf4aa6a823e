import { parseRequest } from '../../lib/tools/request-fields.js';
import { SUMMARIZE_CONTENT } from '../../lib/tools/summarize-content.js';

const messagesAbout = (body: object): string[] => {
  try {
    parseRequest(SUMMARIZE_CONTENT, { content_id: 'sampleTalk1', ...body });
  } catch (error) {
    return (error as { messages: string[] }).messages;
  }
  return [];
};

describe('a request with a wrong value', () => {
  const languages = 'output_language must be one of en, pt, es, it, de, fr';
  it.each<[object, string]>([
    [{ output_language: 'English' }, `${languages}, received the string "English"`],
    [{ output_language: null }, `${languages}, received null; leave the field out instead of sending null`],
    [{ output_language: 5 }, `${languages}, received the number 5`],
    [{ output_language: 'x'.repeat(100_000) }, `${languages}, received the string "${'x'.repeat(80)}"`],
    [{ source_type: 'vimeo' }, 'source_type must be "youtube", received the string "vimeo"'],
    [
      { method: 'fast' },
      'method must be one of auto, simple, recursive, multi_modal, received the string "fast"',
    ],
  ])('%j is told what came and what is accepted', (body, message) => {
    expect(messagesAbout(body)).toEqual([message]);
  });
});
