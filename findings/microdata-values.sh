#!/usr/bin/env bash
# Behaviour  The value of a `data` element becomes a number and loses its zeros (a GTIN of 13 digits has 11); a property with two names is one property whose name
#            has a blank.
# Package    microdata-node 2.0.0 (numbers), web-auto-extractor 1.0.17 (names, and the visible text in place of the value); right: microdata-rdf-streaming-parser
#            3.0.0
# Source     HTML standard, 5.2.3 and 5.2.4: itemprop is a list of names, and the value of a `data` element is its attribute `value`, a string. Whether it is a
#            number is for the vocabulary to say: schema.org's gtin13 and sku are texts.
# Met by     Readers of shops' pages: the article is not found by its number any more, "1e3" is 1,000, and `brand` is missing.
# Do         Read these values with an HTML parser: the attribute as it is, the names split at blanks.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install microdata-node@2.0.0 web-auto-extractor@1.0.17 microdata-rdf-streaming-parser@3.0.0
check <<'JS'
import { createRequire } from 'node:module';
import { MicrodataRdfParser } from 'microdata-rdf-streaming-parser';
import microdata from 'microdata-node';
import { finding } from './finding.mjs';

const extractor = createRequire(import.meta.url)('web-auto-extractor').default;
const html = `<!doctype html><html><body><div itemscope itemtype="https://schema.org/Product">
<data itemprop="gtin13" value="0012345678905">0 012345 678905</data><data itemprop="sku" value="1e3">No. 1e3</data><b itemprop="brand manufacturer">Ann Ltd</b></div></body></html>`;
const streamed = {};
await new Promise((resolve, reject) => {
  const parser = new MicrodataRdfParser({ baseIRI: 'https://shop.example/' });
  parser.on('data', ({ predicate, object }) => (streamed[predicate.value.split('/').at(-1)] = object.value)).on('end', resolve).on('error', reject);
  parser.write(html);
  parser.end();
});
const plain = (item) => Object.fromEntries(Object.entries(item).filter(([name]) => !name.startsWith('@') && !name.includes('#')).sort());
const { properties } = microdata.toJson(html, { base: 'https://shop.example/' }).items[0];

finding({
  input: html.split('\n')[1],
  expected: { brand: 'Ann Ltd', gtin13: '0012345678905', manufacturer: 'Ann Ltd', sku: '1e3' },
  seen: {
    'microdata-node': plain(Object.fromEntries(Object.entries(properties).map(([name, [value]]) => [name, value]))),
    'web-auto-extractor': plain(extractor().parse(html).microdata.Product[0]),
    'microdata-rdf-streaming-parser': plain(streamed),
  },
  recorded: {"microdata-node":{"brand":"Ann Ltd","gtin13":12345678905,"manufacturer":"Ann Ltd","sku":1000},"web-auto-extractor":{"brand manufacturer":"Ann Ltd","gtin13":"0 012345 678905","sku":"No. 1e3"},"microdata-rdf-streaming-parser":{"brand":"Ann Ltd","gtin13":"0012345678905","manufacturer":"Ann Ltd","sku":"1e3"}},
});
JS
