#!/usr/bin/env bash
# Behaviour  A text in a declarative shadow root, which every browser shows, is lost by DOM libraries; those that keep it keep inert templates too.
# Package    jsdom 29.1.1 with @mozilla/readability 0.6.0, happy-dom 21.0.4, turndown 7.2.5; defuddle 0.19.4 loses the text in its slot instead.
#            jsdom 31.0.1, which needs Node 22, loses it too
# Source     `<template shadowrootmode="open">` becomes the shadow root of its parent while a browser parses a page (HTML standard, the template element). The
#            libraries make a plain template of it, whose content is no child, or they know no templates at all.
# Met by     Readers of pages that web components are rendered into on a server (Lit, Stencil, Enhance).
# Do         Move the content of such templates into their parents before reading; drop the others.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install jsdom@29.1.1 @mozilla/readability@0.6.0 happy-dom@21.0.4 turndown@7.2.5 linkedom@0.18.15 cheerio@1.2.0 html-to-text@10.0.1 node-html-markdown@2.0.0 defuddle@0.19.4
check <<'JS'
import { Readability } from '@mozilla/readability';
import * as cheerio from 'cheerio';
import { Defuddle } from 'defuddle/node';
import { Window } from 'happy-dom';
import { convert } from 'html-to-text';
import { JSDOM } from 'jsdom';
import { parseHTML } from 'linkedom';
import { NodeHtmlMarkdown } from 'node-html-markdown';
import TurndownService from 'turndown';
import { finding } from './finding.mjs';

const paragraph = (name) =>
  `<p>${name}: The harbour of the town was dug in the winter of 1821 by four hundred men, who were paid in bread and in coal, and it has been deepened twice.</p>`;
const html = `<!doctype html><html lang="en"><head><title>Harbour</title></head><body><main><template>${paragraph('Inert')}</template><harbour-page>
<template shadowrootmode="open"><article><h1>Harbour</h1>${['Shadow', 'Second', 'Third'].map(paragraph).join('')}<slot></slot></article></template>
${paragraph('Slotted')}</harbour-page></main></body></html>`;
const window = new Window();
window.document.write(html);
const texts = {
  'jsdom, Readability': new Readability(new JSDOM(html).window.document).parse()?.textContent,
  'linkedom, Readability': new Readability(parseHTML(html).document).parse()?.textContent,
  'happy-dom': window.document.body.innerText,
  turndown: new TurndownService().turndown(html),
  defuddle: (await Defuddle(html, 'https://harbour.example/')).content,
  cheerio: cheerio.load(html)('main').text(),
  'html-to-text': convert(html),
  'node-html-markdown': NodeHtmlMarkdown.translate(html),
};
await window.happyDOM.close();
const each = (value) => Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, value(text ?? '')]));

finding({
  input: 'one inert template, a shadow root of three paragraphs, one paragraph for its slot',
  expected: each(() => 'Shadow Slotted'),
  seen: each((text) => ['Inert', 'Shadow', 'Slotted'].filter((name) => text.includes(`${name}:`)).join(' ')),
  recorded: {"jsdom, Readability":"Slotted","linkedom, Readability":"Shadow Slotted","happy-dom":"Slotted","turndown":"Slotted","defuddle":"Shadow","cheerio":"Inert Shadow Slotted","html-to-text":"Inert Shadow Slotted","node-html-markdown":"Inert Shadow Slotted"},
});
JS
