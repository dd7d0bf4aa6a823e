#!/usr/bin/env bash
# Behaviour  Of a list of options without end tags, which HTML allows, only the first is an option.
# Package    node-html-parser 9.0.7; right: parse5 8.1.1 by cheerio 1.2.0, linkedom 0.18.15, happy-dom 21.0.4
# Source     Its table of elements that end when the next begins has li, p, dt, dd and the parts of tables; it has no option.
# Met by     Scrapers of older forms: the list of countries or models has one entry.
# Do         Read pages of others with a parser that follows the standard.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install node-html-parser@9.0.7 cheerio@1.2.0 linkedom@0.18.15 happy-dom@21.0.4
check <<'JS'
import { load } from 'cheerio';
import { Window } from 'happy-dom';
import { parseHTML } from 'linkedom';
import { parse } from 'node-html-parser';
import { finding } from './finding.mjs';

const form = '<select><option value="de">Germany<option value="fr">France<option value="it">Italy</select>';
const page = `<!doctype html><html><head><title>T</title></head><body>${form}</body></html>`;
const window = new Window();
window.document.write(page);
const $ = load(page);

finding({
  input: form,
  expected: { 'node-html-parser': 3, cheerio: 3, linkedom: 3, 'happy-dom': 3 },
  seen: {
    'node-html-parser': parse(page).querySelectorAll('option').length,
    cheerio: $('option').length,
    linkedom: parseHTML(page).document.querySelectorAll('option').length,
    'happy-dom': window.document.querySelectorAll('option').length,
  },
  recorded: {"node-html-parser":1,"cheerio":3,"linkedom":3,"happy-dom":3},
});
await window.happyDOM.close();
JS
