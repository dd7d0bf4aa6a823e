#!/usr/bin/env bash
# Behaviour  Whether a word is found in another Unicode form depends on the language of the index, the word and the direction: English finds a
#            decomposed query in a composed "résumé", not the other way round; German the other way round only.
# Package    @orama/orama 3.1.18; right: flexsearch 0.8.212. minisearch 7.2.0 and lunr 2.3.9 never find another form.
# Source     The tokenizer splits at what is outside the language's list of letters: a combining mark is outside, so a decomposed word falls
#            apart. Pieces are compared by their beginning, so some are found by chance.
# Met by     Indexes of texts from PDF files or macOS, which come decomposed, with queries from keyboards.
# Do         text.normalize('NFC') before insert() and search().
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install @orama/orama@3.1.18 flexsearch@0.8.212 minisearch@7.2.0
check <<'JS'
import { create, insert, search } from '@orama/orama';
import FlexSearch from 'flexsearch';
import MiniSearch from 'minisearch';
import { finding } from './finding.mjs';

const orama = (language) => async (text, term) => {
  const index = create({ schema: { text: 'string' }, language });
  await insert(index, { text });
  return (await search(index, { term })).count > 0;
};
const engines = {
  'orama english': orama('english'),
  'orama german': orama('german'),
  flexsearch: (text, word) => {
    const index = new FlexSearch.Index();
    index.add(1, text);
    return index.search(word).length > 0;
  },
  minisearch: (text, word) => {
    const index = new MiniSearch({ fields: ['text'] });
    index.add({ id: 1, text });
    return index.search(word).length > 0;
  },
};
const seen = {};
for (const [name, found] of Object.entries(engines)) {
  seen[name] = {};
  for (const [word, text] of [['résumé', 'Send the résumé today'], ['Übung', 'Eine gute Übung heute']]) {
    const [composed, decomposed] = ['NFC', 'NFD'].map((form) => ({ text: text.normalize(form), word: word.normalize(form) }));
    seen[name][word] = `in NFC by NFD: ${await found(composed.text, decomposed.word)}, in NFD by NFC: ${await found(decomposed.text, composed.word)}`;
  }
}

finding({ expected: 'one answer for each engine', seen, recorded: {"orama english":{"résumé":"in NFC by NFD: true, in NFD by NFC: false","Übung":"in NFC by NFD: true, in NFD by NFC: true"},"orama german":{"résumé":"in NFC by NFD: false, in NFD by NFC: true","Übung":"in NFC by NFD: true, in NFD by NFC: false"},"flexsearch":{"résumé":"in NFC by NFD: true, in NFD by NFC: true","Übung":"in NFC by NFD: true, in NFD by NFC: true"},"minisearch":{"résumé":"in NFC by NFD: false, in NFD by NFC: false","Übung":"in NFC by NFD: false, in NFD by NFC: false"}} });
JS
