import { createDelimiter } from '../../lib/model/call.js';

describe('createDelimiter', () => {
  it('wraps without interpreting and has a tag that no text contains', () => {
    const { tag, wrap } = createDelimiter(['material-0000000000']);
    expect(tag).toMatch(/^material-[0-9a-f]{10}$/);
    expect(wrap('$& $1')).toBe(`<${tag}>\n$& $1\n</${tag}>`);
  });

  it('is the same for the same material, and another for other', () => {
    const tags = [['a', 'b'], ['a', 'b'], ['ab'], ['a', 'c']].map(
      (material) => createDelimiter(material).tag,
    );
    expect(tags[1]).toBe(tags[0]);
    expect(new Set(tags).size).toBe(3);
  });
});
