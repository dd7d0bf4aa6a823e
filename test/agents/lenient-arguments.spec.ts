import fc from 'fast-check';
import { lenientArguments, fieldsOf, plainSchema, strictSchema } from '../../lib/agents/tool-arguments.js';
import { SEARCH_WEB } from '../../lib/tools/search-web.js';
import { GET_TRANSCRIPT } from '../../lib/tools/get-transcript.js';
import { SUMMARIZE_CONTENT } from '../../lib/tools/summarize-content.js';

const SEARCH = fieldsOf(SEARCH_WEB.request);
const read = (args: unknown) => lenientArguments(args, SEARCH);

describe('the arguments of a model', () => {
  it.each([
    [
      { query: 'x', top_n: '5' },
      { query: 'x', top_n: 5 },
    ],
    [
      { query: 'x', top_n: ' 5.0 ' },
      { query: 'x', top_n: 5 },
    ],
    [
      { query: 'x', llm_answer: 'True' },
      { query: 'x', llm_answer: true },
    ],
    [
      { query: 'x', llm_answer: 'false' },
      { query: 'x', llm_answer: false },
    ],
    [{ query: 'x', top_n: null, language: undefined }, { query: 'x' }],
    [{ query: 1984 }, { query: '1984' }],
    [
      { query: 'x', language: ' EN ' },
      { query: 'x', language: 'en' },
    ],
    [{ include_domains: 'a.example, b.example' }, { include_domains: ['a.example', 'b.example'] }],
    [{ include_domains: '["a.example"]' }, { include_domains: ['a.example'] }],
    [{ include_domains: '' }, { include_domains: [] }],
  ])('%j are read as %j', (given, input) => {
    expect(read(given)).toEqual({ input, notes: [] });
  });

  it.each([
    [{ top_n: 'five' }],
    [{ top_n: '1e3' }],
    [{ top_n: 2.5 }],
    [{ llm_answer: 'yes' }],
    [{ query: { text: 'x' } }],
    [{ language: 'Klingon' }],
  ])('%j are left to the validation of the request', (given) => {
    expect(read(given)).toEqual({ input: given, notes: [] });
  });

  it('names what it ignores, with the nearest known name', () => {
    const { input, notes } = read({ query: 'x', topn: 3, toolCallId: 'abc', __proto__: { a: 1 } });
    expect(input).toEqual({ query: 'x' });
    expect(notes).toEqual(['Unknown arguments were ignored: "topn" (did you mean top_n?), "toolCallId".']);
  });

  it('names at most five of them', () => {
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`argument${i}${'x'.repeat(100)}`, i]),
    );
    expect(read(many).notes[0]!.length).toBeLessThan(400);
    expect(read(many).notes[0]).toMatch(/ and 195 more\.$/);
  });

  it.each([[undefined], [null], ['text'], [5], [[{ query: 'x' }]]])('%j are no arguments', (given) => {
    expect(read(given)).toEqual({ input: {}, notes: [] });
  });

  it('have numbers as text in fields of whole and of broken numbers', () => {
    const { request } = GET_TRANSCRIPT;
    const given = { content_id: 'x', from_seconds: '5', to_seconds: ' 7.5 ', max_tokens: '300' };
    expect(lenientArguments(given, fieldsOf(request))).toEqual({
      input: { content_id: 'x', from_seconds: 5, to_seconds: 7.5, max_tokens: 300 },
      notes: [],
    });
  });

  it('accepts fields that a model does not see', () => {
    const { request } = SUMMARIZE_CONTENT;
    const given = { content_id: 'x', source_type: 'youtube' };
    expect(lenientArguments(given, fieldsOf(request))).toEqual({ input: given, notes: [] });
  });

  it('never throw', () => {
    fc.assert(fc.property(fc.anything(), (given) => void read(given)));
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...SEARCH.map(({ name }) => name)), fc.anything()),
        (given) => void read(given),
      ),
    );
  });
});

describe('schemas for models', () => {
  it('keep the constraints of the request in the plain form', () => {
    expect(plainSchema(SEARCH)).toEqual({
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, maxLength: 400 },
        top_n: { type: 'integer', minimum: 1, maximum: 20, default: 5, description: 'Number of results' },
        llm_answer: { type: 'boolean', default: false, description: 'true: an answer instead of results' },
        language: { type: 'string', enum: ['en', 'pt', 'es', 'it', 'de', 'fr'], description: 'Of the pages' },
        freshness: {
          type: 'string',
          enum: ['day', 'week', 'month', 'year'],
          description: 'Published within',
        },
        include_domains: { type: 'array', items: { type: 'string' }, maxItems: 20 },
        exclude_domains: { type: 'array', items: { type: 'string' }, maxItems: 20 },
        output_schema: {
          type: 'string',
          description: 'With llm_answer: JSON Schema of wanted data, as string',
        },
      },
      required: ['query'],
    });
  });

  it('say the constraints in words in the strict form, where every field is required and may be null', () => {
    const strict = strictSchema(SEARCH) as { properties: Record<string, object>; required: string[] };
    expect(strict).toMatchObject({ type: 'object', additionalProperties: false });
    expect(strict.required).toEqual(Object.keys(strict.properties));
    expect(strict.properties).toMatchObject({
      query: { type: 'string', description: 'at most 400 characters' },
      top_n: { type: ['integer', 'null'], description: 'Number of results. 1 to 20, null: 5' },
      freshness: { type: ['string', 'null'], enum: ['day', 'week', 'month', 'year', null] },
      include_domains: { type: ['array', 'null'], items: { type: 'string' }, description: 'at most 20' },
    });
    expect(JSON.stringify(strict)).not.toMatch(/"(minimum|maximum|minLength|maxLength|maxItems|default)":/);
  });
});
