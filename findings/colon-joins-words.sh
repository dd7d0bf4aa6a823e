#!/usr/bin/env bash
# Behaviour  A colon without a blank joins two words, in every language: "name:Ann" is one word, as is "Anna:Hello" at the start of a caption.
# Package    Intl.Segmenter of ICU 78.2 (Node 20.20.2), granularity word; other borders: minisearch 7.2.0
# Source     UAX #29 has the colon among the signs that stand inside a word (MidLetter), for forms such as Swedish "EU:s", and ICU's rules apply it
#            in every language.
# Met by     Indexes and word counts built on Intl.Segmenter: the words of labels, times with units and speakers are not found.
# Do         Split at colons yourself where the language has no such forms.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install minisearch@7.2.0
check <<'JS'
import MiniSearch from 'minisearch';
import { finding } from './finding.mjs';

console.log(`ICU ${process.versions.icu}`);
const text = 'name:Ann EU:s';
const words = (language) => [...new Intl.Segmenter(language, { granularity: 'word' }).segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);

finding({
  input: text,
  expected: { en: ['name', 'Ann', 'EU', 's'], de: ['name', 'Ann', 'EU', 's'], sv: ['name:Ann', 'EU:s'], minisearch: ['name', 'Ann', 'EU', 's'] },
  seen: { en: words('en'), de: words('de'), sv: words('sv'), minisearch: MiniSearch.getDefault('tokenize')(text) },
  recorded: {"en":["name:Ann","EU:s"],"de":["name:Ann","EU:s"],"sv":["name:Ann","EU:s"],"minisearch":["name","Ann","EU","s"]},
});
JS
