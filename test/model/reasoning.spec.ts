import fc from 'fast-check';
import { ReasoningFilter } from '../../lib/model/reasoning.js';

/** What a listener ends up with, and how often it was told to begin anew. */
function read(pieces: readonly string[]) {
  let streamed = '';
  let restarts = 0;
  const own = new ReasoningFilter({
    onText: (delta) => (streamed += delta),
    onRestart: () => {
      streamed = '';
      restarts++;
    },
  });
  for (const piece of pieces) own.push(piece);
  own.end();
  return { text: own.text, streamed: streamed.trimEnd(), restarts };
}

const ANSWER =
  'The harbour was rebuilt in 1999.\n\nKEY POINTS\n- [61] It cost 25 million. "spent twenty five"';
const THOUGHT =
  'Okay, the user wants a summary.\nKEY POINTS\n- [3] a draft\n\nLet me write {"claim": "x"} now.';

/** Each with the answer alone as what is left. */
const SHAPES: [name: string, output: string][] = [
  ['nothing but the answer', ANSWER],
  ['a closed block', `<think>\n${THOUGHT}\n</think>\n\n${ANSWER}`],
  ['an empty block', `<think>\n\n</think>\n\n${ANSWER}`],
  ['a block without line breaks', `<think>${THOUGHT}</think>${ANSWER}`],
  ['a block in capitals', `<THINK>${THOUGHT}</THINK>\n${ANSWER}`],
  ['two blocks', `<think>${THOUGHT}</think>\n<think>again</think>\n${ANSWER}`],
  ['a tag inside of the block', `<think>${THOUGHT}\n<think>deeper ${THOUGHT}</think>\n${ANSWER}`],
  ['the tag <thinking>', `<thinking>${THOUGHT}</thinking>${ANSWER}`],
  ['the tag <thought>', `<thought>\n${THOUGHT}\n</thought>\n${ANSWER}`],
  ['the tag <reasoning>', `<reasoning>${THOUGHT}</reasoning>\n${ANSWER}`],
  ['the tag <mm:think>', `<mm:think>${THOUGHT}</mm:think>\n${ANSWER}`],
  ['the tag <seed:think>', `<seed:think>${THOUGHT}</seed:think>${ANSWER}`],
  ['the brackets of Magistral', `[THINK]${THOUGHT}[/THINK]${ANSWER}`],
];
const UNOPENED: [name: string, output: string][] = [
  ['on a line of its own', `${THOUGHT}\n</think>\n\n${ANSWER}`],
  ['between the words', `${THOUGHT}</think>${ANSWER}`],
  ['after a quotation', `I would say "The harbour."</think>${ANSWER}`],
  ['of Magistral', `${THOUGHT}[/THINK]${ANSWER}`],
];

describe('ReasoningFilter', () => {
  it.each(SHAPES)('finds the answer in %s', (_name, output) => {
    expect(read([output])).toMatchObject({ text: ANSWER, streamed: ANSWER, restarts: 0 });
    expect(read([...output])).toMatchObject({ text: ANSWER, streamed: ANSWER, restarts: 0 });
  });

  const JSON_ANSWER = JSON.stringify({ answer: 'A reef grows. [1]', quotes: [] });
  const TURN = '<|start_header_id|>user<|end_header_id|>\n\nThank you! {"answer": "It is 5 km long. [1]"}';

  it.each([
    ['prose', 'A reef grows about one centimetre a year. [1]', '<|eot_id|>', TURN],
    ['an object', JSON_ANSWER, '<|eot_id|>', TURN],
    [
      'an object in a fence that is not closed',
      `\`\`\`json\n${JSON_ANSWER}`,
      '\n<|im_end|>',
      '\n<|im_start|>user\nThanks',
    ],
    ['an object and a blank', JSON_ANSWER, ' <|end|>', '<|user|>And now?'],
    ['prose on a line of its own', 'A reef grows. [1]', '\n<end_of_turn>', '\n<start_of_turn>user\nThanks'],
    ['prose without an end', 'A reef grows', '<|endoftext|>', 'Human: Thanks'],
    ['prose of Mistral', 'A reef grows. [1]', '</s>', '[INST] Thanks [/INST]'],
    ['prose of DeepSeek', 'A reef grows. [1]', '<｜end▁of▁sentence｜>', 'Thanks'],
    ['half an object', '{"answer": "A reef grows. [1]', '<|im_end|>', '\n<|im_start|>user\nThanks'],
  ])('ends %s where a token ends the turn', (_what, answer, token, more) => {
    for (const pieces of [[answer + token + more], [...(answer + token + more)]])
      expect(read(pieces)).toMatchObject({ text: answer, streamed: answer, restarts: 0 });
    expect(read([answer + token]).text).toBe(answer);
  });

  it.each([
    'The token <|im_end|> ends a turn. [1]',
    'Llama ends a turn with `<|eot_id|>`, Qwen with "<|im_end|>". [1]',
    '{"answer": "The token <|im_end|> ends a turn, \\"<|eot_id|>\\" too. [1]", "quotes": []}',
    'They are:\n```\n<|im_start|>\n<|im_end|>\n```\nBoth are one token.',
    'The price was <s>80 euros</s>, now it is 70 euros. [1]',
  ])('keeps a text about such tokens: %j', (answer) => {
    expect(read([answer]).text).toBe(answer);
    expect(read([...answer]).text).toBe(answer);
  });

  it.each(UNOPENED)('drops what stands before a closing tag that was never opened, %s', (_name, output) => {
    for (const pieces of [[output], [...output]]) {
      expect(read(pieces)).toMatchObject({ text: ANSWER, streamed: ANSWER });
    }
    expect(read([...output]).restarts).toBe(1);
  });

  it.each([
    ['<think>', `<think>\n${THOUGHT}\n${ANSWER}`],
    ['[THINK]', `[THINK]${THOUGHT}`],
  ])('is empty where %s is never closed', (_name, output) => {
    expect(read([output]).text).toBe('');
    expect(read([...output]).streamed).toBe('');
  });

  it.each([
    'A model writes its reasoning between <think> and </think>, says the speaker.',
    'The tag `</think>` ends it.',
    'The talk compares a < b with [b] and <b>bold</b> marks, [Music] and [INTRO].',
    'analysis of the data shows nothing.',
    'Analysis and synthesis are compared.',
    'a',
    'A fold.\n<details>\n<summary>More</summary>\nIt rains.\n</details>\n```\ncode\n```\nThe end.',
    '```json\n{"t": 1}\n```',
    'It shows a block:\n```thinking\nstep by step\n```\nThe end.',
    'It shows a tag.\n<details type="reasoning">\nhides text.\n</details>\nThe end.',
    '{"points":[{"t":1,"claim":"List<Thought> is a type","quote":"x <y"}]}',
  ])('leaves “%s” as it is', (output) => {
    expect(read([output]).text).toBe(output);
    expect(read([...output]).streamed).toBe(output);
  });

  it('does not depend on how the output is cut', () => {
    const outputs = [...SHAPES, ...UNOPENED].map(([, output]) => output);
    fc.assert(
      fc.property(
        fc.constantFrom(...outputs),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        (output, sizes) => {
          const pieces: string[] = [];
          for (let at = 0, i = 0; at < output.length; i++) {
            const size = sizes[i % sizes.length]!;
            pieces.push(output.slice(at, at + size));
            at += size;
          }
          expect(read(pieces)).toMatchObject({ text: ANSWER, streamed: ANSWER });
        },
      ),
    );
  });

  it('takes anything, and gives the listener what it keeps', () => {
    const odd = fc.constantFrom('<', '[', '<think>', '</think>', '[/THINK]', 'a', '\n', '`', 'x ');
    fc.assert(
      fc.property(fc.array(odd), (pieces) => {
        const { text, streamed } = read(pieces);
        expect(streamed).toBe(text);
        expect(text).not.toMatch(/^<think>/);
      }),
    );
  });
});
