#!/usr/bin/env bash
# Behaviour  Text splitters cut characters outside the basic plane in two. In UTF-8 each half becomes U+FFFD, in the index and in the request to the embedding model.
# Package    @langchain/textsplitters 1.0.2 (RecursiveCharacterTextSplitter), @chonkiejs/core 0.0.11 (RecursiveChunker); right: @llamaindex/core 0.6.23
# Source     A text without blanks comes to the last separator, the empty one, which splits between UTF-16 units. In Unicode (3.8, D71 to D75) the two units of a
#            pair are one character. The character 𠮟 (to scold) is in the list of common kanji of Japan; emoji and rare names of China are such too.
# Met by     Whoever indexes Japanese or Chinese, or rows of emoji: every border of a chunk may hit one. The word is not found on either side.
# Do         Put the sentence ends of these scripts ("。", "！", "？") before the empty separator, and test chunks by isWellFormed().
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install @langchain/textsplitters@1.0.2 @langchain/core@1.4.0 @chonkiejs/core@0.0.11 @llamaindex/core@0.6.23
check <<'JS'
import { RecursiveChunker } from '@chonkiejs/core';
import { RecursiveCharacterTextSplitter } from '@langchain/textsplitters';
import { SentenceSplitter } from '@llamaindex/core/node-parser';
import { finding } from './finding.mjs';

const text = '𠮟られた子は泣きながら家に帰った。'.repeat(60);
const splitters = {
  langchain: (chunkSize) => new RecursiveCharacterTextSplitter({ chunkSize, chunkOverlap: 0 }).splitText(text),
  chonkie: async (chunkSize) => (await (await RecursiveChunker.create({ chunkSize })).chunk(text)).map((chunk) => chunk.text),
  llamaindex: (chunkSize) => new SentenceSplitter({ chunkSize, chunkOverlap: 0 }).splitText(text),
};
const seen = {};
for (const [name, split] of Object.entries(splitters)) {
  let broken = 0;
  for (let size = 100; size < 120; size++) broken += (await split(size)).some((chunk) => !chunk.isWellFormed());
  seen[name] = `${broken} of 20`;
}

finding({ input: 'one sentence 60 times, in chunks of 100 to 119: how many sizes cut a character', expected: '0 of 20 each', seen, recorded: {"langchain":"4 of 20","chonkie":"20 of 20","llamaindex":"0 of 20"} });
JS
