#!/usr/bin/env bash
# Behaviour  PostgreSQL's parser makes one word of two that a slash joins, and a negative number of the second in a range: "2021" does not find "2019-2021",
#            "server" does not find "client/server", and "COVID 19" does not find "COVID-19".
# Package    @electric-sql/pglite 0.5.17 (PostgreSQL 18.7), configurations simple and english; right: minisearch 7.2.0
# Source     The documents on the parser (PostgreSQL 18, 12.5) have tokens for a file (two words with a slash), a host (Node.js) and a signed integer: the hyphen
#            before a digit is its sign. Words with a hyphen are parted, and so is a range with an en dash. ts_debug() shows it.
# Met by     Search in reports and manuals: years, pages, units (km/h), pairs (input/output, TCP/IP).
# Do         Replace slashes between letters and hyphens before digits by a blank, in the text that is indexed and in the query.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install @electric-sql/pglite@0.5.17 minisearch@7.2.0
check <<'JS'
import { PGlite } from '@electric-sql/pglite';
import MiniSearch from 'minisearch';
import { finding } from './finding.mjs';

const pairs = [
  ['the years 2019-2021', '2021'],
  ['the years 2019–2021', '2021'],
  ['cases of COVID-19', 'COVID 19'],
  ['at 30 km/h', 'km'],
  ['client/server systems', 'server'],
  ['a guide to TCP/IP', 'IP'],
  ['written in Node.js', 'node'],
  ['a well-known man', 'known'],
];
const database = new PGlite();
const found = async (configuration, [text, query]) => {
  const { rows } = await database.query(`SELECT to_tsvector('${configuration}', $1) @@ websearch_to_tsquery('${configuration}', $2) AS found`, [text, query]);
  return rows[0].found;
};
const inMemory = ([text, query]) => {
  const index = new MiniSearch({ fields: ['text'] });
  index.add({ id: 1, text });
  return index.search(query, { combineWith: 'AND' }).length === 1;
};
const seen = {};
for (const pair of pairs) seen[pair.join(' ← ')] = [await found('simple', pair), await found('english', pair), inMemory(pair)];
console.log((await database.query('SHOW server_version')).rows[0].server_version, '(PostgreSQL)');
await database.close();

finding({ input: 'text ← query: simple, english, minisearch', expected: 'true in each', seen, recorded: {"the years 2019-2021 ← 2021":[false,false,true],"the years 2019–2021 ← 2021":[true,true,true],"cases of COVID-19 ← COVID 19":[false,false,true],"at 30 km/h ← km":[false,false,true],"client/server systems ← server":[false,false,true],"a guide to TCP/IP ← IP":[false,false,true],"written in Node.js ← node":[false,false,true],"a well-known man ← known":[true,true,true]} });
JS
