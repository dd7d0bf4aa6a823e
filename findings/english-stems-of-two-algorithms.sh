#!/usr/bin/env bash
# Behaviour  "English" means two algorithms: @orama/stemmers and lunr have the first of Porter, PostgreSQL and snowball-stemmers the second. About one
#            word in 22 of a dictionary differs. "general" finds "generous" in the first; "news" and "new" are one word in it.
# Package    @orama/stemmers 3.1.18, lunr 2.3.9; snowball-stemmers 0.6.0, postgresql-15 (Debian); word list wamerican (Debian)
# Source     The module `english` of @orama/stemmers is the older algorithm, its other languages are Snowball's present ones (German, French,
#            Spanish, Italian and Portuguese agree with PostgreSQL 15 word by word).
# Met by     Hosts that search the same texts in memory and in PostgreSQL, or that stem queries in JavaScript for an index of another system.
# Do         Stem documents and queries with one library. Do not compare stems of two.
# Date       2026-11-27
source "$(dirname "$0")/lib/setup.sh"
source "$findings/postgres.sh"
debian wamerican
install @orama/stemmers@3.1.18 lunr@2.3.9 snowball-stemmers@0.6.0 pg@8.23.1
check <<'JS'
import { readFileSync } from 'node:fs';
import { stemmer as orama } from '@orama/stemmers/english';
import lunr from 'lunr';
import pg from 'pg';
import snowball from 'snowball-stemmers';
import { finding } from './finding.mjs';

const server = new pg.Client();
await server.connect();
const all = readFileSync('debian/root/usr/share/dict/american-english', 'utf8').split('\n').filter((word) => /^[a-z]{3,}$/.test(word));
const stop = 'SELECT word, (ts_lexize($$english_stem$$, word))[1] AS stem FROM unnest($1::text[]) AS t(word)';
const { rows } = await server.query(stop, [all]);
const stems = rows.filter(({ stem }) => stem !== null); // null: a stop word
const porter2 = snowball.newStemmer('english');
const libraries = { '@orama/stemmers': orama, lunr: (word) => String(lunr.stemmer(new lunr.Token(word))), 'snowball-stemmers': (word) => porter2.stem(word) };
const seen = { words: stems.length };
for (const [name, stemOf] of Object.entries(libraries)) {
  seen[`${name} differs`] = stems.filter(({ word, stem }) => stemOf(word) !== stem).length;
  seen[`${name} stems`] = ['general', 'generous', 'new', 'news', 'dying'].map(stemOf).join(' ');
}

finding({ input: 'stems of PostgreSQL 15: english_stem', expected: '0 differences but for lunr', seen, recorded: {"words":63636,"@orama/stemmers differs":2941,"@orama/stemmers stems":"gener gener new new dy","lunr differs":1364,"lunr stems":"gener gener new new dy","snowball-stemmers differs":0,"snowball-stemmers stems":"general generous new news die"} });
await server.end();
JS
