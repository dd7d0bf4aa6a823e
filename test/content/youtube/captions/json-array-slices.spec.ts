import fc from 'fast-check';
import { parseArrayInSlices } from '../../../../lib/content/youtube/captions/parse-captions.js';

const itemsOf = (json: string): unknown[] => [...parseArrayInSlices(json, 'events', 'tStartMs')].flat();

describe('parseArrayInSlices', () => {
  it('gives what one JSON.parse gives, whatever the items hold', () => {
    const nasty = fc.constantFrom(',{"tStartMs":1}', '\\', '"', ']}', '[{', ', {\n"tStartMs"', 'plain');
    const inner = fc.record({ tStartMs: fc.nat(), text: nasty });
    const item = fc.record({ tStartMs: fc.nat(), text: nasty, more: fc.array(inner, { maxLength: 4 }) });
    const indent = fc.constantFrom(undefined, 2, '\t');
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 20 }), indent, (items, space) => {
        // Repeated until it takes several slices.
        const events = Array.from({ length: Math.ceil(4000 / items.length) }, () => items).flat();
        const json = JSON.stringify({ before: { events: [1] }, events, after: ['events'] }, undefined, space);
        expect(JSON.stringify(itemsOf(json))).toBe(JSON.stringify(events));
      }),
    );
  });

  it('parses piece by piece', () => {
    const events = Array.from({ length: 10_000 }, (_, i) => ({ tStartMs: i, text: 'words' }));
    const slices = [...parseArrayInSlices(JSON.stringify({ events }), 'events', 'tStartMs')];
    expect(slices.length).toBeGreaterThan(3);
    expect(slices.flat()).toEqual(events);
  });

  it('parses the rest in one go where a piece would be cut inside an item', () => {
    const more = Array.from({ length: 20_000 }, (_, i) => ({ tStartMs: i }));
    const events = [{ id: 1, more }, { tStartMs: 5 }];
    expect(itemsOf(JSON.stringify({ events }))).toEqual(events);
  });

  it('takes an empty array, and any first member', () => {
    expect(itemsOf('{"events":[]}')).toEqual([]);
    expect(itemsOf('{"x":1,"events" : [ {"id":1}, 2 ] }')).toEqual([{ id: 1 }, 2]);
  });
});
