#!/usr/bin/env bash
# Behaviour  Letters that are set apart come out with blanks between them, and the border between two words is lost: "Hello you" is
#            "H e l l o y o u".
# Package    unpdf 1.8.1, pdf-parse 2.4.5 (each in a process of its own); the PDF by pdfkit 0.20.2
# Source     Both give a blank for every gap that is wider than a share of the letter; a blank of the text itself is one gap more, no wider sign.
# Met by     Indexes of PDF files: titles, names on forms and column heads are often set apart and are then found by no word.
# Do         Join runs of single letters where a title is known from elsewhere (metadata, outline), or read the page as a picture.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install unpdf@1.8.1 pdf-parse@2.4.5 pdfkit@0.20.2
cat > pdf-parse.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { PDFParse } from 'pdf-parse';

const { pages } = await new PDFParse({ data: new Uint8Array(readFileSync('letters.pdf')) }).getText();
console.log(pages[0].text.trim());
JS
check <<'JS'
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import PDFDocument from 'pdfkit';
import { extractText, getDocumentProxy } from 'unpdf';
import { finding } from './finding.mjs';

const parts = [];
const pdf = new PDFDocument();
pdf.on('data', (part) => parts.push(part));
pdf.text('Hello you', 50, 100, { characterSpacing: 5 });
pdf.end();
await new Promise((resolve) => pdf.on('end', resolve));
const bytes = Buffer.concat(parts);
writeFileSync('letters.pdf', bytes);
const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: false });

finding({
  input: '"Hello you" with 5 points between the letters',
  expected: { unpdf: 'Hello you', 'pdf-parse': 'Hello you' },
  seen: { unpdf: text[0], 'pdf-parse': execFileSync('node', ['pdf-parse.mjs'], { encoding: 'utf8' }).trim() },
  recorded: { unpdf: 'H e l l o y o u', 'pdf-parse': 'H e l l o y o u' },
});
JS
