#!/usr/bin/env bash
# Behaviour  A link with "&" in a feed of feedsmith comes out of rss-parser with line ends and blanks around it, and so do titles and categories.
# Package    feedsmith 3.0.1 writes, rss-parser 3.13.0 reads; right: @rowanmanning/feed-parser 2.1.5, @extractus/feed-extractor 8.0.3, feedsmith itself
# Source     feedsmith puts a text with "&" or "<" into CDATA on a line of its own. In XML (1.0, 2.10) blanks between tags of an element with text belong to the text.
#            rss-parser does not trim it. A text without such a character is written on one line.
# Met by     Feeds whose links have two query parameters: the link is no key that equals the one of the page, and a title begins with a line end.
# Do         As a reader, trim links, titles and categories.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install feedsmith@3.0.1 rss-parser@3.13.0 @rowanmanning/feed-parser@2.1.5 @extractus/feed-extractor@8.0.3
check <<'JS'
import { extractFromXml } from '@extractus/feed-extractor';
import { parseFeed as parseRowan } from '@rowanmanning/feed-parser';
import { generateRssFeed, parseFeed } from 'feedsmith';
import Parser from 'rss-parser';
import { finding } from './finding.mjs';

const item = (link) => ({ title: 'Bread & butter', link });
const items = [item('https://x.example/?a=1'), item('https://x.example/?a=1&b=2')];
const xml = generateRssFeed({ title: 'Feed', link: 'https://x.example/', description: 'A feed', items });
const of = (list) => list.map(({ title, link, url }) => [title, link ?? url]);

finding({
  input: xml.slice(xml.lastIndexOf('<item>')).replace(/<\/channel>[^]*/, '').trim(),
  expected: 'title and link of each item as they were given',
  seen: {
    'rss-parser': of((await new Parser().parseString(xml)).items),
    'feed-parser': of(parseRowan(xml).items),
    'feed-extractor': of(extractFromXml(xml).entries),
    feedsmith: of(parseFeed(xml).feed.items),
  },
  recorded: {"rss-parser":[["\n        Bread & butter\n      ","https://x.example/?a=1"],["\n        Bread & butter\n      ","\n        https://x.example/?a=1&b=2\n      "]],"feed-parser":[["Bread & butter","https://x.example/?a=1"],["Bread & butter","https://x.example/?a=1&b=2"]],"feed-extractor":[["Bread & butter","https://x.example/?a=1"],["Bread & butter","https://x.example/?a=1&b=2"]],"feedsmith":[["Bread & butter","https://x.example/?a=1"],["Bread & butter","https://x.example/?a=1&b=2"]]},
});
JS
