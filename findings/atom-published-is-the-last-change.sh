#!/usr/bin/env bash
# Behaviour  What these readers call the date of publication of an Atom entry is the date of its last change: an entry of 2019 that was edited counts as new.
# Package    htmlparser2 12.0.0 (parseFeed, pubDate), @extractus/feed-extractor 8.0.3 (published); right: rss-parser 3.13.0, feedsmith 3.0.1
# Source     htmlparser2 reads `updated` only; feed-extractor prefers `updated`. RFC 4287, 4.2.9 and 4.2.15: `published` is an instant early in the life of
#            an entry, `updated` the last change that its publisher calls significant.
# Met by     Lists of new videos and posts. The feed of a channel has both dates, and old entries come as new ones after an edit.
# Do         Read `published` from the entry, or take one of the other readers.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install htmlparser2@12.0.0 @extractus/feed-extractor@8.0.3 rss-parser@3.13.0 feedsmith@3.0.1
check <<'JS'
import { extractFromXml } from '@extractus/feed-extractor';
import { parseFeed as feedsmith } from 'feedsmith';
import { parseFeed as htmlparser2 } from 'htmlparser2';
import Parser from 'rss-parser';
import { finding } from './finding.mjs';

const feed = `<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"><id>urn:reef</id><title>Reef diary</title><updated>2026-05-01T09:00:00Z</updated><author><name>Reef</name></author>
<entry><id>urn:reef:1</id><title>First dive</title><link href="https://example.org/1"/><published>2019-03-02T08:00:00Z</published><updated>2026-05-01T09:00:00Z</updated><summary>Cold.</summary></entry></feed>`;
const published = '2019-03-02T08:00:00.000Z';
const iso = (date) => new Date(date).toISOString();

finding({
  expected: { htmlparser2: published, 'feed-extractor': published, 'rss-parser': published, feedsmith: published },
  seen: {
    htmlparser2: iso(htmlparser2(feed).items[0].pubDate),
    'feed-extractor': iso(extractFromXml(feed).entries[0].published),
    'rss-parser': iso((await new Parser().parseString(feed)).items[0].isoDate),
    feedsmith: iso(feedsmith(feed).feed.entries[0].published),
  },
  recorded: {"htmlparser2":"2026-05-01T09:00:00.000Z","feed-extractor":"2026-05-01T09:00:00.000Z","rss-parser":"2019-03-02T08:00:00.000Z","feedsmith":"2019-03-02T08:00:00.000Z"},
});
JS
