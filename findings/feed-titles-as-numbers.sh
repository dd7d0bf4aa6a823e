#!/usr/bin/env bash
# Behaviour  Titles that look like numbers are rewritten: "007" becomes "7", "1e3" becomes "1000".
# Package    @extractus/feed-extractor 8.0.3; right: rss-parser 3.13.0, feedsmith 3.0.1
# Source     esm/src/utils/xmlparser.js makes a parser of fast-xml-parser without turning off its conversion of texts to numbers; titles
#            become strings again afterwards.
# Met by     Readers of feeds of films, records, parts, releases ("1.10" is "1.1"), years and codes.
# Do         Pass xmlParserOptions: { parseTagValue: false }, which keeps all of them (run here).
# Date       2026-11-27
source "$(dirname "$0")/lib/setup.sh"
install @extractus/feed-extractor@8.0.3 rss-parser@3.13.0
check <<'JS'
import { extractFromXml } from '@extractus/feed-extractor';
import Parser from 'rss-parser';
import { finding } from './finding.mjs';

const titles = ['007', '1e3', '1.10', 'Part 007'];
const items = titles.map((title, i) => `<item><title>${title}</title><link>https://example.org/${i}</link></item>`).join('');
const feed = `<?xml version="1.0"?><rss version="2.0"><channel><title>T</title><link>https://example.org/</link><description>d</description>${items}</channel></rss>`;
const extracted = (options) => extractFromXml(feed, options).entries.map(({ title }) => title);

finding({
  input: titles,
  expected: { 'feed-extractor': titles, 'without conversion': titles, 'rss-parser': titles },
  seen: {
    'feed-extractor': extracted({}),
    'without conversion': extracted({ xmlParserOptions: { parseTagValue: false } }),
    'rss-parser': (await new Parser().parseString(feed)).items.map(({ title }) => title),
  },
  recorded: {"feed-extractor":["7","1000","1.1","Part 007"],"without conversion":["007","1e3","1.10","Part 007"],"rss-parser":["007","1e3","1.10","Part 007"]},
});
JS
