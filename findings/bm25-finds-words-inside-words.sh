#!/usr/bin/env bash
# Behaviour  The score of BM25 counts a keyword inside other words: "art" scores in "start" as high as in "art".
# Package    okapibm25 1.4.1; right: wink-bm25-text-search 3.1.2
# Source     The package counts a keyword with a regular expression on the whole document, without borders of words, while the length of a
#            document is counted in words.
# Met by     Rankers of passages for a language model that take the smallest package: short words (art, ion, ear, US) bring wrong passages first.
# Do         Split into words first: minisearch, wink-bm25-text-search or PostgreSQL.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install okapibm25@1.4.1 wink-bm25-text-search@3.1.2
check <<'JS'
import okapi from 'okapibm25';
import wink from 'wink-bm25-text-search';
import { finding } from './finding.mjs';

const documents = ['the start of it', 'the end of it', 'the art of it'];
const scores = (okapi.default ?? okapi)(documents, ['art']);
const engine = wink();
engine.defineConfig({ fldWeights: { text: 1 } });
engine.definePrepTasks([(text) => text.split(' ')]);
documents.forEach((text, i) => engine.addDoc({ text }, i));
engine.consolidate();

finding({
  input: { documents, keyword: 'art' },
  expected: { okapibm25: ['the art of it'], wink: ['the art of it'] },
  seen: { okapibm25: documents.filter((_, i) => scores[i] > 0), wink: engine.search('art').map(([id]) => documents[id]) },
  recorded: {"okapibm25":["the start of it","the art of it"],"wink":["the art of it"]},
});
JS
