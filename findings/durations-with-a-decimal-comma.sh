#!/usr/bin/env bash
# Behaviour  "1,5 h" lasts 15 hours. By the German words of the package "2 Stunden" is no length, and by the English ones "2 heures 30 minutes" is half an hour.
# Package    parse-duration 2.1.9
# Source     A comma between digits is taken out as a group of thousands, whatever number of digits follows. Words of a unit are found in the table or without an
#            "s" at their end: German plurals end with "n". A part whose unit is unknown is left out, and the rest is returned.
# Met by     Lengths of videos, feeds and recipes that people wrote in Europe.
# Do         Set the words of the language (`parse.unit`), add the plurals of German, and compare the digits of the text with those that were read.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install parse-duration@2.1.9
check <<'JS'
import parse from 'parse-duration';
import german from 'parse-duration/locale/de.js';
import french from 'parse-duration/locale/fr.js';
import { finding } from './finding.mjs';

const english = parse.unit;
const minutes = (text, words) => {
  parse.unit = words;
  const length = parse(text);
  return length === null || length === undefined ? 'no length' : length / 60_000;
};

finding({
  expected: {
    'English: 1,5 h': 90,
    'English: 2 heures 30 minutes': 'no length',
    'French: 2 heures 30 minutes': 150,
    'German: 1,5 h': 90,
    'German: 1 Stunde': 60,
    'German: 2 Stunden': 120,
  },
  seen: {
    'English: 1,5 h': minutes('1,5 h', english),
    'English: 2 heures 30 minutes': minutes('2 heures 30 minutes', english),
    'French: 2 heures 30 minutes': minutes('2 heures 30 minutes', french),
    'German: 1,5 h': minutes('1,5 h', german),
    'German: 1 Stunde': minutes('1 Stunde', german),
    'German: 2 Stunden': minutes('2 Stunden', german),
  },
  recorded: {"English: 1,5 h":900,"English: 2 heures 30 minutes":30,"French: 2 heures 30 minutes":150,"German: 1,5 h":90,"German: 1 Stunde":60,"German: 2 Stunden":"no length"},
});
JS
