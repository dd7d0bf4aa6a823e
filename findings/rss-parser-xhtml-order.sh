#!/usr/bin/env bash
# Behaviour  Words of an Atom entry whose content is XHTML change their order: text behind an inline element moves before it.
# Package    rss-parser 3.13.0
# Source     lib/utils.js, getContent: content that is no plain string is written again with the builder of xml2js. The object of xml2js
#            keeps the text of an element in one string and its children in lists, so their order is lost before that.
# Met by     Readers of Atom feeds that send content type="xhtml", as many blogs and the feeds of standards bodies do.
# Do         Read such feeds with feedparser, feedsmith or @rowanmanning/feed-parser, which keep the order (run on the same feed).
# Date       2026-11-27
source "$(dirname "$0")/lib/setup.sh"
install rss-parser@3.13.0 feedsmith@3.0.1
check <<'JS'
import Parser from 'rss-parser';
import { parseFeed } from 'feedsmith';
import { finding } from './finding.mjs';

const feed = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><id>urn:feed</id><updated>2026-11-27T10:00:00Z</updated>
<entry><title>A</title><id>urn:1</id><updated>2026-11-27T10:00:00Z</updated><link href="https://example.org/1"/>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Do <b>not</b> open the valve</p></div></content></entry></feed>`;
const { items } = await new Parser().parseString(feed);
const words = (html) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ').trim();

finding({
  input: '<p>Do <b>not</b> open the valve</p>',
  expected: { 'rss-parser': 'Do not open the valve', feedsmith: 'Do not open the valve' },
  seen: { 'rss-parser': words(items[0].content), feedsmith: words(parseFeed(feed).feed.entries[0].content.value) },
  recorded: { 'rss-parser': 'Do open the valve not', feedsmith: 'Do not open the valve' },
});
JS
