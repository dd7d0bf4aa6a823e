#!/usr/bin/env bash
# Behaviour  A word with a soft hyphen, which no reader sees, is not found by the same word without it.
# Package    minisearch 7.2.0, lunr 2.3.9, @orama/orama 3.1.18, flexsearch 0.8.212; found, by likeness: fuse.js 7.5.0
# Source     U+00AD is a format character. Some take it for a part of the word, others cut the word there; none drops it.
# Met by     German and other pages with long words, whose systems write a soft hyphen between syllables of titles and texts.
# Do         Remove U+00AD (and U+200B) from texts before they are indexed.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install minisearch@7.2.0 lunr@2.3.9 @orama/orama@3.1.18 flexsearch@0.8.212 fuse.js@7.5.0
check <<'JS'
import { create, insert, search } from '@orama/orama';
import FlexSearch from 'flexsearch';
import Fuse from 'fuse.js';
import lunr from 'lunr';
import MiniSearch from 'minisearch';
import { finding } from './finding.mjs';

const documents = [{ id: 1, text: 'Der Gar\u00adten blüht.' }];
const mini = new MiniSearch({ fields: ['text'] });
mini.addAll(documents);
const built = lunr(function () {
  this.ref('id');
  this.field('text');
  documents.forEach((document) => this.add(document));
});
const orama = create({ schema: { text: 'string' } });
insert(orama, { text: documents[0].text });
const flex = new FlexSearch.Index();
documents.forEach(({ id, text }) => flex.add(id, text));

finding({
  input: 'Garten',
  expected: { minisearch: 1, lunr: 1, orama: 1, flexsearch: 1, fuse: 1 },
  seen: {
    minisearch: mini.search('Garten').length,
    lunr: built.search('Garten').length,
    orama: (await search(orama, { term: 'Garten' })).count,
    flexsearch: flex.search('Garten').length,
    fuse: new Fuse(documents, { keys: ['text'] }).search('Garten').length,
  },
  recorded: {"minisearch":0,"lunr":0,"orama":0,"flexsearch":0,"fuse":1},
});
JS
