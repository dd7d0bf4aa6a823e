#!/usr/bin/env bash
# Behaviour  The link of an Atom entry is its first link element, also if that is the enclosure: a sound file instead of the page.
# Package    @extractus/feed-extractor 8.0.3; right: rss-parser 3.13.0, @rowanmanning/feed-parser 2.1.5
# Source     esm/src/utils/normalizer.js, getLink, takes the first element of a list of links. RFC 4287 gives links no order: the page is the one with
#            rel="alternate" or without rel.
# Met by     Readers of podcasts and photo feeds in Atom, who then fetch a sound file as a page.
# Do         Use getExtraEntryFields to choose the link by rel, or another reader.
# Date       2026-11-27
source "$(dirname "$0")/lib/setup.sh"
install @extractus/feed-extractor@8.0.3 rss-parser@3.13.0 @rowanmanning/feed-parser@2.1.5
check <<'JS'
import { extractFromXml } from '@extractus/feed-extractor';
import { parseFeed } from '@rowanmanning/feed-parser';
import Parser from 'rss-parser';
import { finding } from './finding.mjs';

const feed = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><id>urn:feed</id><updated>2026-11-27T10:00:00Z</updated>
<entry><title>A</title><id>urn:1</id><updated>2026-11-27T10:00:00Z</updated><link rel="enclosure" href="https://example.org/a.mp3" type="audio/mpeg"/><link rel="alternate" type="text/html" href="https://example.org/a"/></entry></feed>`;
const page = 'https://example.org/a';

finding({
  expected: { 'feed-extractor': page, 'rss-parser': page, rowanmanning: page },
  seen: {
    'feed-extractor': extractFromXml(feed).entries[0].link,
    'rss-parser': (await new Parser().parseString(feed)).items[0].link,
    rowanmanning: parseFeed(feed).items[0].url,
  },
  recorded: {"feed-extractor":"https://example.org/a.mp3","rss-parser":"https://example.org/a","rowanmanning":"https://example.org/a"},
});
JS
