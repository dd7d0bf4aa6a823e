import { cleanCaption, isNonSpeech } from '../../../lib/content/captions/clean-text.js';

describe('cleanText', () => {
  it.each([
    ['I&amp;#39;m &amp;amp; you', "I'm & you"],
    ['<i>soft</i> <font color="#fff">white</font><br/>', 'soft white'],
    ['<c.yellow>one</c><00:00:01.200><c> two</c>', 'one two'],
    ['1 < 2 and <div> is a tag', '1 < 2 and <div> is a tag'],
    ['cafe\u0301  au\u00a0lait\u200b\n', 'café au lait'],
    ['AT&T &unknown; &copy', 'AT&T &unknown; &copy'],
  ])('makes %j plain', (raw, clean) => expect(cleanCaption(raw)).toBe(clean));
});

describe('isNonSpeech', () => {
  it.each([
    '[Music]',
    '[Applause] [Music]',
    '[Música]',
    '[Aplausos]',
    '[Applaus]',
    '[Musica]',
    '[Applaudissements]',
    '(laughs)',
    '(RISOS)',
    '*Gelächter*',
    '♪ ♪',
    '>> [Laughter]',
    '- [door slams]',
  ])('takes %j for a sound', (text) => expect(isNonSpeech(text)).toBe(true));

  it.each([
    'Music is my life',
    '[Music] and then he said',
    '(as I said before)',
    '♪ hello darkness ♪',
    '*really*',
    'what the [ __ ]',
    '',
  ])('takes %j for words', (text) => expect(isNonSpeech(text)).toBe(false));
});
