#!/usr/bin/env bash
# Behaviour  A document in Cyrillic, Greek or Korean can be indexed without an error and is never found. In lunr even a Latin word is not
#            found if its first or last letter has an accent.
# Package    lunr 2.3.9, elasticlunr 0.9.5, @orama/orama 3.1.18 (default language); right: minisearch 7.2.0, flexsearch 0.8.212
# Source     lunr.trimmer cuts what \W matches at both ends of a word, and \W matches every letter outside ASCII; the query is not cut, so it
#            never equals what was stored. elasticlunr has the same step. Orama's tokenizer for English splits at every letter outside a list of Latin ones.
# Met by     Sites whose content comes in another language than the one the index was made for: the build is green, the search is empty.
# Do         lunr: lunr-languages with the language, or remove the trimmer. Orama: set `language`, one index for each language.
# Date       2026-11-27
source "$(dirname "$0")/lib/setup.sh"
install lunr@2.3.9 elasticlunr@0.9.5 @orama/orama@3.1.18 minisearch@7.2.0 flexsearch@0.8.212
check <<'JS'
import { create, insert, search } from '@orama/orama';
import elasticlunr from 'elasticlunr';
import FlexSearch from 'flexsearch';
import lunr from 'lunr';
import MiniSearch from 'minisearch';
import { finding } from './finding.mjs';

const engines = {
  lunr: (text, word) => lunr(function () { this.ref('id'); this.field('text'); this.add({ id: 1, text }); }).search(word).length,
  elasticlunr: (text, word) => {
    const index = elasticlunr(function () { this.setRef('id'); this.addField('text'); });
    index.addDoc({ id: 1, text });
    return index.search(word).length;
  },
  orama: async (text, word) => {
    const index = create({ schema: { text: 'string' } });
    await insert(index, { text });
    return (await search(index, { term: word })).count;
  },
  minisearch: (text, word) => {
    const index = new MiniSearch({ fields: ['text'] });
    index.add({ id: 1, text });
    return index.search(word).length;
  },
  flexsearch: (text, word) => {
    const index = new FlexSearch.Index();
    index.add(1, text);
    return index.search(word).length;
  },
};
const cases = { Москва: 'Это Москва сегодня', Αθήνα: 'Η Αθήνα σήμερα', 한국어: '나는 한국어 공부', résumé: 'Send the résumé today', water: 'Cold water today' };
const seen = {};
for (const [name, found] of Object.entries(engines)) {
  seen[name] = [];
  for (const [word, text] of Object.entries(cases)) if ((await found(text, word)) > 0) seen[name].push(word);
}

finding({ input: cases, expected: Object.fromEntries(Object.keys(engines).map((name) => [name, Object.keys(cases)])), seen, recorded: {"lunr":["water"],"elasticlunr":["résumé","water"],"orama":["résumé","water"],"minisearch":["Москва","Αθήνα","한국어","résumé","water"],"flexsearch":["Москва","Αθήνα","한국어","résumé","water"]} });
JS
