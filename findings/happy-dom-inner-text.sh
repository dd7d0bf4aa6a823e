#!/usr/bin/env bash
# Behaviour  innerText joins words that a line break, a cell or a list item parts: "one<br>two" is "onetwo".
# Package    happy-dom 21.0.4 against linkedom 0.18.15
# Source     HTMLElement.innerText puts a line end before block and flex elements only; br, table cells and rows are neither, and of blank
#            text the line ends are taken out.
# Met by     Whoever takes the text of a page in tests or scrapers with innerText, because it is the one that browsers make readable.
# Do         Walk the nodes, or read the text from Markdown or from a page reader.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install happy-dom@21.0.4 linkedom@0.18.15
check <<'JS'
import { Window } from 'happy-dom';
import { parseHTML } from 'linkedom';
import { finding } from './finding.mjs';

const page = '<!doctype html><html><head><title>T</title></head><body><p>one<br>two</p></body></html>';
const window = new Window();
window.document.write(page);

finding({
  input: '<p>one<br>two</p>',
  expected: { 'happy-dom': 'one\ntwo', linkedom: 'one\ntwo' },
  seen: { 'happy-dom': window.document.body.innerText, linkedom: parseHTML(page).document.body.innerText },
  recorded: {"happy-dom":"onetwo","linkedom":"one\ntwo"},
});
await window.happyDOM.close();
JS
