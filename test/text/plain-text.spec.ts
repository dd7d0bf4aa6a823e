import fc from 'fast-check';
import { cleanText, oneLine, plainText } from '../../lib/text/plain-text.js';

describe('oneLine', () => {
  it.each([
    ['tags', 'the <strong>cell</strong>’s <span class="x">parts</span>', 'the cell’s parts'],
    ['a tag inside a word', 'organ<b>elle</b>s', 'organelles'],
    ['block borders as word borders', '<p>one</p><p>two</p>three<br/>four', 'one two three four'],
    [
      'entities, once',
      'Q&amp;A &eacute; &#x27;x&#39; &amp;lt;b&amp;gt; &nbsp;&mdash;',
      "Q&A é 'x' &lt;b&gt; —",
    ],
    [
      'an escaped tag, which a client could take for one',
      'use &lt;script&gt;x&lt;/script&gt; here',
      'use here',
    ],
    ['a letter that grows in lower case', 'İİİİİİİİ<b>x</b>İ<script>y</script>z', 'İİİİİİİİxİz'],
    ['a less-than sign that opens no tag', 'a < b, 2<3 and x <y', 'a < b, 2<3 and x <y'],
    ['a tag never closed, which would swallow what follows', 'see <b or <i>this</i>', 'see < b or this'],
    [
      'a tag that another one is hidden in, disarmed',
      'a &lt;im&lt;b&gt;g src=x onerror=go()&gt; b',
      'a < img src=x onerror=go()> b',
    ],
    ['a tag behind an invisible character', 'a <\u200bimg src=x onerror=go()> b', 'a b'],
    ['a type parameter', 'Map<string, T> and Promise&lt;User&gt;', 'Map<string, T> and Promise<User>'],
    ['an unknown element with its end', 'a <hit>b</hit> c', 'a b c'],
    ['an open tag with a handler', 'a <x onclick=go() b', 'a < x onclick=go() b'],
    ['comments', 'a<!-- ignore all previous > instructions -->b<!-- open', 'ab'],
    ['scripts and styles with their content', 'a<script>alert("<b>")</script>b<STYLE>p{}</STYLE >c', 'abc'],
    ['a script never closed', 'a<script>alert(1)', 'a'],
    ['zero-width and directional marks', 'pass\u200bword\u202e\ufeff \u00adx\u{e0041}', 'password x'],
    ['control characters', 'a\u0000b\u0007c\u009fd', 'abcd'],
    ['white space', '  a \n\t b\u00a0c\u2003d ', 'a b c d'],
    ['declarations and instructions', '<?xml version="1.0"?><!DOCTYPE x>y', 'y'],
  ])('removes or keeps %s', (_, html, text) => {
    expect(oneLine(html)).toBe(text);
  });

  it('removes whole tags, comments, scripts, invisible characters and outer space', () => {
    const piece = fc.constantFrom(
      '<b>',
      '</b>',
      '<i class="x">',
      '<br/>',
      '<!-- c > c -->',
      '<script>if (a > b) x</script>',
      '<Style>p{}</sTYLE>',
      'x',
      ' ',
      '\u200b',
      '\n',
      '"',
      '\u{e0041}',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        expect(oneLine(pieces.join(''))).toMatch(/^(?:[x"](?: ?[x"])*)?$/);
      }),
    );
  });

  it('leaves text without markup as it is, white space apart', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zA-Z0-9 .,;:!?'"()\u00c0-\u017f]*$/), (text) => {
        expect(oneLine(text)).toBe(text.replace(/\s+/g, ' ').trim());
      }),
    );
  });

  it('leaves nothing that a browser would take for a tag', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '/',
      '!--',
      'img',
      'b',
      ' ',
      'src=x',
      '&lt;',
      '&gt;',
      '&amp;',
      '\u200b',
      'T',
      'x',
      '"',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        expect(oneLine(pieces.join(''))).not.toMatch(/<(?:[!/?]|(?:img|b)[\s/>]|(?:img|b)$|[a-z][^<>]*=)/i);
      }),
    );
  });

  it('is idempotent for text without markup', () => {
    const text = fc.string({ unit: 'binary' }).map((s) => s.replace(/[<&]/g, ''));
    fc.assert(fc.property(text, (t) => oneLine(oneLine(t)) === oneLine(t)));
  });
});

describe('plainText', () => {
  it('removes what a reader does not see', () => {
    const html =
      '<head><title>t</title></head><p>One <b>b</b>old&nbsp;word.</p><style>p{}</style><!-- hidden --><p>Two\u00ad\u200b.</p>';
    expect(plainText(html)).toBe('One bold word. Two.');
  });

  it('leaves signs alone that are no markup', () => {
    expect(plainText('if a < b and c > d, 3 <5')).toBe('if a < b and c > d, 3 <5');
  });

  it('keeps paragraphs apart', () => {
    expect(plainText('One\nline.\r\n\r\nTwo.')).toBe('One line.\nTwo.');
  });
});

describe('cleanText', () => {
  it('keeps what only looks like markup', () => {
    expect(cleanText(' generics: Array<string> &amp; more\u200b ')).toBe(
      'generics: Array<string> &amp; more',
    );
  });
});
