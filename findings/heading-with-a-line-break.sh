#!/usr/bin/env bash
# Behaviour  A heading with a line break becomes a shorter heading and a paragraph after HTML → Markdown → HTML.
# Package    turndown 7.2.5 with marked 18.2.1
# Source     The rule for headings puts the sign # before what its content became; that of br writes two blanks and a line end. A heading of
#            this form ends with its line.
# Met by     Readers of pages whose titles are broken for the eye ("Annual report<br>2026"): the table of contents loses the year.
# Do         Replace br in headings by a blank before turndown, or add a rule for them.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install turndown@7.2.5 marked@18.2.1
check <<'JS'
import { marked } from 'marked';
import Turndown from 'turndown';
import { finding } from './finding.mjs';

const html = '<h1>Annual report<br>2026</h1>';
const seen = Object.fromEntries(
  ['atx', 'setext'].map((headingStyle) => {
    const markdown = new Turndown({ headingStyle }).turndown(html);
    return [headingStyle, marked.parse(markdown).trim()];
  }),
);

finding({ input: html, expected: { atx: '<h1>Annual report 2026</h1>', setext: '<h1>Annual report<br>2026</h1>' }, seen, recorded: {"atx":"<h1>Annual report</h1>\n<p>2026</p>","setext":"<h1>Annual report<br>2026</h1>"} });
JS
