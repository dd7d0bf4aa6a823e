#!/usr/bin/env bash
# Behaviour  PostgreSQL 18 stems German and a few English words differently from 15: of 20,000 German words about 1 in 70, among them all feminine
#            forms in -in and -innen ("Lehrerin" is now "lehr", was "lehrerin") and datives such as "Himmeln", and 3 of 18,505 English ones ("ebbing").
# Package    @electric-sql/pglite 0.5.17 (PostgreSQL 18.7) against postgresql-15 (Debian); word lists wngerman, wamerican, wspanish (Debian)
# Source     The stemmers of 18 are of a later release of Snowball (it also brings Estonian). tsvector columns keep the stems of the day they were
#            written, also across pg_upgrade, while queries are stemmed anew.
# Met by     Hosts that upgrade a server, or develop on PGlite and run on an older server: a word that was found is not found any more.
# Do         After an upgrade write tsvector columns again (for generated columns: UPDATE … SET text = text) and REINDEX expression indexes.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
source "$findings/postgres.sh"
debian wngerman wamerican wspanish
install @electric-sql/pglite@0.5.17 pg@8.23.1
check <<'JS'
import { readFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { finding } from './finding.mjs';

const lite = await PGlite.create();
const server = new pg.Client();
await server.connect();
const seen = {};
for (const [language, list] of Object.entries({ german: 'ngerman', english: 'american-english', spanish: 'spanish' })) {
  const all = readFileSync(`debian/root/usr/share/dict/${list}`, 'utf8').split('\n').filter((word) => /^\p{L}{3,}$/u.test(word));
  const step = Math.ceil(all.length / 20_000);
  const words = [...new Set(all.filter((_, i) => i % step === 0).map((word) => word.toLowerCase()))];
  const query = `SELECT (ts_lexize('${language}_stem', word))[1] AS stem FROM unnest($1::text[]) WITH ORDINALITY AS t(word, i) ORDER BY i`;
  const [now, before] = [await lite.query(query, [words]), await server.query(query, [words])];
  const different = words.filter((_, i) => now.rows[i].stem !== before.rows[i].stem);
  seen[language] = `${different.length} of ${words.length}, as ${different.slice(0, 3)}`;
}
const stems = async (database) => (await database.query("SELECT word, to_tsvector('german', word)::text AS stem FROM unnest('{Lehrerin,Himmeln}'::text[]) AS t(word)")).rows;
seen['in 18'] = await stems(lite);
seen['in 15'] = await stems(server);

finding({ expected: '0 of each', seen, recorded: {"german":"289 of 19772, as abbiegerin,abstrahlwinkeln,aerodynamikers","english":"3 of 18505, as ebbing,offed,offings","spanish":"0 of 17185, as ","in 18":[{"word":"Lehrerin","stem":"'lehr':1"},{"word":"Himmeln","stem":"'himmel':1"}],"in 15":[{"word":"Lehrerin","stem":"'lehrerin':1"},{"word":"Himmeln","stem":"'himmeln':1"}]} });
await server.end();
process.exit();
JS
